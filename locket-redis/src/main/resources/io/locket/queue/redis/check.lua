-- Checks some jobs, tickets, list members or queues against the invariants, and repairs them on request.
--
-- ARGV[3] 1 to repair
-- ARGV[4] what: 'jobs', 'records', 'tickets', 'attempts', 'pollers', 'marks', 'counters', 'totals', 'parked-on', 'sets', or the
--         name of a sorted set without the prefix
-- ARGV[5..] ids, fields of tickets, pollers or marks, names of queues, digests, names of sorted sets, or members; none for the
--         totals
--
-- Reply: {violations, further, checked}. A violation is {subject, description, 1 if it was repaired}. The second list has the
--         names of sorted sets that the checked members refer to; of 'jobs', the ids of damaged records, which are to be checked
--         as 'records' after all sets, because to search all lists for each of them would take long. 'checked' is the number of
--         subjects that were checked. A call for 'sets' checks the first ones, with at most a hundred members together, and none
--         if the first set is larger. A call for 'counters' checks the first queues, until COUNTED_SEGMENTS have been counted.
-- Repetition: repaired violations are not found again.
-- Invariant: records of a later version stay unchanged. A job whose record is gone is counted as lost.

local repair, what = ARGV[3] == '1', ARGV[4]
local found, further = {}, {}
-- Largest step of the clock that explains a time of a record, in ms.
local CLOCK_STEP = 60000

local function violation(subject, description, repair_it)
  if repair and repair_it then
    repair_it()
  end
  found[#found + 1] = {subject, description, (repair and repair_it) and 1 or 0}
end

-- A run without a score gets a full lease, because its worker may be alive.
local function in_set(key, job, score, member)
  member = member or job.id
  local at = redis.call('ZSCORE', key, member)
  if not at then
    violation(job.id, 'is ' .. job.s .. ', and not in ' .. key, function()
      zadd(key, score or now + job.x, member)
    end)
  elseif score and tonumber(at) ~= score then
    violation(job.id, 'is in ' .. key .. ' at ' .. at .. ' instead of ' .. text(score), function()
      zadd(key, score, member)
    end)
  end
end

-- Returns whether there is a record that only a later version can read.
local function is_later(id)
  return not find(id) and unreadable[id] ~= nil and unreadable[id] ~= DAMAGED
end

-- @include ready/size.lua
-- @include check/jobs.lua
-- @include check/members.lua
-- @include check/queues.lua

-- A key with parked jobs is checked soon if it is free, else when its lock ends. If all of its queues are due, their first jobs
-- may be parked until then.
local function check_key(digest)
  local heads = parked_heads(digest, MOST_QUEUES_OF_KEY, BEFORE_QUEUES)
  if #heads == 0 then
    return
  end
  local owner, looked = owner_of(digest), tonumber(redis.call('ZSCORE', DUE, 'k:' .. digest) or 0)
  if owner and looked > now + math.max(lock_ttl(digest), FOREIGN_CHECK) + PROMOTED_CHECK then
    violation(digest, 'is looked at long after its lock has ended', function()
      zadd(DUE, now, 'k:' .. digest)
    end)
  end
  local awaited = owner or redis.call('ZSCORE', DUE, 'p:' .. digest .. ' ' .. BEFORE_QUEUES)
  for _, member in ipairs(awaited and {} or heads) do
    local job = find(id_of(member))
    if job and job.s == 'parked' and looked > now + FOREIGN_CHECK then
      violation(digest, 'is free, and ' .. job.id .. ' stays parked on it', function()
        zadd(DUE, now, 'k:' .. digest)
      end)
    end
  end
end

local rest = {}
for i = 5, #ARGV do
  rest[#rest + 1] = ARGV[i]
end
local checked = 0
if what == 'totals' then
  check_totals()
elseif what == 'sets' then
  checked = check_sets(rest)
else
  local one = ({jobs = check_job, records = check_record, tickets = check_ticket, attempts = check_attempts,
      pollers = check_poller, marks = check_mark, counters = check_queue, ['parked-on'] = check_key})[what]
  if string.find(' jobs records unreadable attempts ', ' ' .. what .. ' ', 1, true) and #rest > 0 then
    load(rest)
  end
  for i, subject in ipairs(rest) do
    if segments_counted < COUNTED_SEGMENTS then
      (one or check_member)(subject)
      checked = i
    end
  end
end
write()
return {found, further, checked}
