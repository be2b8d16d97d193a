-- Sets records aside that cannot be read, so that they block no other job. A record stays where it is, and its job leaves
-- the lists that scripts serve. It is counted as unreadable instead of in its state if its queue is known.

-- The state in which a job is counted whose record is set aside, and its queue, if they are known.
local function counted_aside(id)
  local field = 'u:' .. id
  local counted = new_fields[field]
  if counted == nil then
    counted = redis.call('HGET', STATE, field)
  end
  local name, state = string.match(counted or '', '^(%S+) (%l+)$')
  return name, state, counted
end

-- Interval at which later versions check for their records, in ms.
local LATER_CHECK = 2000
-- Number of queues that are searched for a job whose record does not name one.
local SEARCHED = 1000
local set_aside

do
  -- Removes a job from the lists of a queue, and from its segment if it was found there. Returns the state in which it was there.
  local function unlist_unreadable(id, name, segment)
    local state
    for _, place in ipairs({'scheduled', 'parked', 'retry'}) do
      local key = PREFIX .. place .. ':' .. name
      if redis.call('ZSCORE', key, id) then
        zrem(key, id)
        state = state or place
      end
    end
    if segment then
      zrem(segment, id)
      state = state or 'ready'
    end
    if redis.call('ZSCORE', PREFIX .. 'dead:' .. name, id) then
      zrem(PREFIX .. 'dead:' .. name, id)
      count(name, 'letters', -1)
    end
    for job in pairs(unknown.numbers(name)) do
      if redis.call('ZSCORE', unknown.key(name, job), id) then
        zrem(unknown.key(name, job), id)
        unknown.count(name, job, -1)
      end
    end
    return state
  end

  -- Removes a job with an unreadable record from all lists. Its queue, and its segment if it is ready, are known from the list in
  -- which it was found. If that is not its segment, the job may stay listed there, and is removed from it when it is found there.
  set_aside = function(id, name, segment)
    local state
    if name then
      load_state({name})
      if not new_queues[name] then
        state = unlist_unreadable(id, name, segment)
      end
    end
    local member = name and id .. ' ' .. name
    if member and redis.call('ZSCORE', RUNNING, member) then
      zrem(RUNNING, member)
      state = state or (not new_queues[name] and 'running')
    end
    if member then
      zrem(DUE, member)
    end
    zrem(ENDED, id)
    zrem(DEAD, id)
    local version = unreadable[id]
    -- Fails before the first write if the set is damaged.
    redis.call('ZSCORE', UNREADABLE, id)
    zadd(UNREADABLE, version, id)
    if state and not counted_aside(id) then
      count(name, state, -1)
      count(name, 'unreadable', 1)
      new_fields['u:' .. id] = name .. ' ' .. state
    end
    if version ~= DAMAGED then
      zadd(DUE, now + LATER_CHECK, 'v:')
    end
    events[#events + 1] = {'unreadable', id, '', name or '', version == DAMAGED and '' or text(version), '', '1', ''}
  end
end
