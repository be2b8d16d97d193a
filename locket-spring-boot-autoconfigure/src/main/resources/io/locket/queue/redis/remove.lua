-- Removes what waits in a queue, a step of at most 100 jobs.
--
-- ARGV[3] queue
-- ARGV[4] '' for the first step, then the time of the removal in ms
-- ARGV[5] place: 'scheduled', 'retry', 'parked' or 'ready'
-- ARGV[6] where this step begins, '-inf' at first: a score, and how many jobs of that score stay
--
-- Reply: {time of the removal, how many were removed, where to go on or '' if this place is done,
-- events}
-- Repetition: removes what is left.
-- The last step unlists a queue that holds nothing any more.
-- Invariant: what was enqueued, or moved there, before the removal began never waits again, wherever it is when a step
--            comes by: all scripts treat it as removed when they touch it.

local STEP = 100
local name, started, place, after = ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local counters = queue(name)
if not started and new_queues[name] then
  -- Nothing has come before, and the queue stays unknown.
  started = -1
elseif not started then
  -- Later than the last removal, and so than all that was enqueued since, also if the clock stood still or ran back.
  started = math.max(now, (counters.removed_at or -1) + 1)
  counters.removed_at = started
  touched[name] = true
end
local from, passed = string.match(after, '^(%S+) ?(%d*)$')
passed = tonumber(passed) or 0
local key = PREFIX .. place .. ':' .. name
local found = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', passed, STEP)
local ids, last = {}, found[#found]
for i = 1, #found, 2 do
  ids[#ids + 1] = found[i]
end
if #ids > 0 then
  load(ids)
end
local kept = (last == from) and passed or 0
for i, id in ipairs(ids) do
  local job = jobs[id]
  if not job or job.s ~= place or job.q ~= name then
    zrem(key, id)
  elseif came_at(job) <= started then
    finish(job, 'removed')
  elseif found[2 * i] == last then
    kept = kept + 1
  end
end
follow()
local removals = 0
for _, event in ipairs(events) do
  if event[1] == 'removed' and event[4] == name then
    removals = removals + 1
  end
end
if place == 'ready' and #ids < STEP and not new_queues[name] and not holds(counters) then
  counters.unlisted = 1
  touched[name] = true
  zrem(PREFIX .. 'queues', name)
end
write()
return {text(started), removals, (#ids == STEP) and last .. ' ' .. kept or '', events}
