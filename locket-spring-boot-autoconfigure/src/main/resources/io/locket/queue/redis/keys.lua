-- What belongs to keys: locks and their fence, tickets, and the lists of parked jobs. As in store.lua, what is read is
-- read once, and what is written is gathered.

local function lock_name(digest)
  return REGISTRY .. ':' .. digest
end

local function load_locks(digests)
  local missing, names = {}, {}
  for _, digest in ipairs(digests) do
    if locks[digest] == nil then
      locks[digest] = false
      missing[#missing + 1] = digest
      names[#names + 1] = lock_name(digest)
    end
  end
  if #names > 0 then
    -- The fence is wanted whenever a lock is taken.
    if not fence then
      names[#names + 1] = FENCE
    end
    local owners = get_all(names)
    for i, digest in ipairs(missing) do
      locks[digest] = owners[i] or false
    end
    fence = fence or tonumber(owners[#names] or 0)
  end
end

local function owner_of(digest)
  if locks[digest] == nil then
    load_locks({digest})
  end
  return locks[digest]
end

local function set_lock(digest, owner, ms)
  locks[digest] = owner
  new_locks[digest] = owner and {owner, ms} or false
end

local function lock_ttl(digest)
  local lock = new_locks[digest]
  return lock and lock[2] or ttl(lock_name(digest))
end

-- Reads the tickets of many keys, and the records of those who hold them.
local function load_tickets(digests)
  local missing, holders = {}, {}
  for _, digest in ipairs(digests) do
    local field = string.sub(digest, -32)
    if tickets[field] == nil then
      tickets[field] = false
      missing[#missing + 1] = field
    end
  end
  if #missing > 0 then
    for i, id in ipairs(redis.call('HMGET', TICKETS, unpack(missing))) do
      tickets[missing[i]] = id
      holders[#holders + 1] = id or nil
    end
    if #holders > 0 then
      load(holders)
    end
  end
end

local function ticket(digest)
  local field = string.sub(digest, -32)
  if tickets[field] == nil then
    tickets[field] = redis.call('HGET', TICKETS, field)
  end
  return tickets[field]
end

local function set_ticket(digest, id)
  local field = string.sub(digest, -32)
  tickets[field] = id
  new_tickets[field] = id
end

-- The parked jobs of a key -------------------------------------------------------------------------------------------

local function parked_member(job)
  return job.q .. ' ' .. string.format('%016.0f', job.n) .. ' ' .. job.id
end

local function list_parked(job)
  parked_added[job.k] = parked_added[job.k] or {}
  parked_added[job.k][parked_member(job)] = true
end

local function unlist(digest, member)
  parked_removed[digest] = parked_removed[digest] or {}
  parked_removed[digest][member] = true
end

local function unlist_parked(job)
  unlist(job.k, parked_member(job))
end

local function id_of(member)
  return string.match(member, '%S+$')
end

-- The first listed member of each queue that follows one, for at most so many queues, and the last of these queues if
-- there may be more of them.
local function parked_heads(digest, limit, after)
  local key = PREFIX .. 'parked-on:' .. digest
  local less, skip, heads, from = parked_removed[digest] or {}, 0, {}, '-'
  -- '!' follows the blank that ends the name of a queue.
  if after then
    from = '[' .. after .. '!'
  end
  for _ in pairs(less) do
    skip = skip + 1
  end
  while #heads < limit do
    local members = redis.call('ZRANGEBYLEX', key, from, '+', 'LIMIT', 0, 1 + skip)
    if #members == 0 then
      return heads, nil
    end
    local name
    for _, member in ipairs(members) do
      if not less[member] then
        name = string.match(member, '^%S+')
        heads[#heads + 1] = member
        break
      end
    end
    after = name or string.match(members[#members], '^%S+')
    from = '[' .. after .. '!'
  end
  return heads, after
end
