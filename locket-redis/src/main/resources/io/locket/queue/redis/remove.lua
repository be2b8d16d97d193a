-- Removes the waiting jobs of a queue, in steps of at most 100 jobs, and of fewer if their arguments are large.
--
-- ARGV[3] queue
-- ARGV[4] '' for the first step, then the time of the removal in ms
-- ARGV[5] place: 'scheduled', 'retry', 'parked' or 'ready'
-- ARGV[6] where this step begins, '-inf' at first: a score, and how many jobs of that score stay
-- ARGV[7] id of the removal, a number made by the client
-- ARGV[8] number of jobs that its earlier steps have removed
-- ARGV[9] id of the last removal of the queue before this one, '0' for none; for the first step
--
-- Reply: {time of the removal, how many jobs were removed so far, where to go on or '' if this place is done, events}, or
--        {'', id of the last removal} if a first step has another one as the last
-- Jobs that other scripts have ended as removed since the last step are counted with this one.
-- Repetition: removes the rest, and counts no job twice. A repeated first step begins no other removal, also if it is delivered
-- after a later removal.
-- The last step unlists an empty queue, and schedules the removal of its counters.
-- Invariant: a job that was enqueued or moved there before the removal began never waits again. All scripts treat it as
-- removed, in whatever state they find it.

-- @include due-entries.lua
-- @include ready/read.lua

local STEP = 100
-- Number of records read at once, and limit on their bytes, so that a step of large records takes no longer.
local READ = 10
local BYTES = 1000000

local name = ARGV[3]
local removal = tonumber(ARGV[7])
local counters = queue(name)

if ARGV[4] == '' and counters.removal ~= removal and (counters.removal or 0) ~= tonumber(ARGV[9]) then
  return {'', text(counters.removal or 0)}
end

-- Returns the time of the removal, which begins with its first step.
local function time_of_removal()
  if ARGV[4] ~= '' then
    return tonumber(ARGV[4])
  elseif new_queues[name] then
    -- No job has ever been enqueued, and the queue stays unknown.
    return -1
  elseif counters.removal ~= removal then
    -- Later than the last removal, even if the clock stood still. Jobs that were enqueued before the clock was set back stay.
    counters.removed_at = math.max(now, (counters.removed_at or -1) + 1)
    -- Number of jobs received so far. The counters stay if the queue receives more.
    counters.rm = arrivals(counters)
    touched[name] = true
  end
  return counters.removed_at
end

-- Reads the next entries of a place, after some that were passed: ids, scores, and the sets that they are in.
local function read_entries(place, from, passed)
  local entries, sets
  if place == 'ready' then
    entries, sets = read_ready(name, from, passed + STEP)
  else
    entries = redis.call('ZRANGEBYSCORE', PREFIX .. place .. ':' .. name, from, '+inf', 'WITHSCORES', 'LIMIT', passed, STEP)
  end
  local ids, scores, keys = {}, {}, {}
  for i = sets and passed + 1 or 1, #entries / 2 do
    ids[#ids + 1], scores[#ids + 1] = entries[2 * i - 1], entries[2 * i]
    keys[#ids] = sets and sets[i] or PREFIX .. place .. ':' .. name
  end
  return ids, scores, keys
end

-- Reads the first jobs, until their records are large enough for one step. Returns how many were read.
local function load_first(ids)
  local read, bytes = 0, 0
  while read < #ids and bytes < BYTES do
    local from = read + 1
    read = math.min(read + READ, #ids)
    local some = {unpack(ids, from, read)}
    load(some)
    for _, id in ipairs(some) do
      bytes = bytes + (jobs[id] and #jobs[id].definition or 0)
    end
    load_claims_of(some)
  end
  return read
end

-- Ends the jobs of this step that came before the removal. Returns where the next step begins, or '' if the place is done.
local function remove_from(place, after, started)
  local from, passed = string.match(after, '^(%S+) ?(%d*)$')
  passed = tonumber(passed) or 0
  local ids, scores, keys = read_entries(place, from, passed)
  local read = load_first(ids)
  local last = scores[read]
  -- Number of jobs with the last score that stay, because they came later.
  local kept = (last == from) and passed or 0
  for i = 1, read do
    local id = ids[i]
    local job = jobs[id]
    if unreadable[id] then
      set_aside(id, name, place == 'ready' and keys[i] or nil)
    elseif not job or job.s ~= place or place_of(job) ~= keys[i] then
      zrem(keys[i], id)
    elseif came_at(job) <= started then
      finish(job, 'removed')
    elseif scores[i] == last then
      kept = kept + 1
    end
  end
  follow()
  return (read == STEP or read < #ids) and last .. ' ' .. kept or ''
end

-- Returns the number of jobs that all steps have removed so far. Only the last removal of a queue is recorded.
local function count_removed()
  local removals = tonumber(ARGV[8])
  if not new_queues[name] then
    removals = ((counters.removal == removal) and counters.removing or removals) + (counters.swept or 0)
    counters.swept = nil
    if ARGV[4] == '' or counters.removal == removal then
      counters.removal, counters.removing = removal, removals
    end
    touched[name] = true
  end
  return removals
end

-- Unlists an empty queue, and schedules the removal of its counters.
local function unlist_queue()
  if not holds(counters) then
    counters.unlisted = 1
    zrem(PREFIX .. 'queues', name)
  end
  if counters.rm then
    zadd(DUE, now + REMOVED_QUEUE_KEPT, 'q:' .. name)
  end
end

local started = time_of_removal()
local goes_on = remove_from(ARGV[5], ARGV[6], started)
local removals = count_removed()
if ARGV[5] == 'ready' and goes_on == '' and not new_queues[name] then
  unlist_queue()
end
write()
return {text(started), removals, goes_on, events}
