-- A single job, 'id', that needs no claim: its ticket and queue, and the counters of the queue. Ends the script with the job that
-- refuses it, or with {} if it is left to enqueue.lua. Callers send jobs with a claim to admit.lua.

-- @include job.lua
if l == 'UP' then
  return {}
end
local field = 'q:' .. q
local raw = call('HGET', STATE, field)
-- @include counters.lua
if call('HGET', JOBS, id) then
  return {}
end
local holder = ticket and call('HGET', PREFIX .. 'tickets', ticket)
if holder then
  local held = call('HGET', JOBS, holder)
  if not held then
    return {}
  end
  -- @include holder.lua
  -- @include duplicate.lua
  return {holder, state}
end
