-- One script's work on the store: what is read is read once, what is written is gathered and written at the end, so that
-- a script that fails while it reads has written nothing, and each structure costs a command, not each job.
--
-- KEYS[1] state     hash   'q:<queue>' -> counters and switches of a queue, JSON
--                          'w:<lane>'  -> the last reservation of a lane, JSON
-- KEYS[2] jobs      hash   id -> the record: a line of JSON that scripts own, and the JSON of the arguments, which they
--                          only carry
-- KEYS[3] tickets   hash   second half of a digest -> id of the waiting job that holds the ticket
-- KEYS[4] due       zset   by time: ids of jobs that are scheduled or wait for a retry, 'k:<digest>' for a key with
--                          parked jobs that is to be looked at, 'p:<digest> <queue>' for the queues that follow one
--                          in such a look, 'w:<lane>' for a lane to be forgotten
-- KEYS[5] running   zset   ids by the time at which their run lease expires
-- KEYS[6] ended     zset   ids by the time at which they ended
-- KEYS[7] dead      zset   ids of dead letters by the time at which they died
-- KEYS[8] fence     string the last fencing token of the namespace
-- ARGV[1] prefix    of all names of the namespace, '{ns}:'
-- ARGV[2] registry  the prefix of the locks, without the colon
--
-- Names that are made of these: '<prefix>ready:<queue>', 'parked:', 'scheduled:' and 'retry:' (zsets: ids by place or
-- due time), '<prefix>parked-on:<digest>' (zset of equal scores: '<queue> <place> <id>'), '<registry>:<digest>' (lock),
-- '<prefix>claim:<digest>', '<prefix>replaced:<id>', channel '<prefix>work', channel '<registry>-channel'.
--
-- The line that scripts own: v version, j job, q queue, k digest, tx readable key
-- unless that is the JSON of the arguments, l lock strategy, c conflict strategy,
-- s state, n place, e enqueued at, d due at, u end of the ticket, x lease ms, h minimum hold ms, r retries, z delay of a
-- rescheduling ms, a failed attempts, b reclaims, i instance, w thread, t nonce of the run, f fencing token, st started
-- at, kl 1 while it runs with a key lease, g 1 while it is ready but listed among the parked of its key, cx 1 if
-- cancelled, tr trace context, er last error, o ends of runs, y first deferred at, sb superseded by, ea ended at. Times are in ms.

local STATE, JOBS, TICKETS, DUE = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RUNNING, ENDED, DEAD, FENCE = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local PREFIX, REGISTRY = ARGV[1], ARGV[2]

local jobs, dirty, gone = {}, {}, {}
local queues, touched = {}, {}
local fields = {}
local tickets, new_tickets = {}, {}
local locks, new_locks = {}, {}
local added, removed = {}, {}
local parked_added, parked_removed = {}, {}
local expiring, new_fields = {}, {}
local fence
local news, fresh = {}, {}
local fence_moved = false
local events = {}

local function text(number)
  return string.format('%.0f', number)
end

-- Records ------------------------------------------------------------------------------------------------------------

-- A record that cannot be read is none: it holds up nobody.
local function parse(id, raw)
  local line = raw and string.find(raw, '\n', 1, true)
  if not line then
    return false
  end
  local readable, job = pcall(cjson.decode, string.sub(raw, 1, line - 1))
  if not readable or type(job) ~= 'table' or not job.s or not job.q then
    return false
  end
  job.id = id
  job.body = string.sub(raw, line + 1)
  return job
end

local function record(job)
  local id, body = job.id, job.body
  job.id, job.body = nil, nil
  local line = cjson.encode(job)
  job.id, job.body = id, body
  return line .. '\n' .. body
end

local function load(ids)
  local missing = {}
  for _, id in ipairs(ids) do
    if jobs[id] == nil then
      missing[#missing + 1] = id
      jobs[id] = false
    end
  end
  if #missing > 0 then
    local raws = redis.call('HMGET', JOBS, unpack(missing))
    for i, id in ipairs(missing) do
      jobs[id] = parse(id, raws[i])
    end
  end
end

local function find(id)
  if jobs[id] == nil then
    load({id})
  end
  return jobs[id]
end

local function save(job)
  jobs[job.id] = job
  dirty[job.id] = true
end

local function forget(id)
  jobs[id] = false
  dirty[id] = nil
  gone[id] = true
end

local function tell(kind, job, a, b)
  events[#events + 1] = {kind, job.id, job.j, job.q, a or '', b or '', text((job.a or 0) + 1)}
end

-- Queues -------------------------------------------------------------------------------------------------------------

-- Reads counters, and other fields of the state, by one command.
local function load_state(names, other)
  local wanted, missing = {}, {}
  for _, name in ipairs(names) do
    if not queues[name] then
      missing[#missing + 1] = name
      wanted[#wanted + 1] = 'q:' .. name
    end
  end
  if other and fields[other] == nil then
    wanted[#wanted + 1] = other
  end
  if #wanted == 0 then
    return
  end
  local raws = redis.call('HMGET', STATE, unpack(wanted))
  for i, name in ipairs(missing) do
    queues[name] = raws[i] and cjson.decode(raws[i]) or {seq = 0}
  end
  if #wanted > #missing then
    fields[other] = raws[#wanted]
  end
end

local function queue(name)
  if not queues[name] then
    load_state({name})
  end
  return queues[name]
end

local function count(name, what, by)
  local counters = queue(name)
  counters[what] = (counters[what] or 0) + by
  touched[name] = true
end

local function next_place(name)
  count(name, 'seq', 1)
  return queues[name].seq
end

-- Sorted sets --------------------------------------------------------------------------------------------------------

local function zadd(key, score, member)
  added[key] = added[key] or {}
  added[key][member] = score
  if removed[key] then
    removed[key][member] = nil
  end
end

local function zrem(key, member)
  removed[key] = removed[key] or {}
  removed[key][member] = true
  if added[key] then
    added[key][member] = nil
  end
end

local function place_of(job)
  return PREFIX .. job.s .. ':' .. job.q
end

-- The first ids of what is ready, with what this script has changed.
local function first_ready(name, limit)
  local key = PREFIX .. 'ready:' .. name
  local less, more, skip = removed[key] or {}, added[key] or {}, 0
  for _ in pairs(less) do
    skip = skip + 1
  end
  local found, seen = {}, {}
  local raw = redis.call('ZRANGE', key, 0, limit + skip - 1, 'WITHSCORES')
  for i = 1, #raw, 2 do
    if not less[raw[i]] and not more[raw[i]] then
      found[#found + 1] = {raw[i], tonumber(raw[i + 1])}
    end
  end
  for member, score in pairs(more) do
    found[#found + 1] = {member, score}
  end
  table.sort(found, function(one, other)
    return one[2] < other[2] or (one[2] == other[2] and one[1] < other[1])
  end)
  local ids = {}
  for i = 1, math.min(limit, #found) do
    ids[i] = found[i][1]
  end
  return ids
end

-- Locks and tickets --------------------------------------------------------------------------------------------------

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

-- Writing ------------------------------------------------------------------------------------------------------------

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

-- Removes first: they work also when Redis is out of memory, and what follows a first write always works.
local function write()
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

  each(dirty, 'HSET', JOBS, function(args, id)
    args[#args + 1] = id
    args[#args + 1] = record(jobs[id])
  end)
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
      redis.call('PUBLISH', REGISTRY .. '-channel', lock_name(digest))
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
