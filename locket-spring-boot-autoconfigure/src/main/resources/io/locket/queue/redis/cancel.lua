-- Cancels a job: one that waits ends, one that runs is flagged.
--
-- ARGV[3] id
--
-- Reply: {'cancelled', 'flagged', 'ended' or 'unknown', events}
-- Repetition: a job that was cancelled has ended.

local job = find(ARGV[3])
local answer
if not job then
  answer = 'unknown'
elseif WAITING[job.s] then
  finish(job, 'cancelled')
  answer = 'cancelled'
elseif job.s == 'running' then
  job.cx = 1
  save(job)
  answer = 'flagged'
else
  answer = 'ended'
end
follow()
write()
return {answer, events}
