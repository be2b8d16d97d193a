-- Counters of the queues, and the last reservation of the poller.

-- The last reservation of a poller, see store.lua.
local POLLER = '>BI6Hc0Hc0'

local fields = {nil, nil}
for i = 1, queues do
  fields[i] = 'q:' .. names[i]
end
fields[queues + 1] = poller_field
local state = (#fields > 0) and call('HMGET', STATE, unpack(fields)) or fields
local poller, polled_at = poller_field and state[queues + 1], 0
if poller then
  local whole, version, at, known = pcall(read, POLLER, poller)
  if not whole or version ~= 1 or known == request then
    return {}
  end
  polled_at = at
end
