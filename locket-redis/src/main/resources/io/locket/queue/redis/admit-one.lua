-- Enqueues one job, as admit.lua does with several, or refuses a duplicate. Most calls enqueue one job. Without tables and loops
-- this takes a fifth less of Redis's time. A job with a claim is left to admit.lua.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    id
-- ARGV[4]    definition and arguments, see admit.lua
--
-- Reply: {time in ms until the job is due}, or {id of the job that has the ticket, its state} if it is refused; {} if nothing was
--        done, and enqueue.lua is to be called instead.
-- Repetition and invariant: as of admit.lua.

-- @include admit/names.lua

local id, definition, due = ARGV[3], ARGV[4], now
-- @include admit/job.lua
if l == 'UP' then
  return {}
end
local field = 'q:' .. q
local raw = call('HGET', STATE, field)
-- @include admit/counters.lua
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
-- @include admit/ready.lua
return {0}
