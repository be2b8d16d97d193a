-- ReservationCodec: they serve due entries of the whole namespace, and then walk the requested queues. Every loop is bounded.

local DUE_AT_ONCE = 20
-- Number of entries that are read to find the next due time, because the first ones may be irrelevant to workers.
local HEADS_OF_DUE = 4
local CHECKS = 10
local PURGE = 96
local SLOTS = 1000

local cut = false
local wanted = 1
local latest_fence = now_us - 1
local idle, reopened = {}, {}
local handed = {}
-- First due entries, each a member and a time, and the expiry of the first run lease, as they were before this script; nil
-- before they are read.
local first_due, first_expiry

-- Lists a misplaced job where it belongs, unless this script has just put it there.
local function put_right(job)
  if job and not dirty[job.id] then
    index(job)
  end
end

local function read_due()
  local raw, entries = redis.call('ZRANGE', DUE, 0, HEADS_OF_DUE - 1, 'WITHSCORES'), {}
  for i = 1, #raw, 2 do
    entries[#entries + 1] = {raw[i], tonumber(raw[i + 1])}
  end
  return entries
end

local function read_expiry()
  return tonumber(redis.call('ZRANGE', RUNNING, 0, 0, 'WITHSCORES')[2] or math.huge)
end

local purge

do
  -- The beginning of the record of a job that has ended, up to its failed attempts.
  local ENDED_RECORD = '>BBc0I6I4BBBI4'
  local LIVE = {scheduled = true, ready = true, parked = true, retry = true, running = true}

  -- The record of a job that has not ended stays, even if it is listed here.
  local function forget_all(ids)
    local raws = redis.call('HMGET', JOBS, unpack(ids))
    for i, id in ipairs(ids) do
      zrem(ENDED, id)
      local readable, version, state, _, _, parts, _, _, failed = pcall(struct.unpack, ENDED_RECORD, raws[i] or '')
      if not (readable and LIVE[state]) then
        forget(id)
      end
      if readable and version == VERSION and parts % 2 == 1 and failed == 0 then
        attempts[id] = nil
      end
    end
  end

  -- Each dead letter is counted by its queue.
  local function forget_letters(ids)
    load(ids)
    load_queues_of(ids)
    for _, id in ipairs(ids) do
      if jobs[id] and is_letter(jobs[id]) then
        remove_letter(jobs[id])
        forget(id)
      elseif unreadable[id] then
        set_aside(id, queue_that_lists(id))
        forget(id)
        take_back(id)
      end
      zrem(DEAD, id)
    end
  end

  local function purge_from(key, max_age, max_size, floor, forgetting)
    local ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - math.max(max_age, floor)), 'LIMIT', 0, PURGE)
    local over = redis.call('ZCARD', key) - max_size
    if #ids == 0 and over > 0 then
      ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - floor), 'LIMIT', 0, math.min(PURGE, over))
    end
    if #ids > 0 then
      forgetting(ids)
    end
    cut = cut or #ids == PURGE
  end

  -- Purges ended jobs that are too old or too many, but none that a repeated call may still request.
  purge = function(limits)
    purge_from(ENDED, limits.ha, limits.hs, limits.fl, forget_all)
    purge_from(DEAD, limits.da, limits.ds, limits.fl, forget_letters)
  end
end

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
      tell('reclaimed', job, text(job.b), ran(job))
    end
  end

  local function forget_poller(poller)
    load_state({}, poller)
    local last = reservation_of(fields[poller])
    if last and last.at > now - 3600000 then
      zadd(DUE, last.at + 3600000, poller)
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
      zadd(DUE, now + 3600000, member)
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

  local function serve_one(member)
    local kind = string.sub(member, 1, 2)
    if kind == 'k:' then
      promote(string.sub(member, 3))
    elseif kind == 'p:' then
      zrem(DUE, member)
      local digest, after = string.match(member, '^p:(%S+) (%S+)$')
      if digest then
        promote(digest, after)
      end
    elseif kind == 'v:' then
      serve_unreadable()
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

  -- Returns the due members, of which the first ones are already read.
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
    return redis.call('ZRANGEBYSCORE', DUE, '-inf', text(now), 'LIMIT', 0, DUE_AT_ONCE)
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

  serve = function(limits)
    first_expiry, first_due = read_expiry(), read_due()
    local expired = (first_expiry <= now)
        and redis.call('ZRANGEBYSCORE', RUNNING, '-inf', text(now), 'LIMIT', 0, DUE_AT_ONCE) or {}
    local due = due_of(first_due)
    cut = cut or #expired == DUE_AT_ONCE or #due == DUE_AT_ONCE
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
    end
    for _, member in ipairs(due) do
      serve_one(member)
    end
    follow()
  end
