-- Checks of jobs, of their tickets and failed attempts, and of records that are set aside.

local function check_waiting(job)
  in_set(place_of(job), job, (job.s == 'ready' or job.s == 'parked') and job.n or job.d)
  if job.s == 'ready' then
    local number = math.floor(job.n / SEGMENT)
    in_set(ready_set(job.q), job, number, text(number))
  end
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

local function is_damaged(id)
  return not find(id) and unreadable[id] == DAMAGED and tonumber(redis.call('ZSCORE', UNREADABLE, id) or 0) ~= DAMAGED
end

-- A damaged record that is not set aside. After the lists have been repaired, none of them has its job.
local function check_record(id)
  if is_damaged(id) then
    violation(id, 'has a record that cannot be read', function()
      set_aside(id)
    end)
  end
end

local function check_job(id)
  local job = find(id)
  if not job then
    if is_damaged(id) then
      further[#further + 1] = id
    end
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

-- The key of a record that cannot be read is unknown, so its ticket and its entry in the list of its key stay. A repair sets each
-- of these records aside.
local function is_set_aside(id)
  return is_later(id) or (unreadable[id] ~= nil and (repair or redis.call('ZSCORE', UNREADABLE, id)))
end

local function check_ticket(digest)
  local id = redis.call('HGET', TICKETS, digest)
  local job = id and find(id)
  if not id or (job and is_capped(job)) or is_set_aside(id) then
    return
  end
  if not job or job.k ~= digest or ticket_holder(digest) ~= job then
    violation(digest, 'is a ticket of ' .. id .. ', which ' .. (job and 'is ' .. job.s or 'is gone'), function()
      set_ticket(digest, false)
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
  return WAITING[job.s] and PREFIX .. set == place_of(job)
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
