-- Locks and their fence, tickets, claims, and the lists of parked jobs. As in store.lua, each value is read once, and
-- changes are collected.

-- @include contention.lua

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
    -- Each acquisition of a lock needs the fence.
    if not fence then
      names[#names + 1] = FENCE
    end
    local owners = get_all(names)
    for i, digest in ipairs(missing) do
      -- Without the mark of a waiter, which the lock of a run may have.
      locks[digest] = owners[i] and (string.match(owners[i], '^(run:[^: ]+:[^: ]+) w$') or owners[i]) or false
    end
    fence = fence or fence_of(owners[#names])
  end
end

local function owner_of(digest)
  if locks[digest] == nil then
    load_locks({digest})
  end
  return locks[digest]
end

local function set_lock(digest, owner, ms)
  locks[digest], marked[digest] = owner, nil
  new_locks[digest] = owner and {owner, ms} or false
end

local function lock_ttl(digest)
  local lock = new_locks[digest]
  return lock and lock[2] or ttl(lock_name(digest))
end

-- Reads the tickets of many keys, and the records of the jobs that hold them.
local function load_tickets(digests)
  local missing, holders = {}, {}
  for _, digest in ipairs(digests) do
    if tickets[digest] == nil then
      tickets[digest] = false
      missing[#missing + 1] = digest
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
  if tickets[digest] == nil then
    tickets[digest] = redis.call('HGET', TICKETS, digest)
  end
  return tickets[digest]
end

local function set_ticket(digest, id)
  tickets[digest] = id
  new_tickets[digest] = id
end

-- Claims -------------------------------------------------------------------------------------------------------------

local function claim_name(digest)
  return PREFIX .. 'claim:' .. digest
end

-- Reads the claims of many keys.
local function load_claims(digests)
  local missing, names = {}, {}
  for _, digest in ipairs(digests) do
    if claims[digest] == nil then
      claims[digest] = false
      missing[#missing + 1] = digest
      names[#names + 1] = claim_name(digest)
    end
  end
  if #names > 0 then
    for i, claim in pairs(get_all(names)) do
      claims[missing[i]] = claim
    end
  end
end

local function load_claims_of(ids)
  local digests = {}
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job and job.l == 'UP' then
      digests[#digests + 1] = job.k
    end
  end
  load_claims(digests)
end

local function claim_of(digest)
  load_claims({digest})
  return claims[digest]
end

local function set_claim(digest, claim, ms)
  claims[digest] = claim
  expiring[claim_name(digest)] = claim and {claim, ms} or false
end

-- Returns the id of the job that has made a claim, or nil for a direct call.
local function claimant(claim)
  return string.match(claim, '^run:([^: ]+):claim ')
end

-- Returns the claim of a job, or nil if the job no longer holds it.
local function own_claim(job)
  local claim = (job.l == 'UP') and claim_of(job.k)
  return claim and claimant(claim) == job.id and claim
end

-- The parked jobs of a key -------------------------------------------------------------------------------------------

local function parked_member(job)
  return job.q .. ' ' .. string.format('%016.0f', job.n) .. ' ' .. job.id
end

local function list_parked(job)
  parked_added[job.k] = parked_added[job.k] or {}
  parked_added[job.k][parked_member(job)] = true
  if parked_removed[job.k] then
    parked_removed[job.k][parked_member(job)] = nil
  end
end

local function unlist(digest, member)
  parked_removed[digest] = parked_removed[digest] or {}
  parked_removed[digest][member] = true
  if parked_added[digest] then
    parked_added[digest][member] = nil
  end
end

local function unlist_parked(job)
  unlist(job.k, parked_member(job))
end

local function id_of(member)
  return string.match(member, '%S+$')
end

-- Sorts before the names of all queues.
local BEFORE_QUEUES = '!'

-- The first listed member of each queue that follows one, for at most so many queues, the last of these queues if
-- there may be more of them, and the members that are none, of which 32 are passed at once. With 'first', it begins at that queue.
-- Without both, the largest number of queues begin at a random one of the namespace, so that each queue comes first now and then,
-- however many jobs it has. Then the last of them is BEFORE_QUEUES, because any others may follow.
local function parked_heads(digest, limit, after, first)
  local key = PREFIX .. 'parked-on:' .. digest
  local less, skip, heads, strays, begins = parked_removed[digest] or {}, 0, {}, {}, not after and not first
  -- '!' follows the blank that ends the name of a queue.
  local from = after and '[' .. after .. '!' or first and '[' .. first or '-'
  for _ in pairs(less) do
    skip = skip + 1
  end
  while #heads < limit and #strays < 32 do
    local members = redis.call('ZRANGEBYLEX', key, from, '+', 'LIMIT', 0, 1 + skip)
    if #members == 0 then
      return heads, nil, strays
    end
    for _, member in ipairs(members) do
      local name = string.match(member, '^(%S+) %d+ %S+$')
      from = name and '[' .. name .. '!' or '(' .. member
      if not less[member] then
        after = name or after
        local found = name and heads or strays
        found[#found + 1] = member
        break
      end
    end
  end
  if begins and #heads == MOST_QUEUES_OF_KEY then
    -- The last fencing token differs at each release. Its digest does so in all digits.
    local random = tonumber(string.sub(redis.sha1hex(text(fence or now_us)), 1, 8), 16)
    local at = text(random % math.max(redis.call('ZCARD', PREFIX .. 'queues'), 1))
    heads = parked_heads(digest, limit, nil, redis.call('ZRANGE', PREFIX .. 'queues', at, at)[1] or '')
    for _, member in ipairs((parked_heads(digest, limit - #heads, BEFORE_QUEUES))) do
      heads[#heads + 1] = member
    end
    after = BEFORE_QUEUES
  end
  return heads, after, strays
end
