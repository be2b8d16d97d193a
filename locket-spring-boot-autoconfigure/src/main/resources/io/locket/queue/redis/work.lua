-- What reservations do: they serve what is due for the whole namespace, and then walk the queues that they were asked
-- for. Every loop is bounded.

local DUE_AT_ONCE = 20
-- How many entries are read to learn what is due next: what has nothing to be told of may come first.
local HEADS_OF_DUE = 4
local LOOKS = 10
local PURGE = 32
local SLOTS = 1000

local cut = false
local wanted = 1
local latest_fence = now_us - 1
local idle = {}
local handed = {}
-- The first entries of what is due, each a member and a time, and when the first run lease expires, as they were before
-- this script; nil if it has not looked.
local first_due, first_expiry

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

local function forget_all(ids)
  for _, id in ipairs(ids) do
    zrem(ENDED, id)
    forget(id)
  end
end

-- Each letter is counted by its queue.
local function forget_letters(ids)
  load(ids)
  load_queues_of(ids)
  for _, id in ipairs(ids) do
    if jobs[id] and is_letter(jobs[id]) then
      remove_letter(jobs[id])
    end
    zrem(DEAD, id)
    forget(id)
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

-- Forgets what has ended long ago, or is too much; never what a repeated call may still ask for.
local function purge(limits)
  purge_from(ENDED, limits.ha, limits.hs, limits.fl, forget_all)
  purge_from(DEAD, limits.da, limits.ds, limits.fl, forget_letters)
end

-- A run whose lease has expired: its worker is dead, and the job goes back to its place.
local function reclaim(job, limits)
  job.b, job.died = (job.b or 0) + 1, job.kl and 1
  if limits.mr > 0 and job.b % limits.mr == 0 then
    job.a = (job.a or 0) + 1
    job.er = 'The worker of this job died ' .. job.b .. ' times, the last time on ' .. (job.i or 'an unknown instance')
  end
  if (job.a or 0) > job.r and job.b % limits.mr == 0 and job.cx ~= 1 and not is_removed(job) then
    finish(job, 'dead')
  elseif come_back(job, 'ready') then
    tell('reclaimed', job, text(job.b), ran(job))
  end
end

local function forget_lane(lane)
  load_state({}, lane)
  local last = fields[lane] and cjson.decode(fields[lane])
  if last and last.at > now - 3600000 then
    zadd(DUE, last.at + 3600000, lane)
  else
    zrem(DUE, lane)
    fields[lane], new_fields[lane] = false, false
  end
end

local function serve_one(member, limits)
  local kind = string.sub(member, 1, 2)
  if kind == 'k:' then
    promote(string.sub(member, 3))
    return
  end
  if kind == 'p:' then
    zrem(DUE, member)
    promote(string.match(member, '^p:(%S+) (%S+)$'))
    return
  end
  if kind == 'w:' then
    forget_lane(member)
    return
  end
  local job = find(member)
  if not job or (job.s ~= 'scheduled' and job.s ~= 'retry') then
    zrem(DUE, member)
  elseif is_removed(job) then
    finish(job, 'removed')
  else
    leave(job)
    job.n = next_place(job.q)
    put(job, 'ready')
  end
end

-- The members of what is due whose time has come, of which the first are known.
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

