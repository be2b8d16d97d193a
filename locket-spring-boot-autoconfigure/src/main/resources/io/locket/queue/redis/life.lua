-- The life of a job: how it leaves a place, waits, ends, and what that does to its ticket and its key.

local FOREIGN_LOOK = 1000
local PROMOTED_LOOK = 10000
local HEADS = 16

local WAITING = {scheduled = true, ready = true, parked = true, retry = true}
-- The strategies that hold a ticket while the job waits, and, where the value is 'run', while it runs.
local TICKET = {UE = 'wait', UX = 'run', UW = 'wait'}
local KEY_LEASE = {WE = true, UX = true, UW = true}
local RUN = 'run:'

local followed = {}

local function set_state(job, state)
  if job.s then
    count(job.q, job.s, -1)
  end
  job.s = state
  count(job.q, state, 1)
  save(job)
end

-- When a job came into the queue in which it is.
local function came_at(job)
  return job.m or job.e
end

-- What came into its queue before that was removed never waits again.
local function is_removed(job)
  local at = queue(job.q).removed_at
  return at ~= nil and came_at(job) <= at
end

-- The time for what comes into a queue now: later than the queue's last removal.
local function arrival(name)
  local at = queue(name).removed_at
  return (at and at >= now) and at + 1 or now
end

local function token_of(job)
  return RUN .. job.id .. ':' .. job.t
end

