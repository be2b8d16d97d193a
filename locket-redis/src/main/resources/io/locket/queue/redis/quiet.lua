-- Quiets the workers of a process, resumes them, or returns whether they are quiet.
--
-- ARGV[3] instance
-- ARGV[4] 'quiet', 'resume', 'find', or 'keep', with which quiet workers set their mark again if there is none
--
-- Reply: {1 if they are quiet afterwards, else 0, 1 if this call has changed that, else 0}.
-- Repetition: changes nothing, and notifies again.
-- Invariant: a mark of quiet workers is deleted an hour after the last call, so that it ends with its process. The process
--            calls once a minute. That they were resumed is known for a day, so that 'keep' is not taken for a lost mark.

local QUIET_FOR, RESUMED_FOR = 3600000, 86400000
local field, what = 'i:' .. ARGV[3], ARGV[4]
local mark = redis.call('HGET', STATE, field)
local was = mark and mark ~= 'resumed' or false
local is = what == 'quiet' or (what == 'find' and was) or (what == 'keep' and mark ~= 'resumed')

if is then
  new_fields[field] = text(now)
  zadd(DUE, now + QUIET_FOR, field)
elseif what == 'resume' then
  new_fields[field] = 'resumed'
  zadd(DUE, now + RESUMED_FOR, field)
end
if what == 'quiet' or what == 'resume' then
  -- All workers read their marks, and poll.
  notified[''] = true
end
if is or what == 'resume' then
  write()
end
return {is and 1 or 0, (is ~= was) and 1 or 0}
