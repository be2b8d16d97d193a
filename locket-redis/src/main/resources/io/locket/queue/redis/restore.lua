-- Restores records that were set aside, and jobs that are not in the lists of their states.

local index

do
  local function list_once(key, score, member)
    if not redis.call('ZSCORE', key, member) or (removed[key] and removed[key][member]) then
      zadd(key, score, member)
      return true
    end
    return false
  end

  -- Adds a job to the lists of its state, if it is not there.
  index = function(job)
    if WAITING[job.s] then
      list_once(place_of(job), (job.s == 'ready' or job.s == 'parked') and job.n or job.d, job.id)
      if job.s == 'scheduled' or job.s == 'retry' then
        list_once(DUE, job.d, indexed(job))
        if job.as and list_once(unknown.key(job.q, job.j), job.n, job.id) then
          unknown.count(job.q, job.j, 1)
        end
      elseif job.s == 'ready' then
        notified[job.q] = true
      end
      if job.s == 'parked' or job.g == 1 then
        list_parked(job)
        list_once(DUE, now, 'k:' .. job.k)
      end
    elseif job.s == 'running' then
      list_once(RUNNING, now, indexed(job))
    elseif is_letter(job) then
      list_once(DEAD, job.ea, job.id)
      if list_once(letters_of(job), job.ea, job.id) then
        count(job.q, 'letters', 1)
      end
    else
      list_once(ENDED, job.ra or job.ea, job.id)
    end
  end
end

-- Restores a record that was set aside. Its job continues in the state of the record, or is counted as lost if the record
-- is gone.
local function take_back(id)
  local job = find(id)
  local name, state, counted = counted_aside(id)
  -- Fails before the first write if the set is damaged.
  redis.call('ZSCORE', UNREADABLE, id)
  zrem(UNREADABLE, id)
  if counted then
    new_fields['u:' .. id] = false
  end
  if name then
    count(name, 'unreadable', -1)
    count(name, job and state or 'lost', 1)
  end
  if job then
    index(job)
  end
end

-- Restores records of later versions that this version can read, a few at once.
local function restore_readable()
  local ids = redis.call('ZRANGEBYSCORE', UNREADABLE, '-inf', VERSION, 'LIMIT', 0, 20)
  load(ids)
  for _, id in ipairs(ids) do
    if unreadable[id] then
      zadd(UNREADABLE, unreadable[id], id)
    else
      take_back(id)
    end
  end
  if #ids > 0 then
    zadd(DUE, now, 'v:')
  elseif redis.call('ZCOUNT', UNREADABLE, VERSION, '(' .. text(DAMAGED)) > 0 then
    zadd(DUE, now + LATER_CHECK, 'v:')
  else
    zrem(DUE, 'v:')
  end
end
