-- Checks of the members of sorted sets, and of the marks of processes and pollers.

-- Maximum number of members of the sets that one call checks whole.
local PAGE = 100

-- Largest time for which a mark of resumed workers is kept, in ms.
local KNOWN_AS_RESUMED = 86400000

local function check_name(name)
  local score = redis.call('ZSCORE', PREFIX .. 'queues', name)
  if not score then
    return
  elseif not redis.call('HGET', STATE, 'q:' .. name) then
    violation(name, 'is among the names of queues, and none', function()
      zrem(PREFIX .. 'queues', name)
    end)
  elseif tonumber(score) ~= 0 then
    violation(name, 'is not in its place among the names of queues', function()
      zadd(PREFIX .. 'queues', 0, name)
    end)
  end
end

-- The number of a segment of ready jobs.
local function check_segment(name, number)
  if redis.call('ZSCORE', ready_set(name), number) and redis.call('ZCARD', ready_set(name, number)) == 0 then
    violation(number, 'is a segment of ' .. what .. ', and empty', function()
      zrem(ready_set(name), number)
    end)
  end
end

-- A member of the list of a key, which must be of a job that is parked on it.
local function check_parked(digest, member)
  local score = redis.call('ZSCORE', PREFIX .. what, member)
  local id = id_of(member)
  local job = id and find(id)
  if not score or (id and is_set_aside(id)) then
    return
  end
  if not job or job.k ~= digest or (job.s ~= 'parked' and job.g ~= 1) or parked_member(job) ~= member then
    violation(member, 'is listed for a key on which it is not parked', function()
      unlist(digest, member)
    end)
  elseif tonumber(score) ~= 0 then
    violation(member, 'is not in its place in the list of its key', function()
      list_parked(job)
    end)
  end
end

local function check_poller(field)
  local raw = redis.call('HGET', STATE, field)
  if raw and not reservation_of(raw) then
    violation(field, 'is a reservation that cannot be read', function()
      new_fields[field] = false
    end)
  elseif raw and not redis.call('ZSCORE', DUE, field) then
    violation(field, 'is a reservation that is never forgotten', function()
      zadd(DUE, now, field)
    end)
  end
end

-- A mark of quiet or resumed workers. Quiet workers write a deleted one again.
local function check_mark(field)
  local mark, at = redis.call('HGET', STATE, field), tonumber(redis.call('ZSCORE', DUE, field) or '')
  if mark and mark ~= 'resumed' and not string.find(mark, '^%d+$') then
    violation(field, 'is a mark of quiet workers that cannot be read', function()
      new_fields[field] = false
      zrem(DUE, field)
    end)
  elseif mark and (not at or at > now + KNOWN_AS_RESUMED + CLOCK_STEP) then
    violation(field, 'is a mark of quiet workers that is never forgotten', function()
      zadd(DUE, now + KNOWN_AS_RESUMED, field)
    end)
  end
end

-- A member of an index of the namespace, which names a job and its queue.
local function check_indexed(member)
  local key, id, name = PREFIX .. what, string.match(member, '^(%S+) (%S+)$')
  if not redis.call('ZSCORE', key, member) or (id and is_later(id)) then
    return
  end
  local job = id and find(id)
  if id and unreadable[id] then
    violation(id, 'is in ' .. what .. ', and its record cannot be read', function()
      set_aside(id, name)
    end)
  elseif not job or indexed(job) ~= member or not belongs(what, job) then
    violation(member, 'is in ' .. what .. ', where it does not belong', function()
      zrem(key, member)
    end)
  end
end

-- Collects the set to which a member refers: a segment of ready jobs, or the list of a key with parked jobs.
local function refer(name, member)
  if name then
    further[#further + 1] = what .. ' ' .. member
  elseif what == 'due' and string.sub(member, 1, 2) == 'k:' then
    further[#further + 1] = 'parked-on:' .. string.sub(member, 3)
  end
end

local function check_member(member)
  local digest, name = string.match(what, '^parked%-on:(.*)$'), string.match(what, '^ready:(%S+)$')
  refer(name, member)
  if what == 'unreadable' then
    check_set_aside(member)
    return
  elseif what == 'queues' then
    check_name(member)
    return
  elseif digest then
    check_parked(digest, member)
    return
  elseif name then
    check_segment(name, member)
    return
  elseif what == 'running' or (what == 'due' and string.sub(member, 2, 2) ~= ':') then
    check_indexed(member)
    return
  elseif what == 'due' or is_later(member) then
    return
  elseif string.find(what, '^unknown:') and unreadable[member] then
    violation(member, 'is in ' .. what .. ', and its record cannot be read', function()
      zrem(PREFIX .. what, member)
    end)
    return
  elseif unreadable[member] and redis.call('ZSCORE', PREFIX .. what, member) then
    violation(member, 'is in ' .. what .. ', and its record cannot be read', function()
      set_aside(member, string.match(what, '^%l+:(%S+)'), string.find(what, '^ready:') and PREFIX .. what)
    end)
    return
  end
  if redis.call('ZSCORE', PREFIX .. what, member) and not belongs(what, find(member)) then
    violation(member, 'is in ' .. what .. ', where it does not belong', function()
      zrem(PREFIX .. what, member)
    end)
  end
end

-- Checks the first ones of some sorted sets, each whole. Returns their number, which is 0 if the first one is too large. It ends
-- after a set with a repair, because repairs are written at the end of the call, and checks of later sets would not see them.
local function check_sets(names)
  local left = PAGE
  for i, name in ipairs(names) do
    left = left - redis.call('ZCARD', PREFIX .. name)
    if left < 0 then
      return i - 1
    end
    what = name
    local members = redis.call('ZRANGE', PREFIX .. name, 0, -1)
    if what == 'unreadable' and #members > 0 then
      load(members)
    end
    for _, member in ipairs(members) do
      check_member(member)
    end
    if repair and #found > 0 then
      return i
    end
  end
  return #names
end
