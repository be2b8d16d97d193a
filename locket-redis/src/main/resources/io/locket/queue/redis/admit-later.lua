-- Enqueues one job with a start time, as enqueue.lua does, or refuses a duplicate. It does nothing if its id is known. A job
-- with a claim is left to admit.lua.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    id
-- ARGV[4]    definition and arguments, see admit.lua
-- ARGV[5]    delay in ms, or ''
-- ARGV[6]    due time in ms, which counts if there is one, or ''
--
-- Reply, repetition and invariant: as of admit-one.lua.

-- @include admit/names.lua

local id, definition = ARGV[3], ARGV[4]
local due = math.min(math.max(tonumber(ARGV[6]) or (now + tonumber(ARGV[5])), now), LAST)
-- @include admit/job.lua
if l == 'UP' then
  return {}
end
local field = 'q:' .. q
local raw = call('HGET', STATE, field)
-- @include admit/counters.lua
-- @include admit/delayed.lua
if call('HGET', JOBS, id) then
  return {}
end
local holder = ticket and call('HGET', PREFIX .. 'tickets', ticket)
if holder then
  local held = call('HGET', JOBS, holder)
  if not held then
    return {}
  end
  -- @include admit/holder.lua
  -- @include admit/duplicate.lua
  return {holder, state}
end
if due > now then
  -- @include admit/later.lua
else
  -- @include admit/ready.lua
end
return {due - now}
