-- Checks some jobs, tickets, list members or queues against the invariants, and repairs them on request.
--
-- ARGV[3] 1 to repair
-- ARGV[4] what: 'jobs', 'tickets', 'attempts', 'pollers', 'marks', 'counters', 'totals', 'parked-on', or the name of a sorted set without the prefix
-- ARGV[5..] ids, fields of tickets, pollers or marks, names of queues, digests, or members; none for the totals
--
-- Reply: {subject, description, 1 if it was repaired} for each violation.
-- Repetition: repaired violations are not found again.
-- Invariant: data of a later version stays unchanged. A job whose record is gone is counted as lost.

local repair, what = ARGV[3] == '1', ARGV[4]
local found = {}
local PLACES = {'scheduled', 'ready', 'parked', 'retry'}
local CLOCK_STEP = 60000
-- Largest time for which a mark of resumed workers is kept, in ms.
local KNOWN_AS_RESUMED = 86400000
local ENDS = {'succeeded', 'discarded', 'superseded', 'dead', 'cancelled', 'removed'}

local function violation(subject, description, repair_it)
  if repair and repair_it then
    repair_it()
  end
  found[#found + 1] = {subject, description, (repair and repair_it) and 1 or 0}
end

local function in_set(key, job, score, member)
  member = member or job.id
  local at = redis.call('ZSCORE', key, member)
  if not at then
    violation(job.id, 'is ' .. job.s .. ', and not in ' .. key, function()
      zadd(key, score or now, member)
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

local function check_waiting(job)
  in_set(place_of(job), job, (job.s == 'ready' or job.s == 'parked') and job.n or job.d)
  if job.s == 'scheduled' or job.s == 'retry' then
    in_set(DUE, job, job.d, indexed(job))
  end
  if job.s == 'retry' and job.as then
    local key = unknown.key(job.q, job.j)
    in_set(key, job, job.n)
    if not unknown.numbers(job.q)[job.j] then
      violation(job.id, 'is set aside, and its name is not', function()
        unknown.count(job.q, job.j, math.max(redis.call('ZCARD', key), 1))
      end)
    end
  end
  if job.s == 'parked' or job.g == 1 then
    if not redis.call('ZSCORE', PREFIX .. 'parked-on:' .. job.k, parked_member(job)) then
      violation(job.id, 'is parked, and not listed for its key', function()
        list_parked(job)
      end)
    end
    if not redis.call('ZSCORE', DUE, 'k:' .. job.k) then
      violation(job.id, 'is parked on a key that is not checked', function()
        zadd(DUE, now, 'k:' .. job.k)
      end)
    end
  end
end

local function check_ticket_of(job)
  local covers = TICKET[job.l]
  if not covers or is_capped(job) or not (WAITING[job.s] or (covers == 'run' and job.s == 'running')) then
    return
  end
  if ticket(job.k) ~= job.id then
    local holder = ticket_holder(job.k)
    local other = holder and holder.id or later_holder(job.k)
    violation(job.id, 'is ' .. job.s .. ' without its ticket, which ' .. (other or 'no job') .. ' has', function()
      if other then
        -- Both are running, one after the other.
        job.u = now
        save(job)
      else
        set_ticket(job.k, job.id)
      end
    end)
  end
end

local function check_job(id)
  local job = find(id)
  if unreadable[id] == DAMAGED and tonumber(redis.call('ZSCORE', UNREADABLE, id) or 0) ~= DAMAGED then
    violation(id, 'has a record that cannot be read', function()
      set_aside(id, queue_that_lists(id))
    end)
  end
  if not job then
    return
  end
  -- The counters of a removed queue are deleted before its ended jobs.
  if queue(job.q) and new_queues[job.q] and (WAITING[job.s] or job.s == 'running' or is_letter(job)) then
    violation(id, 'is of queue ' .. job.q .. ', which has no counters', function()
      touched[job.q] = true
    end)
  end
  if WAITING[job.s] then
    check_waiting(job)
  elseif job.s == 'running' then
    in_set(RUNNING, job, nil, indexed(job))
    -- The clock may have run back since, but not by much.
    if tonumber(redis.call('ZSCORE', RUNNING, indexed(job)) or 0) > now + job.x + CLOCK_STEP then
      violation(id, 'runs, and its lease does not expire', function()
        zadd(RUNNING, now + job.x, indexed(job))
      end)
    end
  else
    in_set(is_letter(job) and DEAD or ENDED, job, job.ra or job.ea)
    if is_letter(job) then
      in_set(letters_of(job), job, job.ea)
    end
  end
  check_ticket_of(job)
end

-- The purge of a job deletes its failed attempts only if its record counts some.
local function check_attempts(id)
  local job = find(id)
  if not (job and job.a) and not is_later(id) and redis.call('HGET', PREFIX .. 'attempts', id) then
    violation(id, 'has failed attempts, and ' .. (job and 'its record has none' or 'is gone'), function()
      attempts[id] = false
    end)
  end
end

local function check_ticket(field)
  local id = redis.call('HGET', TICKETS, field)
  local job = id and find(id)
  if not id or (job and is_capped(job)) or is_later(id) then
    return
  end
  if not job or string.sub(job.k or '', -32) ~= field or ticket_holder(job.k) ~= job then
    violation(field, 'is a ticket of ' .. id .. ', which ' .. (job and 'is ' .. job.s or 'is gone'), function()
      tickets[field], new_tickets[field] = false, false
    end)
  end
end

-- The members of a sorted set, each of which must be of a job that belongs there.
local function belongs(set, job)
  if not job then
    return false
  end
  if set == 'running' then
    return job.s == 'running'
  elseif set == 'due' then
    return job.s == 'scheduled' or job.s == 'retry'
  elseif set == 'dead' then
    return is_letter(job)
  elseif set == 'ended' then
    return not WAITING[job.s] and job.s ~= 'running' and not is_letter(job)
  elseif set == 'dead:' .. job.q then
    return is_letter(job)
  elseif job.s == 'retry' and job.as and PREFIX .. set == unknown.key(job.q, job.j) then
    return true
  end
  return WAITING[job.s] and set == job.s .. ':' .. job.q
end

local function check_set_aside(id)
  if not redis.call('ZSCORE', UNREADABLE, id) then
    return
  end
  local name, state, counted = counted_aside(id)
  find(id)
  if not unreadable[id] then
    violation(id, find(id) and 'is set aside, and can be read' or 'is set aside, and its record is gone', function()
      take_back(id)
    end)
  elseif counted and not (name and IN_STATE[state] and not (queue(name) and new_queues[name])) then
    violation(id, 'is set aside, and counted as ' .. counted, function()
      new_fields['u:' .. id] = false
    end)
  elseif tonumber(redis.call('ZSCORE', UNREADABLE, id)) ~= unreadable[id] then
    violation(id, 'is set aside for another version than its own', function()
      zadd(UNREADABLE, unreadable[id], id)
    end)
  end
end

local function check_name(name)
  local score = redis.call('ZSCORE', PREFIX .. 'queues', name)
  if not score then
    return
  elseif not redis.call('HGET', STATE, 'q:' .. name) then
    violation(name, 'is among the names of queues, and none', function()
      zrem(PREFIX .. 'queues', name)
    end)
  elseif tonumber(score) ~= 0 then
    violation(name, 'is not in its place among the names of queues', function()
      zadd(PREFIX .. 'queues', 0, name)
    end)
  end
end

-- A member of the list of a key, which must be of a job that is parked on it.
local function check_parked(digest, member)
  local score = redis.call('ZSCORE', PREFIX .. what, member)
  local id = id_of(member)
  if not score or (id and is_later(id)) then
    return
  end
  local job = id and find(id)
  if not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) or parked_member(job) ~= member then
    violation(member, 'is listed for a key on which it is not parked', function()
      unlist(digest, member)
    end)
  elseif tonumber(score) ~= 0 then
    violation(member, 'is not in its place in the list of its key', function()
      list_parked(job)
    end)
  end
end

local function check_poller(field)
  local raw = redis.call('HGET', STATE, field)
  if raw and not reservation_of(raw) then
    violation(field, 'is a reservation that cannot be read', function()
      new_fields[field] = false
    end)
  elseif raw and not redis.call('ZSCORE', DUE, field) then
    violation(field, 'is a reservation that is never forgotten', function()
      zadd(DUE, now, field)
    end)
  end
end

-- A mark of quiet or resumed workers. Quiet workers write a deleted one again.
local function check_mark(field)
  local mark, at = redis.call('HGET', STATE, field), tonumber(redis.call('ZSCORE', DUE, field) or '')
  if mark and mark ~= 'resumed' and not string.find(mark, '^%d+$') then
    violation(field, 'is a mark of quiet workers that cannot be read', function()
      new_fields[field] = false
      zrem(DUE, field)
    end)
  elseif mark and (not at or at > now + KNOWN_AS_RESUMED + CLOCK_STEP) then
    violation(field, 'is a mark of quiet workers that is never forgotten', function()
      zadd(DUE, now + KNOWN_AS_RESUMED, field)
    end)
  end
end

-- A member of an index of the namespace, which names a job and its queue.
local function check_indexed(member)
  local key, id, name = PREFIX .. what, string.match(member, '^(%S+) (%S+)$')
  if not redis.call('ZSCORE', key, member) or (id and is_later(id)) then
    return
  end
  local job = id and find(id)
  if id and unreadable[id] then
    violation(id, 'is in ' .. what .. ', and its record cannot be read', function()
      set_aside(id, name)
    end)
  elseif not job or indexed(job) ~= member or not belongs(what, job) then
    violation(member, 'is in ' .. what .. ', where it does not belong', function()
      zrem(key, member)
    end)
  end
end

local function check_member(member)
  local digest = string.match(what, '^parked%-on:(.*)$')
  if what == 'unreadable' then
    check_set_aside(member)
    return
  elseif what == 'queues' then
    check_name(member)
    return
  elseif digest then
    check_parked(digest, member)
    return
  elseif what == 'running' or (what == 'due' and string.sub(member, 2, 2) ~= ':') then
    check_indexed(member)
    return
  elseif what == 'due' or is_later(member) then
    return
  elseif string.find(what, '^unknown:') and unreadable[member] then
    violation(member, 'is in ' .. what .. ', and its record cannot be read', function()
      zrem(PREFIX .. what, member)
    end)
    return
  elseif unreadable[member] and redis.call('ZSCORE', PREFIX .. what, member) then
    violation(member, 'is in ' .. what .. ', and its record cannot be read', function()
      set_aside(member, string.match(what, ':(.*)$'))
    end)
    return
  end
  if redis.call('ZSCORE', PREFIX .. what, member) and not belongs(what, find(member)) then
    violation(member, 'is in ' .. what .. ', where it does not belong', function()
      zrem(PREFIX .. what, member)
    end)
  end
end

-- Checks whether the counters of a queue can be read, and its last place.
local function check_counters(name)
  local counters = queue(name)
  if damaged_counters[name] then
    violation(name, 'has counters that cannot be read', function()
      touched[name] = true
    end)
  end
  local last = last_place(name)
  if counters.seq < last then
    violation(name, 'has places up to ' .. text(last) .. ', and counts ' .. text(counters.seq), function()
      count(name, 'seq', last - counters.seq)
    end)
  end
end

-- Checks whether the places of a queue hold as many jobs as are counted.
local function check_places(name)
  local counters = queue(name)
  for _, place in ipairs(PLACES) do
    local size = redis.call('ZCARD', PREFIX .. place .. ':' .. name)
    local counted = counters[place] or 0
    if size ~= counted then
      violation(name, 'has ' .. size .. ' ' .. place .. ' jobs and counts ' .. text(counted), function()
        count(name, place, size - counted)
      end)
    end
  end
  for job, number in pairs(unknown.numbers(name)) do
    local size = redis.call('ZCARD', unknown.key(name, job))
    if size ~= number then
      violation(name, 'has set ' .. size .. ' ' .. job .. ' jobs aside and counts ' .. text(number), function()
        unknown.count(name, job, size - number)
      end)
    end
  end
  local letters = redis.call('ZCARD', PREFIX .. 'dead:' .. name)
  if letters ~= (counters.letters or 0) then
    violation(name, 'has ' .. letters .. ' dead letters and counts ' .. text(counters.letters or 0), function()
      count(name, 'letters', letters - (counters.letters or 0))
    end)
  end
end

-- Checks whether a queue is listed.
local function check_listed(name)
  local counters = queue(name)
  if not redis.call('ZSCORE', PREFIX .. 'queues', name) and (holds(counters) or not counters.unlisted) then
    violation(name, 'is not among the names of queues', function()
      counters.unlisted = nil
      touched[name] = true
      zadd(PREFIX .. 'queues', 0, name)
    end)
  end
end

-- Checks whether every job that a queue has got is counted somewhere.
local function check_sum(name, counted_before)
  local counters, total = queue(name), counted_before
  for _, state in ipairs(ENDS) do
    total = total + (counters[state] or 0)
  end
  total = total + (counters.running or 0) + (counters.unreadable or 0) + (counters.lost or 0) + (counters.moved_out or 0)
  local came = (counters.accepted or 0) + (counters.moved_in or 0)
  if came ~= total then
    violation(name, 'has got ' .. text(came) .. ' jobs and accounts for ' .. text(total), function()
      local lost = math.max((counters.lost or 0) + came - total, 0)
      -- Jobs that were never counted as accepted are counted now.
      count(name, 'accepted', total - came + lost - (counters.lost or 0))
      counters.lost = lost
    end)
  end
end

local function check_queue(name)
  local counted = 0
  for _, place in ipairs(PLACES) do
    counted = counted + (queue(name)[place] or 0)
  end
  check_counters(name)
  check_places(name)
  if not new_queues[name] then
    check_listed(name)
    check_sum(name, counted)
  end
end

-- Maximum number of jobs that are counted at once. Above it only the sum is checked.
local COUNTED_AT_ONCE = 20000

local function recount(names, what_counted, by_queue)
  for _, name in ipairs(names) do
    local counted, number = queue(name)[what_counted] or 0, by_queue[name] or 0
    if counted ~= number then
      violation(name, 'has ' .. number .. ' ' .. what_counted .. ' jobs and counts ' .. text(counted), function()
        count(name, what_counted, number - counted)
      end)
    end
  end
end

-- Number of running jobs by queue.
local function running_by_queue()
  local by_queue = {}
  for _, member in ipairs(redis.call('ZRANGE', RUNNING, 0, -1)) do
    local name = string.match(member, '^%S+ (%S+)$')
    if name then
      by_queue[name] = (by_queue[name] or 0) + 1
    end
  end
  return by_queue
end

local function unreadable_by_queue(fields_aside)
  local by_queue = {}
  for _, id in ipairs(fields_aside) do
    local name = counted_aside(id)
    if not redis.call('ZSCORE', UNREADABLE, id) then
      violation(id, 'is counted as set aside, and is not', function()
        new_fields['u:' .. id] = false
      end)
    elseif name then
      by_queue[name] = (by_queue[name] or 0) + 1
    end
  end
  return by_queue
end

-- For all queues that exist now, because one may have been added since the others were checked.
local function check_totals()
  local names, aside = {}, {}
  for _, field in ipairs(redis.call('HKEYS', STATE)) do
    names[#names + 1] = string.match(field, '^q:(.*)$')
    aside[#aside + 1] = string.match(field, '^u:(.*)$')
  end
  for from = 1, #names, MOST_ARGUMENTS do
    load_state({unpack(names, from, math.min(from + MOST_ARGUMENTS - 1, #names))})
  end
  recount(names, 'unreadable', unreadable_by_queue(aside))
  local waits = redis.call('ZCOUNT', UNREADABLE, '-inf', '(' .. text(DAMAGED)) > 0
  if waits and tonumber(redis.call('ZSCORE', DUE, 'v:') or 'inf') > now + CLOCK_STEP then
    violation('v:', 'is not due soon, and records of later versions wait', function()
      zadd(DUE, now, 'v:')
    end)
  end
  local running, size = 0, redis.call('ZCARD', RUNNING)
  local by_queue = size <= COUNTED_AT_ONCE and running_by_queue()
  if by_queue then
    recount(names, 'running', by_queue)
    return
  end
  for _, name in ipairs(names) do
    running = running + (queue(name).running or 0)
  end
  if running ~= size then
    violation('running', size .. ' jobs run, and ' .. text(running) .. ' are counted')
  end
end

-- A key with parked jobs is checked soon if it is free, else when its lock ends.
local function check_key(digest)
  local heads = parked_heads(digest, HEADS)
  if #heads == 0 then
    return
  end
  local owner, looked = owner_of(digest), tonumber(redis.call('ZSCORE', DUE, 'k:' .. digest) or 0)
  if owner and looked > now + math.max(lock_ttl(digest), FOREIGN_LOOK) + PROMOTED_LOOK then
    violation(digest, 'is looked at long after its lock has ended', function()
      zadd(DUE, now, 'k:' .. digest)
    end)
  end
  for _, member in ipairs(owner and {} or heads) do
    local job = find(id_of(member))
    if job and job.s == 'parked' and looked > now + FOREIGN_LOOK then
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
if what == 'totals' then
  check_totals()
else
  local one = ({jobs = check_job, tickets = check_ticket, attempts = check_attempts, pollers = check_poller, marks = check_mark, counters = check_queue,
      ['parked-on'] = check_key})[what]
  if (what == 'jobs' or what == 'unreadable' or what == 'attempts') and #rest > 0 then
    load(rest)
  end
  for _, subject in ipairs(rest) do
    (one or check_member)(subject)
  end
end
write()
return found
