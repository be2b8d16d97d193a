-- Writes what a script has gathered, each structure by one command, or one for each thousand of its members.

-- Lua passes some thousands of arguments to a function at most.
local MOST_ARGUMENTS = 2000

local function each(map, command, key, flatten)
  local args = {}
  for member, value in pairs(map) do
    flatten(args, member, value)
    if #args >= MOST_ARGUMENTS then
      redis.call(command, key, unpack(args))
      args = {}
    end
  end
  if #args > 0 then
    redis.call(command, key, unpack(args))
  end
end

local function member_only(args, member)
  args[#args + 1] = member
end

local function score_first(args, member, score)
  args[#args + 1] = text(score)
  args[#args + 1] = member
end

local function write_records()
  each(dirty, 'HSET', JOBS, function(args, id)
    args[#args + 1] = id
    args[#args + 1] = record(jobs[id])
  end)
end

-- A Redis that is full refuses a script whose first write may take memory, before it has written anything, and lets one
-- go on that began by removing. So what brings jobs writes them first, and all else first removes, if only nothing:
-- whatever is in the queue can run, be renewed, end, and make room.
local function write(brings_jobs)
  for name in pairs(touched) do
    local again = queues[name].unlisted and holds(queues[name])
    if again then
      queues[name].unlisted = nil
    end
    if again or new_queues[name] then
      zadd(PREFIX .. 'queues', 0, name)
    end
  end
  if brings_jobs then
    write_records()
  elseif next(removed) == nil then
    redis.call('HDEL', STATE, '')
  end
  for key, members in pairs(removed) do
    each(members, 'ZREM', key, member_only)
  end
  for digest, members in pairs(parked_removed) do
    each(members, 'ZREM', PREFIX .. 'parked-on:' .. digest, member_only)
  end
  each(gone, 'HDEL', JOBS, member_only)
  local lost = {}
  for field, id in pairs(new_tickets) do
    if not id then
      lost[field] = true
    end
  end
  each(lost, 'HDEL', TICKETS, member_only)
  local old = {}
  for field, value in pairs(new_fields) do
    if not value then
      old[field] = true
    end
  end
  each(old, 'HDEL', STATE, member_only)
  for digest, lock in pairs(new_locks) do
    if not lock then
      redis.call('DEL', lock_name(digest))
    end
  end

  if not brings_jobs then
    write_records()
  end
  for key, members in pairs(added) do
    each(members, 'ZADD', key, score_first)
  end
  for digest, members in pairs(parked_added) do
    each(members, 'ZADD', PREFIX .. 'parked-on:' .. digest, function(args, member)
      score_first(args, member, 0)
    end)
  end
  each(new_tickets, 'HSET', TICKETS, function(args, field, id)
    if id then
      args[#args + 1] = field
      args[#args + 1] = id
    end
  end)
  for digest, lock in pairs(new_locks) do
    if lock then
      set_for(lock_name(digest), lock[1], lock[2])
    end
  end
  if fence_moved then
    redis.call('SET', FENCE, text(fence))
  end
  for key, value in pairs(expiring) do
    set_for(key, value[1], value[2])
  end
  local state = {}
  for name in pairs(touched) do
    state['q:' .. name] = cjson.encode(queues[name])
  end
  for field, value in pairs(new_fields) do
    state[field] = value
  end
  each(state, 'HSET', STATE, function(args, field, value)
    if value then
      args[#args + 1] = field
      args[#args + 1] = value
    end
  end)
  for digest, lock in pairs(new_locks) do
    if not lock then
      redis.call('PUBLISH', REGISTRY .. '-channel:' .. lock_name(digest), lock_name(digest))
    end
  end
  for id, name in pairs(fresh) do
    if jobs[id].s == 'ready' then
      news[name] = true
    end
  end
  for name in pairs(news) do
    redis.call('PUBLISH', PREFIX .. 'work', name)
  end
end