local function is_own(owner, job)
  local prefix = RUN .. job.id .. ':'
  return string.sub(owner, 1, #prefix) == prefix
end

-- Reads jobs, and what those who may move or end them ask for: their tickets, and the counters of their queues and of
-- some others.
local function load_all(ids, names)
  load(ids)
  local digests = {}
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job then
      names[#names + 1] = job.q
      if TICKET[job.l] then
        digests[#digests + 1] = job.k
      end
    end
  end
  load_tickets(digests)
  load_state(names)
end

-- Tickets ------------------------------------------------------------------------------------------------------------

local function is_capped(job)
  return job.u ~= nil and now >= job.u
end

-- The job that holds the ticket of a key. A ticket counts only while the record bears it out.
local function ticket_holder(digest)
  local id = ticket(digest)
  local job = id and find(id)
  if not job or job.k ~= digest or is_capped(job) then
    return nil
  end
  local covers = TICKET[job.l]
  if covers and (WAITING[job.s] or (covers == 'run' and job.s == 'running')) then
    return job
  end
  return nil
end

local function free_ticket(job)
  if TICKET[job.l] and ticket(job.k) == job.id then
    set_ticket(job.k, false)
  end
end

-- Keys ---------------------------------------------------------------------------------------------------------------

-- When a key that is leased is to be looked at again. A lock that is not Locket's may be released without a word.
local function next_look(digest, owner)
  local left = lock_ttl(digest)
  if left < 0 then
    left = FOREIGN_LOOK
  end
  if left > FOREIGN_LOOK and string.sub(owner, 1, #RUN) ~= RUN and string.sub(owner, -5) ~= ':rest' then
    local holder = redis.call('HGET', PREFIX .. 'holders', digest)
    if not holder or string.sub(holder, 1, #owner + 1) ~= owner .. ' ' then
      left = FOREIGN_LOOK
    end
  end
  return now + left
end

-- What has ended, and is a dead letter.
local function is_letter(job)
  return job.s == 'dead' and not job.ra
end

local finish

local function put(job, state)
  set_state(job, state)
  if state == 'ready' then
    fresh[job.id] = job.q
  end
  zadd(place_of(job), (state == 'ready' or state == 'parked') and job.n or job.d, job.id)
  if state == 'scheduled' or state == 'retry' then
    zadd(DUE, job.d, job.id)
  end
end

-- Makes the first parked job of each queue ready, if the key is free. One that is ready already is not followed by
-- another one until it leaves. Keeps the key among those that are looked at as long as anybody is listed. Where there
-- are many queues, those that follow the last one are next.
local function promote(digest, after)
  local owner = owner_of(digest)
  if owner then
    zadd(DUE, next_look(digest, owner), 'k:' .. digest)
    return
  end
  local heads, last = parked_heads(digest, HEADS, after)
  if #heads == 0 then
    if not after then
      zrem(DUE, 'k:' .. digest)
    end
    return
  end
  if last then
    zadd(DUE, now, 'p:' .. digest .. ' ' .. last)
  end
  local ids = {}
  for i, member in ipairs(heads) do
    ids[i] = id_of(member)
  end
  load(ids)
  local again = false
  for i, id in ipairs(ids) do
    local job = find(id)
    if not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) then
      unlist(digest, heads[i])
      again = true
    elseif job.s == 'parked' and is_removed(job) then
      finish(job, 'removed')
      followed[digest] = nil
      again = true
    elseif job.s == 'parked' then
      zrem(place_of(job), id)
      job.g = 1
      put(job, 'ready')
      tell('promoted', job)
    end
  end
  if again or not after then
    zadd(DUE, again and now or now + PROMOTED_LOOK, 'k:' .. digest)
  end
end

local function free_lock(digest)
  set_lock(digest, false)
  if redis.call('ZSCORE', DUE, 'k:' .. digest) then
    promote(digest)
  end
end

-- Gives back the key lease of a run, as far as it has one. What is left of a minimum hold stays on the key, unless the
-- run is dead: then nothing would have kept the lease either.
local function release(job)
  if job.kl ~= 1 then
    return
  end
  local token, owner = token_of(job), owner_of(job.k)
  if owner == token then
    -- The clock may have run back since the run began, in a fail-over.
    local rest = job.died and 0 or math.min(job.st + (job.h or 0) - now, job.h or 0)
    if rest > 0 then
      set_lock(job.k, token .. ':rest', rest)
      if redis.call('ZSCORE', DUE, 'k:' .. job.k) then
        zadd(DUE, now + rest, 'k:' .. job.k)
      end
    else
      free_lock(job.k)
    end
  elseif not owner and redis.call('ZSCORE', DUE, 'k:' .. job.k) then
    promote(job.k)
  end
  job.kl, job.died = nil, nil
end

-- What the owner of a key has written of itself, as holder records have it, or ''.
local function holder_of(digest, owner)
  local id, nonce = string.match(owner, '^run:([^:]+):([^:]+)')
  local job = id and find(id)
  if job and job.t == nonce then
    return owner .. ' ' .. job.f .. ' ' .. text(job.st) .. ' '
        .. cjson.encode({job = job.j, key = job.tx or job.body, instance = job.i, thread = job.w})
  end
  return redis.call('HGET', PREFIX .. 'holders', digest) or ''
end

-- Places -------------------------------------------------------------------------------------------------------------

-- Takes a job out of where it waits or runs. Its key is not touched, but who is parked behind it may follow.
local function leave(job)
  if job.s == 'running' then
    zrem(RUNNING, job.id)
    return
  end
  zrem(place_of(job), job.id)
  if job.s == 'scheduled' or job.s == 'retry' then
    zrem(DUE, job.id)
  elseif job.s == 'parked' or job.g == 1 then
    unlist_parked(job)
    job.g = nil
    followed[job.k] = true
  end
end

-- Promotes those who follow jobs that have left without taking their key.
local function follow()
  local digest = next(followed)
  while digest do
    followed[digest] = nil
    promote(digest)
    digest = next(followed)
  end
end

local function add_letter(job)
  zadd(DEAD, now, job.id)
  zadd(letters_of(job), now, job.id)
  count(job.q, 'letters', 1)
end

local function remove_letter(job)
  zrem(DEAD, job.id)
  zrem(letters_of(job), job.id)
  count(job.q, 'letters', -1)
end

-- A dead letter that is one no longer is kept, from now on, with what has ended.
local function dismiss(letter)
  remove_letter(letter)
  letter.ra = now
  zadd(ENDED, now, letter.id)
  save(letter)
end

-- For how long a job has run that runs, or that comes back from its run in this script, in ms.
local function ran(job)
  return text(math.max(now - (job.st or now), 0))
end

finish = function(job, state)
  local lasted = (job.s == 'running') and ran(job) or ''
  leave(job)
  free_ticket(job)
  release(job)
  job.ea = now
  set_state(job, state)
  if state == 'dead' then
    add_letter(job)
  else
    zadd(ENDED, now, job.id)
  end
  tell(state, job, lasted, job.er)
end

-- The job that keeps others from a ticket. One whose queue was removed gives way.
local function rival(digest)
  local holder = ticket_holder(digest)
  if holder and WAITING[holder.s] and is_removed(holder) then
    finish(holder, 'removed')
    return nil
  end
  return holder
end

-- A job that ran waits again, unless it was cancelled or removed meanwhile, or another one waits in its stead.
local function come_back(job, state)
  if job.cx == 1 then
    finish(job, 'cancelled')
    return false
  end
  if is_removed(job) then
    finish(job, 'removed')
    return false
  end
  if TICKET[job.l] == 'wait' and not is_capped(job) then
    local holder = rival(job.k)
    if holder and holder.id ~= job.id then
      job.sb = holder.id
      finish(job, 'superseded')
      return false
    end
    set_ticket(job.k, job.id)
  end
  leave(job)
  release(job)
  put(job, state)
  return true
end
