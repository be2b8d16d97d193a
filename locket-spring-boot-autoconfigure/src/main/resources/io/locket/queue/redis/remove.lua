-- Removes what waits in a queue, a step of at most 100 jobs.
--
-- ARGV[3] queue
-- ARGV[4] '' for the first step, then the time of the removal in ms
-- ARGV[5] place: 'scheduled', 'retry', 'parked' or 'ready'
-- ARGV[6] score after which this step begins, '-inf' at first
--
-- Reply: {time of the removal, how many were removed, score after which to go on or '' if this place is done, events}
-- Repetition: removes what is left.
-- Invariant: what was enqueued before the removal began never waits again, wherever it is when a step comes by: all
--            scripts treat it as removed when they touch it.

local STEP = 100
local name, started, place, after = ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local counters = queue(name)
if not started then
  -- Later than the last removal, and so than all that was enqueued since, also if the clock stood still or ran back.
  started = math.max(now, (counters.removed_at or -1) + 1)
  counters.removed_at = started
  touched[name] = true
end
local from = (after == '-inf') and after or '(' .. after
local found = redis.call('ZRANGEBYSCORE', PREFIX .. place .. ':' .. name, from, '+inf', 'WITHSCORES', 'LIMIT', 0, STEP)
-- Those of equal score go together, so that the next step can begin after them.
local last = found[#found]
if #found == 2 * STEP then
  local equal = redis.call('ZRANGEBYSCORE', PREFIX .. place .. ':' .. name, last, last, 'WITHSCORES', 'LIMIT', 0, 1000)
  local seen = {}
  for i = 1, #found, 2 do
    seen[found[i]] = true
  end
  for i = 1, #equal, 2 do
    if not seen[equal[i]] then
      found[#found + 1] = equal[i]
      found[#found + 1] = equal[i + 1]
    end
  end
end
local ids, removals = {}, 0
for i = 1, #found, 2 do
  ids[#ids + 1] = found[i]
end
if #ids > 0 then
  load(ids)
end
for _, id in ipairs(ids) do
  local job = jobs[id]
  if job and WAITING[job.s] and job.q == name and job.e <= started then
    finish(job, 'removed')
    removals = removals + 1
  end
end
follow()
write()
return {text(started), removals, (#found >= 2 * STEP) and last or '', events}
