-- Writes the changes that a script has collected, with one command for each structure or each thousand of its members.

-- @include contention.lua

-- Lua limits the number of arguments of a function to some thousands.
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

-- Lists the queues that are new, or hold something again.
local function list_queues()
  for name in pairs(touched) do
    local again = queues[name].unlisted and holds(queues[name])
    if again then
      queues[name].unlisted = nil
    end
    if again or new_queues[name] then
      zadd(PREFIX .. 'queues', 0, name)
    end
  end
end

-- Deletes the fields of a hash whose new value is none.
local function delete_fields(key, fields_of_hash)
  local old = {}
  for field, value in pairs(fields_of_hash) do
    if not value then
      old[field] = true
    end
  end
  each(old, 'HDEL', key, member_only)
end

-- Sets the fields of a hash whose new value is one.
local function set_fields(key, fields_of_hash)
  each(fields_of_hash, 'HSET', key, function(args, field, value)
    if value then
      args[#args + 1] = field
      args[#args + 1] = value
    end
  end)
end

local function write_removals()
  for key, members in pairs(removed) do
    each(members, 'ZREM', key, member_only)
  end
  for digest, members in pairs(parked_removed) do
    each(members, 'ZREM', PREFIX .. 'parked-on:' .. digest, member_only)
  end
  each(gone, 'HDEL', JOBS, member_only)
  delete_fields(TICKETS, new_tickets)
  delete_fields(STATE, new_fields)
  delete_fields(PREFIX .. 'attempts', attempts)
  for digest, lock in pairs(new_locks) do
    if not lock then
      redis.call('DEL', lock_name(digest))
    end
  end
  for key, value in pairs(expiring) do
    if not value then
      redis.call('DEL', key)
    end
  end
end

local function write_additions()
  for key, members in pairs(added) do
    each(members, 'ZADD', key, score_first)
  end
  for digest, members in pairs(parked_added) do
    each(members, 'ZADD', PREFIX .. 'parked-on:' .. digest, function(args, member)
      score_first(args, member, 0)
    end)
  end
  set_fields(TICKETS, new_tickets)
  set_fields(PREFIX .. 'attempts', attempts)
  for digest, lock in pairs(new_locks) do
    if lock then
      set_for(lock_name(digest), lock[1] .. (marked[digest] and WAITER or ''), lock[2])
    end
  end
  for digest in pairs(marked) do
    if new_locks[digest] == nil then
      redis.call('SET', lock_name(digest), locks[digest] .. WAITER, 'KEEPTTL')
    end
  end
  if fence_moved then
    redis.call('SET', FENCE, text(fence))
  end
  for key, value in pairs(expiring) do
    if value then
      set_for(key, value[1], value[2])
    end
  end
end

-- Lists the segments of ready jobs that are not empty.
local function list_segments()
  local keys, start = {}, ready_set('')
  for _, changes in ipairs({removed, added}) do
    for key in pairs(changes) do
      keys[key] = string.sub(key, 1, #start) == start and string.match(key, ' (%S+)$') or nil
    end
  end
  for key, number in pairs(keys) do
    local numbers = string.sub(key, 1, -#number - 2)
    if next(added[key] or {}) then
      redis.call('ZADD', numbers, number, number)
    elseif redis.call('ZCARD', key) == 0 then
      redis.call('ZREM', numbers, number)
    end
  end
end

local function write_state()
  local state = {}
  for name in pairs(touched) do
    state['q:' .. name] = counters_record(queues[name])
  end
  for field, value in pairs(new_fields) do
    state[field] = value
  end
  set_fields(STATE, state)
end

local function publish()
  for digest, lock in pairs(new_locks) do
    -- Waiters learn that a minimum hold ends sooner than the lease, too.
    if not lock or string.sub(lock[1], -5) == ':rest' then
      redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. lock_name(digest), lock_name(digest))
    end
  end
  for id, name in pairs(fresh) do
    if jobs[id] and jobs[id].s == 'ready' then
      notified[name] = true
    end
  end
  for name in pairs(notified) do
    -- Nothing is handed out of a paused queue: workers are notified when it is resumed.
    if not (queues[name] and queues[name].paused) then
      redis.pcall('PUBLISH', PREFIX .. 'work', name)
    end
  end
end

-- A full Redis refuses a script whose first write may take memory, and permits all writes after a first one that removes.
-- So scripts that enqueue write the jobs first. All others begin with a removal, even if it removes nothing. Queued jobs
-- can therefore run, be renewed, end, and free memory.
local function write(brings_jobs)
  list_queues()
  local removes = false
  for _, members in pairs(removed) do
    removes = removes or next(members) ~= nil
  end
  if brings_jobs then
    write_records()
  elseif not removes then
    redis.call('HDEL', STATE, '')
  end
  write_removals()
  if not brings_jobs then
    write_records()
  end
  write_additions()
  list_segments()
  write_state()
  publish()
end
