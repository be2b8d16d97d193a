-- Checks some jobs, tickets, list members or queues against the invariants, and mends what it is told to mend.
--
-- ARGV[3] 1 to mend
-- ARGV[4] what: 'jobs', 'tickets', 'queues', 'totals', 'parked-on', or the name of a sorted set without the prefix
-- ARGV[5..] ids, fields of tickets, names of queues, digests, or members; none for the totals
--
-- Reply: {subject, description, 1 if it was mended} for each violation.
-- Repetition: what was mended is found in order.

local mend, what = ARGV[3] == '1', ARGV[4]
local found = {}
local PLACES = {'scheduled', 'ready', 'parked', 'retry'}
local ENDS = {'succeeded', 'discarded', 'superseded', 'dead', 'cancelled', 'removed'}

local function violation(subject, description, mending)
  if mend and mending then
    mending()
  end
  found[#found + 1] = {subject, description, (mend and mending) and 1 or 0}
end

local function in_set(key, job, score)
  local at = redis.call('ZSCORE', key, job.id)
  if not at then
    violation(job.id, 'is ' .. job.s .. ', and not in ' .. key, function()
      zadd(key, score or now, job.id)
    end)
  elseif score and tonumber(at) ~= score then
    violation(job.id, 'is in ' .. key .. ' at ' .. at .. ' instead of ' .. text(score), function()
      zadd(key, score, job.id)
    end)
  end
end

local function check_waiting(job)
  in_set(place_of(job), job, (job.s == 'ready' or job.s == 'parked') and job.n or job.d)
  if job.s == 'scheduled' or job.s == 'retry' then
    in_set(DUE, job, job.d)
  end
  if job.s == 'parked' or job.g == 1 then
    if not redis.call('ZSCORE', PREFIX .. 'parked-on:' .. job.k, parked_member(job)) then
      violation(job.id, 'is parked, and not listed for its key', function()
        list_parked(job)
      end)
    end
    if not redis.call('ZSCORE', DUE, 'k:' .. job.k) then
      violation(job.id, 'is parked on a key that nobody looks at', function()
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
    violation(job.id, 'is ' .. job.s .. ' without its ticket, which '
        .. (holder and holder.id or 'nobody') .. ' has', not holder and function()
      set_ticket(job.k, job.id)
    end)
  end
end

local function check_job(id)
  local job = find(id)
  if not job then
    if redis.call('HGET', JOBS, id) then
      violation(id, 'has a record that cannot be read')
    end
    return
  end
  if WAITING[job.s] then
    check_waiting(job)
  elseif job.s == 'running' then
    in_set(RUNNING, job)
  else
    in_set(is_letter(job) and DEAD or ENDED, job, job.ra or job.ea)
    if is_letter(job) then
      in_set(letters_of(job), job, job.ea)
    end
  end
  check_ticket_of(job)
end

local function check_ticket(field)
  local id = redis.call('HGET', TICKETS, field)
  local job = id and find(id)
  if not id or (job and is_capped(job)) then
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
  end
  return WAITING[job.s] and set == job.s .. ':' .. job.q
end

local function check_member(member)
  if what == 'due' and string.sub(member, 2, 2) == ':' then
    return
  end
  if redis.call('ZSCORE', PREFIX .. what, member) and not belongs(what, find(member)) then
    violation(member, 'is in ' .. what .. ', where it does not belong', function()
      zrem(PREFIX .. what, member)
    end)
  end
end

local function check_queue(name)
  local counters, total = queue(name), 0
  for _, place in ipairs(PLACES) do
    local size = redis.call('ZCARD', PREFIX .. place .. ':' .. name)
    local counted = counters[place] or 0
    total = total + counted
    if size ~= counted then
      violation(name, 'has ' .. size .. ' ' .. place .. ' jobs and counts ' .. text(counted), function()
        count(name, place, size - counted)
      end)
    end
  end
  local letters = redis.call('ZCARD', PREFIX .. 'dead:' .. name)
  if letters ~= (counters.letters or 0) then
    violation(name, 'has ' .. letters .. ' dead letters and counts ' .. text(counters.letters or 0), function()
      count(name, 'letters', letters - (counters.letters or 0))
    end)
  end
  if not redis.call('ZSCORE', PREFIX .. 'queues', name) and (holds(counters) or not counters.unlisted) then
    violation(name, 'is not among the names of queues', function()
      counters.unlisted = nil
      touched[name] = true
      zadd(PREFIX .. 'queues', 0, name)
    end)
  end
  for _, state in ipairs(ENDS) do
    total = total + (counters[state] or 0)
  end
  total = total + (counters.running or 0) + (counters.moved_out or 0)
  local came = (counters.accepted or 0) + (counters.moved_in or 0)
  if came ~= total then
    violation(name, 'has got ' .. text(came) .. ' jobs and accounts for ' .. text(total))
  end
end

-- Of all queues that there are now: one may have come since the others were looked at.
local function check_totals()
  local names = {}
  for _, field in ipairs(redis.call('HKEYS', STATE)) do
    names[#names + 1] = string.match(field, '^q:(.*)$')
  end
  for from = 1, #names, MOST_ARGUMENTS do
    load_state({unpack(names, from, math.min(from + MOST_ARGUMENTS - 1, #names))})
  end
  local running, size = 0, redis.call('ZCARD', RUNNING)
  for _, name in ipairs(names) do
    running = running + (queue(name).running or 0)
  end
  if running ~= size then
    violation('running', size .. ' jobs run, and ' .. text(running) .. ' are counted')
  end
end

-- What is not listed for its key where it should be is found with its job; this finds what should not be listed.
local function check_listed(digest)
  local members = redis.call('ZRANGE', PREFIX .. 'parked-on:' .. digest, 0, 99)
  local ids = {}
  for i, member in ipairs(members) do
    ids[i] = id_of(member)
  end
  if #ids > 0 then
    load(ids)
  end
  for i, member in ipairs(members) do
    local job = jobs[ids[i]]
    if not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) or parked_member(job) ~= member then
      violation(member, 'is listed for a key on which it is not parked', function()
        unlist(digest, member)
      end)
    end
  end
  local owner = owner_of(digest)
  if #members > 0 and not owner then
    local looked = tonumber(redis.call('ZSCORE', DUE, 'k:' .. digest) or 0)
    for _, member in ipairs((parked_heads(digest, HEADS))) do
      local job = find(id_of(member))
      if job and job.s == 'parked' and looked > now + FOREIGN_LOOK then
        violation(digest, 'is free, and ' .. job.id .. ' stays parked on it', function()
          zadd(DUE, now, 'k:' .. digest)
        end)
      end
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
  local one = ({jobs = check_job, tickets = check_ticket, queues = check_queue, ['parked-on'] = check_listed})[what]
  if what == 'jobs' and #rest > 0 then
    load(rest)
  end
  for _, subject in ipairs(rest) do
    (one or check_member)(subject)
  end
end
write()
return found
