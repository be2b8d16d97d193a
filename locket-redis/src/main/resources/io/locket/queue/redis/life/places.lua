-- Places of jobs: how a job leaves one, and comes to another, and which parked job follows.

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

-- Makes the job of an entry ready if it is parked. If it has left, returns the next entry of its queue, or nil if there is none.
-- Also returns whether the job is ready.
local function promote_head(digest, member, id)
  local name, job = string.match(member, '^%S+'), find(id)
  if unreadable[id] then
    -- It may have been promoted.
    local segment = ready_set(name, text(math.floor(tonumber(string.match(member, '^%S+ (%d+)') or 0) / SEGMENT)))
    unlist(digest, member)
    set_aside(id, name, redis.call('ZSCORE', segment, id) and segment)
  elseif not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) then
    unlist(digest, member)
  elseif job.s == 'parked' and is_removed(job) then
    finish(job, 'removed')
    followed[digest] = nil
  elseif job.s == 'parked' and not (parked_removed[digest] or {})[member] then
    zrem(place_of(job), id)
    job.g = 1
    put(job, 'ready')
    add_event('promoted', job)
    return nil, true
  elseif job.g == 1 then
    return nil, true
  end
  return redis.call('ZRANGEBYLEX', PREFIX .. 'parked-on:' .. digest, '(' .. member, '(' .. name .. '!', 'LIMIT', 0, 1)[1], false
end

-- Promotes the first parked job of each queue if the key is free. While a promoted job is still ready, no other one follows
-- it. Up to 32 entries of jobs that have left are passed. The key stays in the index of due checks as long as jobs are listed.
-- If there are many queues, the next check continues after the last one. Returns whether the next check is due at once.
local function promote(digest, after)
  local owner = owner_of(digest)
  if owner then
    local heads, _, strays = parked_heads(digest, 1)
    if #heads + #strays > 0 or next(parked_added[digest] or {}) then
      await_owner(digest, owner)
    else
      zrem(DUE, 'k:' .. digest)
    end
    return
  end
  local heads, last, strays = parked_heads(digest, MOST_QUEUES_OF_KEY, after)
  for _, stray in ipairs(strays) do
    unlist(digest, stray)
  end
  if #heads == 0 and #strays == 0 then
    if not after and not next(parked_added[digest] or {}) then
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
  local at, most, stays = 1, #ids + MOST_PASSED, false
  while heads[at] and at <= most do
    local following, ready = promote_head(digest, heads[at], id_of(heads[at]))
    heads[#heads + 1], at, stays = following, at + 1, stays or ready
  end
  local again = #strays > 0 or heads[at] ~= nil or not stays
  if again or not after then
    zadd(DUE, again and now or now + PROMOTED_CHECK, 'k:' .. digest)
  end
  return again
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
