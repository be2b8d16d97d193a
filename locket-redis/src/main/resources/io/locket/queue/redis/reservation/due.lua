-- Due entries of the whole namespace: jobs, keys with parked jobs, expired run leases, and data to be deleted.

-- @include ../due-entries.lua

local serve

do
  -- A run whose lease has expired: its worker is dead, and the job goes back to its place.
  local function reclaim(job, limits)
    job.b, job.died = (job.b or 0) + 1, job.kl and 1
    -- A body has run, so this worker had a handler for the job.
    job.y = nil
    job.rn = (job.l == 'UP') and 1 or nil
    if limits.mr > 0 and job.b % limits.mr == 0 then
      job.a = (job.a or 0) + 1
      job.er = 'The worker of this job died ' .. job.b .. ' times, the last time on ' .. (job.i or 'an unknown instance')
      keep_attempt(job, job.er, '')
    end
    if (job.a or 0) > job.r and job.b % limits.mr == 0 and job.cx ~= 1 and not is_removed(job) then
      finish(job, 'dead')
    elseif come_back(job, 'ready') then
      add_event('reclaimed', job, text(job.b), ran(job))
    end
  end

  local function forget_poller(poller)
    load_state({}, poller)
    local last = reservation_of(fields[poller])
    if last and last.at > now - POLLER_KEPT then
      zadd(DUE, last.at + POLLER_KEPT, poller)
    else
      zrem(DUE, poller)
      fields[poller], new_fields[poller] = false, false
    end
  end

  -- Deletes the mark of quiet workers whose process has ended.
  local function forget_quiet(field)
    zrem(DUE, field)
    new_fields[field] = false
  end

  -- Deletes a removed queue that is empty and has received no job since.
  local function forget_queue(name)
    local counters, member = queue(name), 'q:' .. name
    if new_queues[name] or counters.rm ~= arrivals(counters) then
      zrem(DUE, member)
    elseif holds(counters) then
      zadd(DUE, now + REMOVED_QUEUE_KEPT, member)
    else
      zrem(DUE, member)
      zrem(PREFIX .. 'queues', name)
      new_fields[member], new_fields['f:' .. name], touched[name] = false, false, nil
    end
  end

  -- Serves a job that is scheduled or waits for a retry.
  local function serve_job(member)
    local id, name = string.match(member, '^(%S+) (%S+)$')
    local job = id and find(id)
    if id and unreadable[id] then
      set_aside(id, name)
    elseif not job or member ~= indexed(job) or (job.s ~= 'scheduled' and job.s ~= 'retry') then
      zrem(DUE, member)
      put_right(job)
    elseif is_removed(job) then
      finish(job, 'removed')
    elseif job.as and unknown.is_given_up(job) then
      job.er = 'No worker has known this job for a day'
      finish(job, 'dead')
    else
      leave(job)
      job.n = next_place(job.q)
      put(job, 'ready')
    end
  end

  -- Whether this script has served the entry 'v:'.
  local restored = false

  local function serve_one(member)
    local kind = string.sub(member, 1, 2)
    if kind == 'k:' then
      cut = promote(string.sub(member, 3)) or cut
    elseif kind == 'p:' then
      zrem(DUE, member)
      local digest, after = string.match(member, '^p:(%S+) (%S+)$')
      if digest then
        cut = promote(digest, after) or cut
      end
    elseif kind == 'v:' then
      restore_readable()
      restored = true
    elseif kind == 'w:' then
      forget_poller(member)
    elseif kind == 'i:' then
      forget_quiet(member)
    elseif kind == 'q:' then
      forget_queue(string.sub(member, 3))
    elseif string.sub(member, 2, 2) == ':' then
      -- The record is of a later version.
      zadd(DUE, now + 60000, member)
    else
      serve_job(member)
    end
  end

  local function due_between(from, to)
    return redis.call('ZRANGE', DUE, text(from), text(to))
  end

  -- Returns the due members, of which the first ones are already read. If there are many, the keys with parked jobs among the
  -- latest ones are served, too, so that a backlog of due jobs does not delay the jobs that are parked on a freed key.
  local function due_of(entries)
    local members = {}
    for _, entry in ipairs(entries) do
      if entry[2] <= now then
        members[#members + 1] = entry[1]
      end
    end
    if #members < HEADS_OF_DUE then
      return members
    end
    local number = redis.call('ZCOUNT', DUE, '-inf', text(now))
    members = due_between(0, math.min(number, DUE_AT_ONCE) - 1)
    if number > DUE_AT_ONCE then
      for _, member in ipairs(due_between(math.max(number - DUE_AT_ONCE, DUE_AT_ONCE), number - 1)) do
        if string.find(member, '^[kp]:') then
          members[#members + 1] = member
        end
      end
    end
    return members
  end

  local function is_listed(job)
    if WAITING[job.s] then
      return redis.call('ZSCORE', place_of(job), job.id)
    elseif job.s == 'running' then
      return redis.call('ZSCORE', RUNNING, indexed(job))
    end
    return redis.call('ZSCORE', is_letter(job) and DEAD or ENDED, job.id)
  end

  -- Ends that a queue counts a run whose record is gone, or was overwritten: the job is counted where its record says. One
  -- that is listed there is counted already, and its entry among the runs is a stray.
  local function recount(job, name)
    if not name or (queue(name).running or 0) < 1 or (job and (dirty[job.id] or is_listed(job))) then
      return
    end
    count(name, 'running', -1)
    if not job or job.q ~= name then
      count(name, 'lost', 1)
    end
    if job and job.q ~= name then
      count(job.q, 'accepted', 1)
    end
    if job then
      count(job.q, job.s, 1)
    end
  end

  -- Ends an expired run. Its queue may have been full, so workers are notified of it. If the job is ready again, the writes
  -- notify them.
  local function serve_expired(member, limits)
    local id, name = string.match(member, '^(%S+) (%S+)$')
    local job = id and find(id)
    if job and job.s == 'running' and member == indexed(job) then
      reclaim(job, limits)
    elseif id and unreadable[id] then
      zrem(RUNNING, member)
      set_aside(id, name)
    else
      zrem(RUNNING, member)
      recount(job, name)
      put_right(job)
    end
    if name and not fresh[id] then
      notified[name] = true
    end
  end

  -- Restores records that this version can read. Workers of older versions postpone the entry 'v:' and may always come first,
  -- so it need not be due. The first version has nothing to restore.
  local function restore_undue()
    if VERSION > 1 and not restored and redis.call('ZCOUNT', UNREADABLE, '-inf', VERSION) > 0 then
      restore_readable()
    end
  end

  serve = function(limits)
    first_expiry, first_due = read_expiry(), read_due()
    local expired = (first_expiry <= now)
        and redis.call('ZRANGEBYSCORE', RUNNING, '-inf', text(now), 'LIMIT', 0, DUE_AT_ONCE) or {}
    local due = due_of(first_due)
    cut = cut or #expired == DUE_AT_ONCE or #due >= DUE_AT_ONCE
    local ids = {}
    for _, member in ipairs(expired) do
      ids[#ids + 1] = indexed_id(member)
    end
    for _, member in ipairs(due) do
      if string.sub(member, 2, 2) ~= ':' then
        ids[#ids + 1] = indexed_id(member)
      end
    end
    if #ids > 0 then
      load(ids)
    end
    for _, member in ipairs(expired) do
      serve_expired(member, limits)
    end
    for _, member in ipairs(due) do
      serve_one(member)
    end
    restore_undue()
    follow()
  end
end
