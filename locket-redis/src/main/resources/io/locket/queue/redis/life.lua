-- State transitions of a job, and their effects on its ticket and its key.

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

-- Returns the time at which a job came into its current queue.
local function came_at(job)
  return job.m or job.e
end

-- A job that came into its queue before the removal of the queue never waits again.
local function is_removed(job)
  local at = queue(job.q).removed_at
  return at ~= nil and came_at(job) <= at
end

-- Returns the number of jobs that a queue has received. A removed queue has this number as 'rm', and is deleted an hour
-- later if it is empty and has received no others since.
local function arrivals(counters)
  return (counters.accepted or 0) + (counters.moved_in or 0)
end

-- Returns the time for jobs that come into a queue now. It is later than the queue's last removal.
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

-- Reads jobs with all that a move or an end needs: their tickets, and the counters of their queues and of the given others.
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
  load_claims_of(ids)
  load_state(names)
end

-- Tickets ------------------------------------------------------------------------------------------------------------

local function is_capped(job)
  return job.u ~= nil and now >= job.u
end

-- Returns the job that holds the ticket of a key. A ticket counts only while the record of the job confirms it.
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

-- Returns the time of the next check of a leased key. A foreign lock may be released without a notification.
local function next_look(digest, owner)
  local left = lock_ttl(digest)
  if left < 0 then
    left = FOREIGN_LOOK
  end
  if left > FOREIGN_LOOK and string.sub(owner, 1, #RUN) ~= RUN and not string.find(owner, '^%S+ %d+ %d+ ') then
    left = FOREIGN_LOOK
  end
  return now + left
end

-- Lists a leased key for its next check. The lock of a direct call or a run gets the mark of a waiter, because release.lua and
-- turn.lua look for parked jobs only if it has one.
local function await_owner(digest, owner)
  zadd(DUE, next_look(digest, owner), 'k:' .. digest)
  if string.find(owner, '^%S+ %d+ %d+ .*}$') or string.find(owner, '^run:[^: ]+:[^: ]+$') then
    marked[digest] = true
  end
end

-- Whether a job has ended as a dead letter that still is one.
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
    zadd(DUE, job.d, indexed(job))
  end
end

-- Places -------------------------------------------------------------------------------------------------------------

-- Removes a job from the place where it waits or runs. Its key does not change, but the next parked job may follow.
local function leave(job)
  if job.s == 'running' then
    zrem(RUNNING, indexed(job))
    return
  end
  zrem(place_of(job), job.id)
  if job.s == 'scheduled' or job.s == 'retry' then
    zrem(DUE, indexed(job))
    if job.as then
      unknown.unlist(job)
    end
  elseif job.s == 'parked' or job.g == 1 then
    unlist_parked(job)
    job.g = nil
    followed[job.k] = true
  end
end

-- Changes the due time of a job that is scheduled or waits for a retry.
local function set_due(job, due)
  leave(job)
  job.d = due
  notified[job.q] = true
  put(job, job.s)
end

-- Makes the first parked job of a queue ready. Returns whether the queue has another one in its place.
local function promote_head(digest, member, id)
  local job = find(id)
  if unreadable[id] then
    unlist(digest, member)
    set_aside(id, string.match(member, '^%S+'))
    return true
  elseif not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) then
    unlist(digest, member)
    return true
  elseif job.s == 'parked' and is_removed(job) then
    finish(job, 'removed')
    followed[digest] = nil
    return true
  elseif job.s == 'parked' then
    zrem(place_of(job), id)
    job.g = 1
    put(job, 'ready')
    tell('promoted', job)
  end
  return false
end

-- Promotes the first parked job of each queue if the key is free. While a promoted job is still ready, no other one follows
-- it. The key stays in the index of due checks as long as jobs are listed. If there are many queues, the next check
-- continues after the last one.
local function promote(digest, after)
  local owner = owner_of(digest)
  if owner then
    await_owner(digest, owner)
    return
  end
  local heads, last, strays = parked_heads(digest, HEADS, after)
  for _, stray in ipairs(strays) do
    unlist(digest, stray)
  end
  if #heads == 0 and #strays == 0 then
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
  local again = #strays > 0
  for i, id in ipairs(ids) do
    again = promote_head(digest, heads[i], id) or again
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

-- Releases the key lease of a run if it has one. The rest of a minimum hold stays on the key, unless the worker of the run
-- is dead, because a lease would have expired then, too.
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

-- Returns the holder record of the owner of a key. For a lease it is part of the lock.
local function holder_of(owner)
  local id, nonce = string.match(owner, '^run:([^:]+):([^:]+)')
  local job = id and find(id)
  if job and job.t == nonce then
    return owner .. ' ' .. text(job.f) .. ' ' .. text(job.st) .. ' '
        .. cjson.encode({job = job.j, key = key_text(job), instance = job.i, thread = job.w})
  end
  return owner
end

-- Ends ---------------------------------------------------------------------------------------------------------------

-- Promotes the successors of jobs that have left without taking their key.
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

-- Keeps a job that is no longer a dead letter among the other ended jobs from now on.
local function dismiss(letter)
  remove_letter(letter)
  letter.ra = now
  zadd(ENDED, now, letter.id)
  save(letter)
end

-- Returns the duration in ms of a current run, or of one that ends in this script.
local function ran(job)
  return text(math.max(now - (job.st or now), 0))
end

-- A job that ended before its body ran has not used its period.
local function give_claim_back(job)
  if not job.rn and own_claim(job) then
    set_claim(job.k, false)
  end
end

finish = function(job, state)
  local run = (job.s == 'running') and job.t or nil
  local lasted = run and ran(job) or ''
  leave(job)
  free_ticket(job)
  if state == 'cancelled' or state == 'removed' then
    give_claim_back(job)
  end
  if state == 'removed' and not run then
    -- The next step of the queue's removal counts it.
    count(job.q, 'swept', 1)
  end
  release(job)
  job.ea, job.ra = now, nil
  set_state(job, state)
  if state == 'dead' then
    add_letter(job)
  else
    zadd(ENDED, now, job.id)
  end
  tell(state, job, lasted, job.er, nil, run)
end

-- Returns the id of the job that holds the ticket of a key if only a later version can read its record.
local function later_holder(digest)
  local id = ticket(digest)
  return id and not find(id) and unreadable[id] and unreadable[id] ~= DAMAGED and id or nil
end

-- Returns the job that blocks a ticket. A job whose queue was removed does not block it.
local function rival(digest)
  local holder = ticket_holder(digest)
  if holder and WAITING[holder.s] and is_removed(holder) then
    finish(holder, 'removed')
    return nil
  end
  return holder
end

-- Bounds the due time of a waiting job by that of the job that it supersedes, now and after replacements.
local function inherit(holder, due)
  if holder.s ~= 'scheduled' and holder.s ~= 'retry' then
    return
  end
  local earlier = due < holder.d
  if earlier and due <= now then
    leave(holder)
    holder.d = due
    holder.n = next_place(holder.q)
    put(holder, 'ready')
    return
  end
  holder.ib = (holder.s == 'scheduled') and math.min(due, holder.ib or due) or nil
  save(holder)
  if earlier then
    set_due(holder, due)
  end
end

-- Lets a job wait again after its run, unless it was cancelled, removed or superseded meanwhile. The superseding job
-- inherits the given due time, or else that of the job.
local function come_back(job, state, due)
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
      inherit(holder, due or (state == 'ready') and now or job.d)
      finish(job, 'superseded')
      return false
    end
    local later = not holder and later_holder(job.k)
    if later then
      job.sb = later
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