local function serve(limits)
  first_expiry, first_due = read_expiry(), read_due()
  local expired = (first_expiry <= now)
      and redis.call('ZRANGEBYSCORE', RUNNING, '-inf', text(now), 'LIMIT', 0, DUE_AT_ONCE) or {}
  local due = due_of(first_due)
  cut = cut or #expired == DUE_AT_ONCE or #due == DUE_AT_ONCE
  local ids = {}
  for _, id in ipairs(expired) do
    ids[#ids + 1] = id
  end
  for _, member in ipairs(due) do
    if string.sub(member, 2, 2) ~= ':' then
      ids[#ids + 1] = member
    end
  end
  if #ids > 0 then
    load(ids)
  end
  for _, id in ipairs(expired) do
    local job = find(id)
    if job and job.s == 'running' then
      reclaim(job, limits)
    else
      zrem(RUNNING, id)
    end
  end
  for _, member in ipairs(due) do
    serve_one(member, limits)
  end
  follow()
end

-- Hands a job out: it starts now.
local function take(job, request, leased, owner)
  leave(job)
  job.t, job.i, job.w, job.st, job.pg = request.id, request.i, request.w, now, nil
  if leased then
    fence, fence_moved = math.max(fence + 1, latest_fence + 1), true
    latest_fence = fence
    job.kl = 1
    followed[job.k] = nil
    set_lock(job.k, token_of(job), job.x)
  else
    latest_fence = math.max((tonumber(job.f) or 0) + 1, latest_fence + 1)
  end
  job.f = text(latest_fence)
  if TICKET[job.l] == 'wait' then
    free_ticket(job)
  end
  set_state(job, 'running')
  zadd(RUNNING, now + job.x, job.id)
  local waited = now - math.max(job.e, job.d or 0)
  tell('started', job, job.i, text(math.max(waited, 0)), owner and '1')
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
  zadd(DUE, next_look(job.k, owner), 'k:' .. job.k)
end

-- A job whose key somebody else has. One with a strategy that a later version of Locket writes parks.
local function refuse(job, request, owner)
  local strategy = not is_own(owner, job) and job.c
  if strategy == 'reject' then
    finish(job, 'discarded')
  elseif strategy == 'raise' then
    take(job, request, false, owner)
  elseif strategy == 'reschedule' then
    leave(job)
    job.d = now + math.floor(job.z * (1 + chance() / 10))
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

-- Takes from a queue. Returns whether the walk is over.
local function walk(name, limit, request)
  local counters = queue(name)
  if counters.paused or (limit > 0 and (counters.running or 0) >= limit) then
    idle[#idle + 1] = name
    return false
  end
  local want = request.n - #handed
  local ids = first_ready(name, want + LOOKS)
  local looks, next = 0, 1
  while next <= #ids do
    if looks == 0 and next == 1 then
      load_chunk(ids, 1, want)
    elseif jobs[ids[next]] == nil then
      load_chunk(ids, next, #ids)
    end
    local job = jobs[ids[next]]
    if not job or job.s ~= 'ready' then
      zrem(PREFIX .. 'ready:' .. name, ids[next])
      looks = looks + 1
    elseif is_removed(job) then
      finish(job, 'removed')
      looks = looks + 1
    else
      if #handed > 0 and (job.b or 0) > 0 then
        cut = true
        return true
      end
      local owner = KEY_LEASE[job.l] and owner_of(job.k)
      if owner then
        refuse(job, request, owner)
        looks = looks + 1
      else
        take(job, request, KEY_LEASE[job.l])
      end
      if #handed == request.n then
        if next == #ids and #ids < want + LOOKS then
          idle[#idle + 1] = name
        end
        return true
      end
      if #handed > 0 and (job.b or 0) > 0 and job.s == 'running' then
        cut = true
        return true
      end
      if limit > 0 and (counters.running or 0) >= limit then
        idle[#idle + 1] = name
        return false
      end
    end
    next = next + 1
    if looks >= LOOKS then
      cut = true
      return false
    end
  end
  idle[#idle + 1] = name
  return false
end

-- A repeated request gets those of its jobs that are still its own.
local function replay(request)
  local last = fields[request.lane] and cjson.decode(fields[request.lane])
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
      handed[#handed + 1] = {job, (KEY_LEASE[job.l] and job.kl ~= 1) and (owner_of(job.k) or '') or false}
    end
  end
  return true
end

local function remember(request)
  local ids = {}
  for i, one in ipairs(handed) do
    ids[i] = one[1].id
  end
  if not fields[request.lane] then
    zadd(DUE, now + 3600000, request.lane)
  end
  new_fields[request.lane] = cjson.encode({r = request.id, ids = table.concat(ids, ' '), at = now, i = request.i})
end

-- request: {id, lane ('w:...'), i instance, w thread, n slots, of which 1000 count, q: {{name, limit}...}}
local function reserve(request, limits)
  request.n = math.min(request.n, SLOTS)
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

-- When somebody has to look again: at what is due, or at a run lease that has expired. A lane that is to be forgotten
-- is a reason only if there are so many of them that nobody has seen what follows.
local function next_look_at()
  local entries, expiry = first_due, first_expiry
  if not entries or added[DUE] or removed[DUE] then
    entries = read_due()
  end
  -- Who got all that was asked for comes back soon: that other runs have ended meanwhile need not be known.
  if not expiry or expiry <= now or (#handed < wanted and (added[RUNNING] or removed[RUNNING])) then
    expiry = read_expiry()
  end
  for i, entry in ipairs(entries) do
    if i == HEADS_OF_DUE or string.sub(entry[1], 1, 2) ~= 'w:' then
      return math.min(entry[2], expiry)
    end
  end
  return expiry
end

-- The reply to a reservation, after everything was written.
local function reserved()
  local out = {}
  for i, one in ipairs(handed) do
    local job, owner = one[1], one[2]
    local left, holder = '', ''
    if owner and owner ~= '' then
      local ms = lock_ttl(job.k)
      left = (ms >= 0) and text(ms) or ''
      holder = holder_of(job.k, owner)
    end
    out[i] = {job.id, record(job), token_of(job), job.f, job.kl or 0, owner or '', holder, left, owner and 1 or 0}
  end
  local at = next_look_at()
  local next = (at < math.huge) and text(math.max(at - now, 0)) or ''
  return {out, cut and 1 or 0, idle, next}
end