end

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
      followed[job.k] = nil
      set_lock(job.k, token_of(job), job.x)
      -- Other jobs may be parked on the key of a job that was parked.
      marked[job.k] = was_parked or nil
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

  local function park(job, owner)
    zrem(place_of(job), job.id)
    if job.g ~= 1 then
      list_parked(job)
    end
    job.g = nil
    put(job, 'parked')
    tell('parked', job)
    await_owner(job.k, owner)
  end

  -- Applies the conflict strategy of a job whose key is held. A job with an unknown strategy of a later version of Locket
  -- parks.
  local function refuse(job, request, owner)
    local strategy = not is_own(owner, job) and job.c
    if strategy == 'reject' then
      finish(job, 'discarded')
    elseif strategy == 'raise' then
      take(job, request, false, owner)
    elseif strategy == 'reschedule' then
      leave(job)
      job.d = math.min(now + math.floor(job.z * (1 + chance() / 10)), LARGEST)
      job.wr = 'rescheduled'
      put(job, 'retry')
      tell('rescheduled', job, text(job.d - now))
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

  -- The first jobs of a queue that a request may take, by place: those that are ready, and those that were set aside and
  -- are not of a name that it leaves out. Also returns the names of the latter by their ids.
  local function candidates(name, limit, request)
    local found, sets = first_of(PREFIX .. 'ready:' .. name, limit), {}
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
    end
    return ids, sets
  end

  -- Sets a ready job aside for workers with a handler for it, and notifies them.
  local function leave_to_others(job)
    if unknown.is_given_up(job) then
      job.er = 'No worker has known this job for a day'
      finish(job, 'dead')
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
    local listed = unknown.defer(job)
    job.er = 'The last worker that came by does not know this job: it waits for one that does'
    job.wr = 'deferred'
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
  local function pass_over(id, set, name, request)
    local job = jobs[id]
    if unreadable[id] then
      set_aside(id, name)
    elseif set and not (job and job.as and job.q == name and job.j == set) then
      zrem(unknown.key(name, set), id)
      unknown.count(name, set, -1)
    elseif not set and (not job or job.s ~= 'ready' or job.q ~= name) then
      zrem(PREFIX .. 'ready:' .. name, id)
      put_right(job)
    elseif is_removed(job) then
      finish(job, 'removed')
    elseif request.leaves_out[job.j] then
      leave_to_others(job)
    else
      return false
    end
    return true
  end

  -- Hands a job out if its key is free. Returns whether it was, and whether it is the last one: a job that was reclaimed is
  -- handed out alone.
  local function offer(job, set, request)
    local reclaimed = (job.b or 0) > 0
    if reclaimed and #handed > 0 then
      return false, true
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
    local ids, sets = candidates(name, want + CHECKS, request)
    for at, id in ipairs(ids) do
      if at == 1 or jobs[id] == nil then
        load_chunk(ids, at, (at == 1) and want or #ids)
      end
      if pass_over(id, sets[id], name, request) then
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
        cut = true
        return false
      end
    end
    if emptied then
      add_idle(name)
    end
    return #handed == request.n
  end
end

-- Returns those jobs of a repeated request that it still holds.
local function replay(request)
  local last = reservation_of(fields[request.poller])
  if not last or last.r ~= request.id then
    return false
  end
  local ids = {}
  for id in string.gmatch(last.ids, '%S+') do
    ids[#ids + 1] = id
  end
  load(ids)
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job and job.s == 'running' and job.t == request.id then
      local owner = (KEY_LEASE[job.l] and job.kl ~= 1) and (owner_of(job.k) or '') or false
      handed[#handed + 1] = {job, owner}
    end
  end
  return true
end

-- A reservation that hands out nothing is written every half minute, so that the worker stays listed. One that was cut short
-- is not, because its repetition has to continue.
local function remember(request)
  local last = reservation_of(fields[request.poller])
  if #handed == 0 and (cut or (last and last.at > now - 30000)) then
    return
  end
  local ids = {}
  for i, one in ipairs(handed) do
    ids[i] = one[1].id
  end
  if not fields[request.poller] then
    zadd(DUE, now + 3600000, request.poller)
  end
  new_fields[request.poller] = reservation_record(now, request.id, request.i, table.concat(ids, ' '))
end

-- Reads the limits from ARGV: mr reclaims that make a failed attempt, followed by a blank and the number of failed attempts
-- that are kept of a job, ha, hs, da, ds largest age (ms) and number of what has ended and of dead letters, fl age (ms) up to
-- which nothing is purged.
local function read_limits(from)
  local limits = {mr = tonumber(string.match(ARGV[from], '^%d+'))}
  for i, name in ipairs({'ha', 'hs', 'da', 'ds', 'fl'}) do
    limits[name] = tonumber(ARGV[from + i])
  end
  return limits
end

-- Reads a request from ARGV: id or '' for none, poller ('w:...'), instance, thread, slots, of which 1000 count, number of queues,
-- name and limit of each, number of names of jobs for which the worker has no handler, and these names. Returns it, and
-- where the next argument is.
local function read_request(from)
  if ARGV[from] == '' then
    return nil, from + 1
  end
  local request = {id = ARGV[from], poller = ARGV[from + 1], i = ARGV[from + 2], w = ARGV[from + 3],
      n = math.min(tonumber(ARGV[from + 4]), SLOTS), q = {}, leaves_out = {}}
  local at = from + 6
  for i = 1, tonumber(ARGV[from + 5]) do
    request.q[i] = {ARGV[at], tonumber(ARGV[at + 1])}
    at = at + 2
  end
  for i = at + 1, at + tonumber(ARGV[at]) do
    request.leaves_out[ARGV[i]] = true
  end
  return request, at + 1 + tonumber(ARGV[at])
end

local function reserve(request, limits)
  wanted = math.max(request.n, 1)
  if replay(request) then
    return
  end
  serve(limits)
  if #request.q > 0 and request.n > 0 then
    for _, one in ipairs(request.q) do
      if walk(one[1], one[2], request) then
        break
      end
    end
  end
  follow()
  if #handed == 0 then
    purge(limits)
  end
  remember(request)
end

local function names_of(request)
  local names = {}
  for i, one in ipairs(request.q) do
    names[i] = one[1]
  end
  return names
end

-- Returns the time of the next poll, for the next due entry or expired run lease. Pollers, queues and marks to be deleted
-- count only if there are so many of them that the entries after them have not been read.
local function next_look_at()
  local entries, expiry = first_due, first_expiry
  if not entries or added[DUE] or removed[DUE] then
    entries = read_due()
  end
  -- A worker that received all requested jobs polls again soon, so other ended runs need not be reported.
  if not expiry or expiry <= now or (#handed < wanted and (added[RUNNING] or removed[RUNNING])) then
    expiry = read_expiry()
  end
  for i, entry in ipairs(entries) do
    if i == HEADS_OF_DUE or not string.find(entry[1], '^[wqi]:') then
      return math.min(entry[2], expiry)
    end
  end
  return expiry
end

-- Returns the reply to a reservation, after all writes.
local function reserved()
  local out, conflicts = {}, {}
  for i, one in ipairs(handed) do
    local job, owner = one[1], one[2]
    out[2 * i - 1], out[2 * i] = job.id, record(job)
    if owner then
      local left, holder = '', ''
      if owner ~= '' then
        local ms = lock_ttl(job.k)
        left = (ms >= 0) and text(ms) or ''
        holder = holder_of(owner)
      end
      for _, part in ipairs({i - 1, owner, holder, left}) do
        conflicts[#conflicts + 1] = part
      end
    end
  end
  local at = next_look_at()
  local next = (at < math.huge) and text(math.max(at - now, 0)) or ''
  return {out, conflicts, cut and 1 or 0, idle, next}
end
