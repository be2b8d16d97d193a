-- Dead letters that are too old, or if there are none, the oldest ones if there were too many before this script, as in
-- reservation/purge.lua.

-- @include ../purge.lua
-- A dead letter, up to the size of its head.
local DEAD_RECORD = '>BBc0I6I4'
local DEAD = 'dead'
-- The time since which an ended job is no dead letter any more.
local DISMISSED = '"ra":'

local purged = {}
if #letters > 0 then
  local age, size, floor = string.match(ARGV[3], '^%d+ (%d+) (%d+) (%d+)')
  local oldest, over = format('%.0f', now - math.max(age, floor)), call('ZCARD', PREFIX .. 'dead') - size
  purged = call('ZRANGEBYSCORE', PREFIX .. 'dead', '-inf', oldest, 'LIMIT', 0, PURGE)
  if #purged == 0 and over > 0 then
    purged = call('ZRANGEBYSCORE', PREFIX .. 'dead', '-inf', format('%.0f', now - floor), 'LIMIT', 0, math.min(PURGE, over))
  end
end
local read_letters, bytes_left, step = 0, PURGED_BYTES, PURGED_FIRST
while read_letters < #purged do
  local read_before = read_letters
  read_letters, step = math.min(read_letters + step, #purged), 2 * step
  for i, raw in ipairs(call('HMGET', JOBS, unpack(purged, read_before + 1, read_letters))) do
    local whole, version, in_state, _, size, at = pcall(read, DEAD_RECORD, raw or '')
    local q
    if whole and version == VERSION and in_state == DEAD and not string.find(sub(raw, at, at + size - 1), DISMISSED, 1, true) then
      whole, _, _, _, _, _, _, _, _, q = pcall(read, PLACE_TO_QUEUE, raw, at + size)
    end
    if not whole or not q then
      return {}
    end
    -- @insert queue.lua
    of.purged = of.purged or {}
    of.purged[#of.purged + 1] = purged[read_before + i]
    bytes_left = bytes_left - #raw
  end
  for i = #purged, bytes_left > 0 and #purged + 1 or read_letters + 1, -1 do
    purged[i] = nil
  end
end
