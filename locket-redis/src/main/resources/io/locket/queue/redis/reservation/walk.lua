-- The walk over a requested queue, which hands out its first jobs whose keys are free.

-- @include ../contention.lua

local walk

do
  -- Hands a job out: it starts now.
  local function take(job, request, leased, owner)
    local was_parked = job.g == 1
    leave(job)
    job.t, job.i, job.w, job.st, job.pg = request.id, request.i, request.w, now, nil
    if leased then
      fence, fence_moved = math.max(fence + 1, latest_fence + 1), true
      latest_fence = fence
      job.kl = 1
      set_lock(job.k, token_of(job), job.x)
      -- Other jobs may be parked on the key of a job that was parked, or that this walk has set aside.
      marked[job.k] = was_parked or followed[job.k] or nil
      followed[job.k] = nil
    end
    -- Without a key lease there is no fence, because a token outside of the counter would run back with the clock.
    job.f = leased and fence or 0
    if TICKET[job.l] == 'wait' then
      free_ticket(job)
    end
    set_state(job, 'running')
    zadd(RUNNING, now + job.x, indexed(job))
    handed[#handed + 1] = {job, owner or false}
  end

  -- Ends a job instead of handing it out.
  local function drop(job, state)
    finish(job, state)
    purging = true
  end

  local function park(job, owner)
    zrem(place_of(job), job.id)
    if job.g ~= 1 then
      list_parked(job)
    end
    -- A worker with a handler has found the job, which waits for its key from now on.
    job.g, job.y = nil, nil
    put(job, 'parked')
    add_event('parked', job)
    await_owner(job.k, owner)
  end

  local function is_own(owner, job)
    local prefix = RUN .. job.id .. ':'
    return string.sub(owner, 1, #prefix) == prefix
  end

  -- Applies the conflict strategy of a job whose key is held. A job with an unknown strategy of a later version of Locket
  -- parks.
  local function refuse(job, request, owner)
    local strategy = not is_own(owner, job) and job.c
    if strategy == 'reject' then
      drop(job, 'discarded')
    elseif strategy == 'raise' then
      take(job, request, false, owner)
    elseif strategy == 'reschedule' then
      leave(job)
      job.d = math.min(now + math.floor(job.z * (1 + chance() / 10)), LATEST)
      job.wr, job.y = 'rescheduled', nil
      put(job, 'retry')
      add_event('rescheduled', job, text(job.d - now))
    else
      park(job, owner)
    end
  end

  local function load_chunk(ids, from, to)
    local chunk, digests = {}, {}
    for i = from, math.min(to, #ids) do
      chunk[#chunk + 1] = ids[i]
    end
    load(chunk)
    for _, id in ipairs(chunk) do
      local job = jobs[id]
      if job and KEY_LEASE[job.l] then
        digests[#digests + 1] = job.k
      end
    end
    load_locks(digests)
  end

  -- Adds the first jobs of a segment to those that are found. Returns how many these are.
  local function add_first(found, key, limit)
    local entries = first_of(key, limit)
    if #entries == 0 then
      -- The number of an empty segment, which only damaged data has, is removed by the writes.
      removed[key] = removed[key] or {}
    end
    for _, entry in ipairs(entries) do
      entry[3] = key
      found[#found + 1] = entry
    end
    return #entries
  end

  -- Returns the ready jobs of a queue with the first places, in no order, and some more: ids, places, and their segments.
  local function first_ready(name, limit)
    local found, set, left, read = {}, ready_set(name), limit, 0
    for key in pairs(added) do
      if string.sub(key, 1, #set + 1) == set .. ' ' then
        add_first(found, key, limit)
      end
    end
    repeat
      local numbers = redis.call('ZRANGE', set, text(read), text(read + limit))
      read = read + #numbers
      for _, number in ipairs(numbers) do
        local key = ready_set(name, number)
        if left > 0 and not added[key] then
          left = left - add_first(found, key, left)
        end
      end
    until #numbers <= limit or left <= 0
    return found
  end

  -- The first jobs of a queue that a request may take, by place: those that are ready, and those that were set aside and
  -- are not of a name that it leaves out. Also returns the names of the latter by their ids, and the segment of each of the
  -- others.
  local function candidates(name, limit, request)
    local found, sets, keys = first_ready(name, limit), {}, {}
    for job in pairs(unknown.numbers(name)) do
      if not request.leaves_out[job] then
        local set = unknown.key(name, job)
        for _, entry in ipairs(first_of(set, limit)) do
          found[#found + 1] = entry
          sets[entry[1]] = job
        end
      end
    end
    table.sort(found, function(one, other)
      return one[2] < other[2] or (one[2] == other[2] and one[1] < other[1])
    end)
    local ids = {}
    for i = 1, math.min(limit, #found) do
      ids[i] = found[i][1]
      keys[i] = found[i][3]
    end
    return ids, sets, keys
  end

  -- Sets a ready job aside for workers with a handler for it, and notifies them.
  local function leave_to_others(job)
    if unknown.is_given_up(job) then
      job.er = 'No worker has known this job for a day'
      drop(job, 'dead')
      return
    end
    if fresh[job.id] then
      notified[job.q] = true
    end
    if job.g == 1 then
      -- The job that is parked behind it follows after the walk.
      cut, reopened[job.q] = true, true
    end
    leave(job)
    local due, listed = unknown.defer(job)
    job.er = 'The last worker that came by does not know this job: it waits for one that does'
    job.d, job.wr = due, 'deferred'
    put(job, 'retry')
    if listed then
      unknown.list(job)
    end
  end

  -- Makes a job ready again, in its place, that was set aside.
  local function bring_back(job)
    leave(job)
    job.d = job.y
    set_state(job, 'ready')
    zadd(place_of(job), job.n, job.id)
  end

  local function add_idle(name)
    if not reopened[name] then
      idle[#idle + 1] = name
    end
  end

  -- Takes an entry away that is no job to hand out here. Returns whether it was one.
  local function pass_over(id, set, key, name, request)
    local job = jobs[id]
    if unreadable[id] then
      set_aside(id, name, key)
    elseif set and not (job and job.as and job.q == name and job.j == set) then
      zrem(unknown.key(name, set), id)
      unknown.count(name, set, -1)
    elseif not set and (not job or job.s ~= 'ready' or place_of(job) ~= key) then
      zrem(key, id)
      put_right(job)
    elseif is_removed(job) then
      drop(job, 'removed')
    elseif request.leaves_out[job.j] then
      leave_to_others(job)
    else
      return false
    end
    return true
  end

  -- Hands a job out if its key is free, and this call has not freed it for an older job. Returns whether it was handed out, and
  -- whether it is the last one: a job that was reclaimed is handed out alone.
  local function offer(job, set, request)
    local reclaimed = (job.b or 0) > 0
    if reclaimed and #handed > 0 then
      return false, true
    elseif KEY_LEASE[job.l] and not owner_of(job.k) and (request.older[job.k] or job.e) < job.e then
      -- The job may have been ready before, so its queue has no other notification.
      reopened[job.q], notified[job.q] = true, true
      return false, false
    end
    if set then
      bring_back(job)
    end
    local owner = KEY_LEASE[job.l] and owner_of(job.k)
    if owner then
      refuse(job, request, owner)
    else
      take(job, request, KEY_LEASE[job.l])
    end
    return not owner, reclaimed and job.s == 'running'
  end

  local function is_full(name, limit)
    return limit > 0 and (queue(name).running or 0) >= limit
  end

  -- Hands out jobs of a queue. Returns whether the walk is over. A job that was reclaimed is handed out alone.
  walk = function(name, limit, request)
    if queue(name).paused or is_full(name, limit) then
      add_idle(name)
      return false
    end
    local want, checks, emptied = request.n - #handed, 0, true
    local ids, sets, keys = candidates(name, want + CHECKS, request)
    for at, id in ipairs(ids) do
      if at == 1 or jobs[id] == nil then
        load_chunk(ids, at, (at == 1) and want or #ids)
      end
      if pass_over(id, sets[id], keys[at], name, request) then
        checks = checks + 1
      else
        local handed_out, last = offer(jobs[id], sets[id], request)
        checks = checks + (handed_out and 0 or 1)
        if #handed == request.n then
          emptied = at == #ids and #ids < want + CHECKS
          break
        elseif last then
          cut = true
          return true
        elseif is_full(name, limit) then
          break
        end
      end
      if checks >= CHECKS then
        -- After a job that has left its key to an older one, the queue is neither idle, nor requested again at once.
        cut = cut or not reopened[name]
        return false
      end
    end
    if emptied then
      add_idle(name)
    end
    return #handed == request.n
  end
end
