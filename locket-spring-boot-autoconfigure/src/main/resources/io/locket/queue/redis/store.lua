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
-- due time), 'dead:' (zset: dead letters of the queue by the time at which they died), '<prefix>queues' (zset of equal
-- scores: the names of queues that have a 'q:' field, but for those that are unlisted), '<prefix>parked-on:<digest>'
-- (zset of equal scores: '<queue> <place> <id>'), '<registry>:<digest>' (lock), '<prefix>claim:<digest>',
-- '<prefix>replaced:<id>', channel '<prefix>work', channel '<registry>-channel:<lock>'.
--
-- The line that scripts own: v version, j job, q queue, k digest, tx readable key
-- unless that is the JSON of the arguments, l lock strategy, c conflict strategy,
-- s state, n place, e enqueued at, d due at, u end of the ticket, x lease ms, h minimum hold ms, r retries, z delay of a
-- rescheduling ms, a failed attempts, b reclaims, i instance, w thread, t nonce of the run, f fencing token, st started
-- at, kl 1 while it runs with a key lease, g 1 while it is ready but listed among the parked of its key, cx 1 if
-- cancelled, tr trace context, er last error, o ends of runs, y first deferred at, rp 1 if it was
-- replaced, sb superseded by, ea ended at, uf ms for which it is unique, m moved to its queue at, ra no dead letter any
-- more since, pb put back as, sn the last steps that have steered it, pg how far its last run was: 'at done total
-- message'. Times are in ms.

local STATE, JOBS, TICKETS, DUE = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RUNNING, ENDED, DEAD, FENCE = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local PREFIX, REGISTRY = ARGV[1], ARGV[2]

local jobs, dirty, gone = {}, {}, {}
local queues, touched, new_queues = {}, {}, {}
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

-- What every job has that was accepted, beside its place or its due time, and its key if its strategy has one.
local ALWAYS = {s = 'string', q = 'string', j = 'string', e = 'number', x = 'number', r = 'number'}
local KEYED = {UE = true, WE = true, UX = true, UW = true, UP = true}

local function is_whole(job)
  for field, kind in pairs(ALWAYS) do
    if type(job[field]) ~= kind then
      return false
    end
  end
  return (type(job.n) == 'number' or type(job.d) == 'number') and (not KEYED[job.l] or type(job.k) == 'string')
end

-- A record that cannot be read is none: it holds up nobody.
local function parse(id, raw)
  local line = raw and string.find(raw, '\n', 1, true)
  if not line then
    return false
  end
  local readable, job = pcall(cjson.decode, string.sub(raw, 1, line - 1))
  if not readable or type(job) ~= 'table' or not is_whole(job) then
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

local function tell(kind, job, a, b, c)
  events[#events + 1] = {kind, job.id, job.j, job.q, a or '', b or '', text((job.a or 0) + 1), c or ''}
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

-- Whether a queue has jobs that wait or run, dead letters, or is paused. One that has none of that may be unlisted: its
-- counters have 'unlisted' then, until it holds something again.
local function holds(counters)
  for _, what in ipairs({'scheduled', 'ready', 'parked', 'retry', 'running', 'letters', 'paused'}) do
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

local function place_of(job)
  return PREFIX .. job.s .. ':' .. job.q
end

local function letters_of(job)
  return PREFIX .. 'dead:' .. job.q
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
