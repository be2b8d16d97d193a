-- Removes the waiting jobs of a queue, in steps of at most 100 jobs.
--
-- ARGV[3] queue
-- ARGV[4] '' for the first step, then the time of the removal in ms
-- ARGV[5] place: 'scheduled', 'retry', 'parked' or 'ready'
-- ARGV[6] where this step begins, '-inf' at first: a score, and how many jobs of that score stay
-- ARGV[7] id of the removal, a number made by the client
-- ARGV[8] number of jobs that its earlier steps have removed
--
-- Reply: {time of the removal, how many jobs were removed so far, where to go on or '' if this place is done, events}
-- Jobs that other scripts have ended as removed since the last step are counted with this one.
-- Repetition: removes the rest, and counts no job twice. A repeated first step begins no other removal.
-- The last step unlists an empty queue, and schedules the removal of its counters.
-- Invariant: a job that was enqueued or moved there before the removal began never waits again. All scripts treat it as
-- removed, in whatever state they find it.

local STEP = 100
-- Time for which the counters of a queue are kept, in ms.
local KNOWN_FOR = 3600000
local name, started, place, after = ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local removal, removals = tonumber(ARGV[7]), tonumber(ARGV[8])
local counters = queue(name)
if not started and new_queues[name] then
  -- No job has ever been enqueued, and the queue stays unknown.
  started = -1
elseif not started and counters.removal == removal then
  started = counters.removed_at
elseif not started then
  -- Later than the last removal, even if the clock stood still. Jobs that were enqueued before the clock was set back stay.
  started = math.max(now, (counters.removed_at or -1) + 1)
  -- Number of jobs received so far. The counters stay if the queue receives more.
  counters.removed_at, counters.rm = started, arrivals(counters)
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
  load_claims_of(ids)
end
local kept = (last == from) and passed or 0
for i, id in ipairs(ids) do
  local job = jobs[id]
  if unreadable[id] then
    set_aside(id, name)
  elseif not job or job.s ~= place or job.q ~= name then
    zrem(key, id)
  elseif came_at(job) <= started then
    finish(job, 'removed')
  elseif found[2 * i] == last then
    kept = kept + 1
  end
end
follow()
if not new_queues[name] then
  removals = ((counters.removal == removal) and counters.removing or removals) + (counters.swept or 0)
  counters.removal, counters.removing, counters.swept = removal, removals, nil
  touched[name] = true
end
if place == 'ready' and #ids < STEP and not new_queues[name] then
  if not holds(counters) then
    counters.unlisted = 1
    zrem(PREFIX .. 'queues', name)
  end
  touched[name] = true
  if counters.rm then
    zadd(DUE, now + KNOWN_FOR, 'q:' .. name)
  end
end
write()
return {text(started), removals, (#ids == STEP) and last .. ' ' .. kept or '', events}
