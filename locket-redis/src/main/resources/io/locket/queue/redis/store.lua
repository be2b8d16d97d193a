-- Access of a script to the store. Each value is read once, and changes are collected and written at the end. So a script
-- that fails while it reads has written nothing, and commands are per structure, not per job.
--
-- KEYS[1] state     hash   'q:<queue>' -> counters and switches of a queue, see counters.lua
--                          'w:<poller>'  -> the last reservation of a poller
--                          'i:<instance>' -> the time in ms of the last sign of life of a process whose workers are quiet,
--                                           or 'resumed'
--                          'asked'       -> the time in ms at which idle workers were requested to record their polls
--                          'f:<queue>'   -> the number of failed attempts of a queue
--                          'u:<id>'    -> '<queue> <state>' in which a job was counted whose record is set aside
-- KEYS[2] jobs      hash   id -> the record, see layout.lua
-- KEYS[3] tickets   hash   digest -> id of the waiting job that holds the ticket
-- KEYS[4] due       zset   by time: '<id> <queue>' of jobs that are scheduled or wait for a retry, 'k:<digest>' for a key
--                          with parked jobs that is to be checked, 'p:<digest> <queue>' for the queues that follow one in
--                          such a check, or for all of them if it is '!', 'w:<poller>' for a poller to be deleted,
--                          'q:<queue>' for a queue that was removed,
--                          'i:<instance>' for a mark of quiet or resumed workers to be deleted,
--                          'v:' for the records of later versions that are set aside
-- KEYS[5] running   zset   '<id> <queue>' by the time at which the run lease expires
-- KEYS[6] ended     zset   ids by the time at which they ended
-- KEYS[7] dead      zset   ids of dead letters by the time at which they died
-- KEYS[8] fence     string the last fencing token of the namespace
-- KEYS[9] absent    never written. While the slot moves, both nodes of a cluster refuse a script that declares a missing
--                   key. So no script can fail half way or read only a part of the keys, although most names are not
--                   declared. renew.lua does not use it.
-- ARGV[1] prefix    of all names of the namespace, '{ns}:'
-- ARGV[2] registry  the prefix of the locks, without the colon
--
-- Others, whose names are made of these:
-- <prefix>ready:<queue>           zset   numbers of the segments that have ready jobs, see ready/segment.lua
-- <prefix>ready:<queue> <number>  zset   ids of the ready jobs of a segment, by place
-- <prefix>parked:<queue>          zset   ids of parked jobs, by place
-- <prefix>scheduled:<queue>       zset   ids of scheduled jobs, by due time
-- <prefix>retry:<queue>           zset   ids of jobs that wait for a retry, by due time
-- <prefix>dead:<queue>            zset   ids of dead letters, by the time at which they died
-- <prefix>queues                  zset   of equal scores: names of queues that have a field 'q:' and are not unlisted
-- <prefix>parked-on:<digest>      zset   of equal scores: '<queue> <place> <id>'
-- <prefix>unknown:<queue> <job>   zset   by place: ids of jobs that were set aside for workers with a handler for them. The field
--                                        'as' of the counters of a queue has their number by name
-- <prefix>unreadable              zset   ids of records that are set aside, by the version that reads them, or DAMAGED
-- <prefix>attempts                hash   id -> the failed attempts of a job, see attempts.lua
-- <prefix>minutes                 hash   counts of the last minutes, see minutes.lua
-- <prefix>claim:<digest>          string claim, see claim.lua of the leases
-- <prefix>replaced:<id>           string '<id of the job that was replaced> <SHA-1 of name and arguments>'
-- <registry>:<digest>             string lock, see acquire.lua of the leases
-- <prefix>work                    channel that notifies workers
-- <registry>-channel:<lock>       channel that notifies the waiters for a lock

local STATE = KEYS[1]
local JOBS = KEYS[2]
local TICKETS = KEYS[3]
local DUE = KEYS[4]
local RUNNING = KEYS[5]
local ENDED = KEYS[6]
local DEAD = KEYS[7]
local FENCE = KEYS[8]
local PREFIX = ARGV[1]
local REGISTRY = ARGV[2]

local jobs, dirty, gone = {}, {}, {}
local queues, touched, new_queues = {}, {}, {}
local fields = {}
local tickets, new_tickets = {}, {}
local locks, new_locks, marked = {}, {}, {}
local claims = {}
local added, removed = {}, {}
local parked_added, parked_removed = {}, {}
local expiring, new_fields, attempts = {}, {}, {}
local fence
local notified, fresh = {}, {}
local fence_moved = false
local events = {}

local function text(number)
  return string.format('%.0f', number)
end

-- @include ready/segments.lua

-- Records ------------------------------------------------------------------------------------------------------------

-- @include record.lua
-- @include counters.lua

local UNREADABLE = PREFIX .. 'unreadable'

-- @include pollers.lua

-- Returns the last reservation of a poller, or nil if there is none that can be read.
local function reservation_of(raw)
  local readable, version, at, id, instance, ids_from = pcall(struct.unpack, POLLER, raw or '')
  if readable and version == 1 then
    return {at = at, r = id, i = instance, ids = string.sub(raw, ids_from)}
  end
end

local function reservation_record(at, id, instance, ids)
  return struct.pack(POLLER, 1, at, #id, id, #instance, instance) .. ids
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
  unreadable[id] = nil
  gone[id], attempts[id] = true, false
end

-- The event of a start or end of a run contains the nonce of the run. So a process publishes it once, even if a repeated
-- call returns it again.
local function add_event(kind, job, a, b, c, run)
  events[#events + 1] = {kind, job.id, job.j, job.q, a or '', b or '', text((job.a or 0) + 1), c or '', run}
end

-- Queues -------------------------------------------------------------------------------------------------------------

-- Lua limits the number of arguments of a function to some thousands.
local FIELDS_AT_ONCE = 2000

-- Reads any number of fields of a hash.
local function read_fields(hash, wanted)
  if #wanted <= FIELDS_AT_ONCE then
    return redis.call('HMGET', hash, unpack(wanted))
  end
  local values = {}
  for from = 1, #wanted, FIELDS_AT_ONCE do
    local to = math.min(from + FIELDS_AT_ONCE - 1, #wanted)
    for _, value in ipairs(redis.call('HMGET', hash, unpack(wanted, from, to))) do
      values[#values + 1] = value
    end
  end
  return values
end

-- Reads counters, and another field of the state, by one command, or one for each 2000 queues.
local function load_state(names, other)
  local wanted, missing = {}, {}
  for _, name in ipairs(names) do
    if queues[name] == nil then
      queues[name] = false
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
  local raws = read_fields(STATE, wanted)
  for i, name in ipairs(missing) do
    queues[name] = raws[i] and counters_of(name, raws[i]) or {seq = 0}
    new_queues[name] = not raws[i] or nil
  end
  if #wanted > #missing then
    fields[other] = raws[#wanted]
  end
end

-- Reads the counters of the queues of jobs that are read.
local function load_queues_of(ids)
  local names = {}
  for _, id in ipairs(ids) do
    if jobs[id] then
      names[#names + 1] = jobs[id].q
    end
  end
  load_state(names)
end

local function queue(name)
  if not queues[name] then
    load_state({name})
  end
  return queues[name]
end

-- Returns whether a queue has waiting or running jobs, has dead letters, or is paused. Any other queue may be unlisted: its
-- counters have 'unlisted' until it receives something again.
local function holds(counters)
  for _, what in ipairs({'scheduled', 'ready', 'parked', 'retry', 'running', 'letters', 'paused', 'unreadable'}) do
    if (counters[what] or 0) > 0 then
      return true
    end
  end
  return false
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

-- The set in which a waiting job is listed.
local function place_of(job)
  if job.s == 'ready' then
    return ready_set(job.q, math.floor(job.n / SEGMENT))
  end
  return PREFIX .. job.s .. ':' .. job.q
end

-- The member of a job in the namespace-wide indexes of what is due and of what runs. It contains the queue, so that this is
-- known even without the record.
local function indexed(job)
  return job.id .. ' ' .. job.q
end

local function indexed_id(member)
  return string.match(member, '^%S+') or ''
end

local function letters_of(job)
  return PREFIX .. 'dead:' .. job.q
end

-- Returns the first members of a set with their scores, including the changes of this script.
local function first_of(key, limit)
  local less, more, skip = removed[key] or {}, added[key] or {}, 0
  for _ in pairs(less) do
    skip = skip + 1
  end
  local found = {}
  local raw = redis.call('ZRANGE', key, 0, limit + skip - 1, 'WITHSCORES')
  for i = 1, #raw, 2 do
    if not less[raw[i]] and not more[raw[i]] then
      found[#found + 1] = {raw[i], tonumber(raw[i + 1])}
    end
  end
  for member, score in pairs(more) do
    found[#found + 1] = {member, score}
  end
  return found
end
