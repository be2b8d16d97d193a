-- Ends successful runs of a worker, and hands out the next jobs whose keys are free. It does what settle.lua and
-- reserve.lua do in these cases, and nothing in all others.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    limits of the history and of dead letters, see read_limits in work.lua, without the first one; then '1' if each
--            freed key is published, or '0' if none is while the server has no subscriber by a pattern; separated by blanks
-- ARGV[4]    request, or '' for none: id (2 + text), instance (2 + text), thread (2 + text), '' (2), poller ('w:...', 2 + text),
--            number of slots (4), number of queues (4), name (2 + text) and limit (4) of each, number of names of jobs for
--            which the worker has no handler (4), these names (2 + text each)
-- then for each end: id, nonce of the run
--
-- Reply: {} if nothing was done, and settle.lua or reserve.lua is to be called instead. Else: 1 if more is to be purged, the
--        time until something is due (at the most) or -1, then ms of the run, job and queue of each end, then the number of
--        idle queues and their names, then id and record of each job that is handed out.
-- Repetition: a request and an end that are known are left to settle.lua.
-- Invariant: as of settle.lua. Nothing is due, no run lease has expired, no job waits for a key that is released, and
--            nothing is read after the first write but what is due next.
--
-- Redis builds the functions and tables of a script anew in each call, and these cost more than the commands. So this script
-- is one sequence of steps, without functions. Tables that every call fills have room for one job from the beginning ({nil}),
-- because a table that grows is built again.

-- @include layout.lua

local STATE = KEYS[1]
local JOBS = KEYS[2]
local PREFIX = ARGV[1]
local REGISTRY = ARGV[2]

-- Number of succeeded runs of a queue after which records of jobs that ended long ago are purged.
local PURGE_EVERY = 64
-- Maximum numbers of queues, ends and slots, because Lua limits the number of arguments of a function.
local MOST_QUEUES = 1000
local MOST_ENDS = 1000
local MOST_SLOTS = 1000
-- Maximum number of records that one call purges.
local PURGE = 96
local HEADS_OF_DUE = 4
-- A member that is longer than those which Redis stores in the compact form of a small set.
local LONG_MEMBER = '-----------------------------------------------------------------'
-- Period in which a busy worker looks for what is due next, in ms. It polls again before it has passed.
local AHEAD = 10000
-- Largest number of retries, attempts and reclaims.
local INTEGER = 2147483647
-- Time after which the last reservation of a poller is deleted, in ms.
local POLLER_KEPT = 3600000
-- Time after which the reservation of a poller is written again though nothing was handed out, in ms.
local SEEN_AGAIN = 30000
-- The beginning of the record of a job that has ended, up to its failed attempts.
local ENDED_RECORD = '>BI4Bc0BBI6I6I6I6BBI4'
-- The last reservation of a poller, see store.lua, and its beginning before the id of the request and the instance.
local POLLER = '>BI6Hc0Hc0'
local POLLER_BEGIN = '>BI6'
-- A request up to its queues, one of these, and a name.
local REQUEST = '>Hc0Hc0Hc0HHc0I4I4'
local REQUESTED_QUEUE = '>Hc0I4'
local NAME = '>Hc0'
-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted. Those
-- that change begin and end at these bytes; others are copied.
local COUNTERS = '>i7i7i7i7i7i7i7i7'
local COUNTERS_FROM = 3
local CHANGED_COUNTERS = '>i7i7i7'
local CHANGED_COUNTERS_FROM = 17
local CHANGED_COUNTERS_TO = 37
-- Range of the counters. Others are damaged.
local LOWEST = -1e13
local HIGHEST = 1e14

-- The record of a ready job in one piece, and that of a running one. The first bytes of a ready one are always the same:
-- version, size of the head, state, g and parts. So are state, g and parts of a running and of an ended one.
local READY_RECORD = '>c13I6I6I6I6' .. DEFINITION
local READY_HEAD = '\1\0\0\0\32\5ready\0\0'
local READY_DEFINITION_AT = 38
local RUNNING_RECORD = '>BI4c10I6I6I6I6' .. RUN .. DEFINITION
local RUNNING_STATE = '\7running\0\1'
local RUNNING_TEXTS_AT = 62
-- Size of the head of a running job without its texts.
local RUNNING_HEAD = 66
-- Fencing tokens of runs have 16 digits, since 2001. The clock of a test may be earlier.
local FENCE_SIZE = 16
local SMALLEST_FENCE = 1000000000000000
-- The beginnings of records, up to the fencing token and up to the texts of the run.
local RUNNING_BEGIN = '>BI4c10I6I6I6I6BBI4I4I6I6Hc0H'
local SUCCEEDED_BEGIN = '>BI4c12I6I6I6I6BBI4I4I6I6'
local SUCCEEDED_STATE = '\9succeeded\0\1'

-- Places of what is known of a queue in 'of_queue', before the end of its five: limit, number of runs that end, the earliest
-- time at which one of their jobs was enqueued, number of jobs that are handed out, time of the last removal.
local LIMIT = 4
local ENDED_HERE = 3
local OLDEST = 2
local TAKEN = 1
local REMOVED = 0

local call, format = redis.call, string.format
local read, pack, sub, byte = struct.unpack, struct.pack, string.sub, string.byte

-- The request --------------------------------------------------------------------------------------------------------

-- Id of the request, poller, the beginning of its last reservation without the time, and texts of a run after the fencing token.
local request, poller_field, reservation, run_texts = '', nil, nil, nil
local names, left_out, asked, slots = {nil}, nil, 0, 0
-- By place in 'names', see the places below.
local of_queue = {nil, nil, nil, nil, nil}
if ARGV[4] ~= '' then
  local raw = ARGV[4]
  local instance, thread, _, at
  request, instance, thread, _, poller_field, slots, asked, at = read(REQUEST, raw)
  if asked > MOST_QUEUES then
    return {}
  elseif slots > MOST_SLOTS then
    slots = MOST_SLOTS
  end
  reservation = sub(raw, 1, 4 + #request + #instance)
  run_texts = sub(raw, 3 + #request, 8 + #request + #instance + #thread)
  for i = 1, asked do
    names[i], of_queue[5 * i - LIMIT], at = read(REQUESTED_QUEUE, raw, at)
  end
  local count
  count, at = read('>I4', raw, at)
  for _ = 1, count do
    local name
    name, at = read(NAME, raw, at)
    left_out = left_out or {}
    left_out[name] = true
  end
end
local ends = (#ARGV - 4) / 2
if ends > MOST_ENDS then
  return {}
end

-- Due work -----------------------------------------------------------------------------------------------------------

-- The first entries of what is due, if any is soon, and the first end of a run lease, if that is.
local due_set, running_set, ended_set = PREFIX .. 'due', PREFIX .. 'running', PREFIX .. 'ended'
local due, expiry
if request ~= '' then
  local soon = format('%d000', (now + AHEAD) / 1000 + 1)
  if call('ZCOUNT', due_set, '-inf', soon) > 0 then
    due = call('ZRANGE', due_set, 0, HEADS_OF_DUE - 1, 'WITHSCORES')
  end
  if call('ZCOUNT', running_set, '-inf', soon) > 0 then
    expiry = tonumber(call('ZRANGE', running_set, 0, 0, 'WITHSCORES')[2])
  end
  if (due and tonumber(due[2]) <= now) or (expiry and expiry <= now) then
    return {}
  end
end

-- Records of the runs, and of the first jobs of each queue, until there are enough -------------------------------------

local ids, ready, read_from = {nil, nil}, {nil}, ends
for i = 1, ends do
  ids[i] = ARGV[3 + 2 * i]
end
for i = 1, asked do
  if read_from - ends < slots then
    local first = call('ZRANGE', PREFIX .. 'ready:' .. names[i], 0, slots)
    ready[i] = first
    for place = 1, math.min(#first, slots) do
      read_from = read_from + 1
      ids[read_from] = first[place]
    end
  end
end
local raws = (read_from > 0) and call('HMGET', JOBS, unpack(ids)) or ids

-- Ends ---------------------------------------------------------------------------------------------------------------

local reply, records = {0, -1, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil}
local ended, runs = {nil, nil}, {nil}
-- Locks to read, of which each must have its owner (false if none); number of all, and of those that are freed, which are the
-- first; keys whose parked jobs are looked up; tickets that a job gives back if it has them.
local locks, owners, lock_count, parked = {nil, nil, nil}, {nil, nil}, 0, {nil}
local tickets, holders
-- Number of all queues: those of the request, then others. By id or lock, if there may be several: true.
local queues = asked
local seen = (ends > 1 or slots > 1) and {} or nil
local of = 1
local now_text = format('%d%03d', now / 1000, now % 1000)

for i = 1, ends do
  local id, nonce, raw = ids[i], ARGV[4 + 2 * i], raws[i]
  local whole, version, head, state, n, e, d, u, kl, cx, a, b, st, ea, t, f, instance, w, o, size, l, _, r, x, h, _, _, j, q, k, _,
      _, next = pcall(read, RUNNING_RECORD, raw)
  if not whole or version ~= VERSION or state ~= RUNNING_STATE or st == 0 or a > INTEGER or b > INTEGER or t ~= nonce or cx ~= 0
      or ea ~= 0 or h ~= 0 or head ~= RUNNING_HEAD + #t + #f + #instance + #w + #o or (seen and seen[id]) then
    return {}
  end
  -- A damaged record is left to the scripts that set it aside.
  local definition_ends = PREAMBLE + head + 5 + size
  if x == 0 or n == 0 or r > INTEGER or definition_ends < next or definition_ends > #raw + 1 then
    return {}
  end
  if kl == 1 then
    -- The key is the one of the run: its lock has the token of the run.
    lock_count = lock_count + 1
    locks[lock_count], owners[lock_count], parked[lock_count] = REGISTRY .. ':' .. k, 'run:' .. id .. ':' .. nonce, 'k:' .. k
  end
  if l == 'UX' or l == 'UE' or l == 'UW' then
    tickets, holders = tickets or {}, holders or {}
    tickets[#tickets + 1], holders[#holders + 1] = sub(k, -32), id
  elseif l ~= 'WE' and l ~= 'NO' then
    return {}
  end
  if seen then
    seen[id] = true
  end
  if names[of] ~= q then
    of = 1
    while of <= queues and names[of] ~= q do
      of = of + 1
    end
    if of > queues then
      queues, names[of] = of, q
    end
  end
  local at, oldest = 5 * of, of_queue[5 * of - OLDEST]
  of_queue[at - ENDED_HERE] = (of_queue[at - ENDED_HERE] or 0) + 1
  of_queue[at - OLDEST] = (oldest and oldest < e) and oldest or e
  records[2 * i - 1] = id
  records[2 * i] = pack(SUCCEEDED_BEGIN, VERSION, head + #SUCCEEDED_STATE - #RUNNING_STATE, SUCCEEDED_STATE, n, e, d, u, 0, 0, a, b,
      st, now) .. sub(raw, RUNNING_TEXTS_AT)
  reply[3 * i], reply[3 * i + 1], reply[3 * i + 2] = (now > st) and now - st or 0, j, q
  ended[2 * i - 1], ended[2 * i], runs[i] = now_text, id, id .. ' ' .. q
end

-- Counters of the queues, and the last reservation of the poller -------------------------------------------------------

local fields = {nil, nil}
for i = 1, queues do
  fields[i] = 'q:' .. names[i]
end
fields[queues + 1] = poller_field
local state = (#fields > 0) and call('HMGET', STATE, unpack(fields)) or fields
local poller, polled_at = poller_field and state[queues + 1], 0
if poller then
  local whole, version, at, known = pcall(read, POLLER, poller)
  if not whole or version ~= 1 or known == request then
    return {}
  end
  polled_at = at
end

-- Changes of each queue ----------------------------------------------------------------------------------------------

-- The fields of queues and their new counters; names of idle queues.
local counters, idle = {nil, nil, nil, nil}, nil
local taken, purging = 0, false
-- Names of queues that other workers are notified of.
local woken

for i = 1, queues do
  local raw, first, ended_here, count = state[i], ready[i], of_queue[5 * i - ENDED_HERE] or 0, 0
  local ready_now, running, succeeded, removed_at, paused, unlisted = 0, 0, 0, 0, 1, 0
  if raw then
    local version, numbers = byte(raw, 1, 2)
    -- Names of jobs that are set aside follow the numbers.
    if version ~= 1 or numbers < 8 or #raw ~= 2 + 7 * numbers then
      return {}
    end
    local seq, accepted
    seq, accepted, ready_now, running, succeeded, removed_at, paused, unlisted = read(COUNTERS, raw, COUNTERS_FROM)
    if seq < LOWEST or seq > HIGHEST or accepted < LOWEST or accepted > HIGHEST or ready_now < LOWEST or ready_now > HIGHEST
        or running < LOWEST or running > HIGHEST or succeeded < LOWEST or succeeded > HIGHEST or removed_at < LOWEST
        or removed_at > HIGHEST or paused < LOWEST or paused > 1 then
      return {}
    end
  end
  if unlisted ~= 0 or (ended_here > 0 and not (raw and of_queue[5 * i - OLDEST] > removed_at)) then
    return {}
  end
  running, succeeded = running - ended_here, succeeded + ended_here
  purging = purging or succeeded % PURGE_EVERY < ended_here
  local limit = of_queue[5 * i - LIMIT]
  if i <= asked and taken < slots then
    if not first or (#first > 0 and not raw) then
      return {}
    elseif paused == 0 then
      count = math.min(slots - taken, #first, (limit > 0) and math.max(limit - running, 0) or slots)
    end
    taken = taken + count
    of_queue[5 * i - TAKEN], of_queue[5 * i - REMOVED] = count, removed_at
    if count == #first or taken < slots then
      idle = idle or {}
      idle[#idle + 1] = names[i]
    end
  end
  if ended_here + count > 0 then
    counters[#counters + 1] = fields[i]
    counters[#counters + 1] = sub(raw, 1, CHANGED_COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, ready_now - count,
        running + count, succeeded) .. sub(raw, CHANGED_COUNTERS_TO + 1)
  end
  -- Other workers are notified of a queue that was full before its runs ended, and has room and jobs now. A queue that is not
  -- requested counts as full, because its limit is unknown.
  if ended_here > 0 and ready_now > count and paused == 0
      and (not limit or (running + ended_here >= limit and running + count < limit)) then
    woken = woken or {}
    woken[#woken + 1] = names[i]
  end
end
-- The poll of an idle worker is recorded from time to time, and jobs that ended long ago are purged.
if request ~= '' and taken == 0 and polled_at <= now - SEEN_AGAIN then
  return {}
end

-- Jobs that are handed out, if the locks of their keys are free ----------------------------------------------------------

-- Two by job: the time for which it has a key lease, or false, and what follows the texts of the run in its record.
local rests, leases, handed = {nil, nil}, {nil, nil}, 0
local lease, lease_end
local from = ends
-- Size of the head of a job that is handed out, without its fencing token. RUNNING_HEAD has the sizes of three texts, too.
local head_size = run_texts and RUNNING_HEAD - 6 + #request + #run_texts
local freed = lock_count
for i = 1, asked do
  local count, name, removed_at = of_queue[5 * i - TAKEN] or 0, names[i], of_queue[5 * i - REMOVED]
  for place = 1, count do
    local id, raw = ready[i][place], raws[from + place]
    local whole, head, n, e, d, u, size, l, _, r, x, _, _, _, j, q, k, _, _, next = pcall(read, READY_RECORD, raw)
    if not whole or head ~= READY_HEAD or x == 0 or n == 0 or r > INTEGER or q ~= name or e <= removed_at
        or (left_out and left_out[j]) then
      return {}
    end
    local definition_ends = READY_DEFINITION_AT + 4 + size
    if definition_ends < next or definition_ends > #raw + 1 then
      return {}
    end
    -- A key is a number in hexadecimal digits.
    local keyed, leased = l ~= 'NO', l == 'WE' or l == 'UX' or l == 'UW'
    if keyed ~= (k ~= '') or (keyed and not (tonumber(k, 16) and byte(k) > 32 and byte(k, -1) > 32)) then
      return {}
    elseif leased then
      local lock = REGISTRY .. ':' .. k
      if seen and (seen[lock] or seen[id]) then
        return {}
      elseif seen then
        seen[lock], seen[id] = true, true
      end
      lock_count = lock_count + 1
      locks[lock_count], owners[lock_count] = lock, false
    elseif keyed and l ~= 'UE' then
      return {}
    end
    if l == 'UE' or l == 'UW' then
      tickets, holders = tickets or {}, holders or {}
      tickets[#tickets + 1], holders[#holders + 1] = sub(k, -32), id
    end
    if x ~= lease then
      lease, lease_end = x, format('%d%03d', (now + x) / 1000, (now + x) % 1000)
    end
    local fence_size = leased and FENCE_SIZE or 1
    handed = handed + 1
    rests[2 * handed - 1], rests[2 * handed] = leased and x, sub(raw, READY_DEFINITION_AT)
    leases[2 * handed - 1], leases[2 * handed] = lease_end, id .. ' ' .. q
    records[2 * (ends + handed) - 1] = id
    records[2 * (ends + handed)] = pack(RUNNING_BEGIN, VERSION, head_size + fence_size, RUNNING_STATE, n, e, d, u,
        leased and 1 or 0, 0, 0, 0, now, 0, #request, request, fence_size)
  end
  from = from + math.min(ready[i] and #ready[i] or 0, slots)
end

-- Locks of the keys, the fence, jobs that wait for a key, and tickets ----------------------------------------------------

local fence
if lock_count > 0 then
  if lock_count > freed then
    locks[lock_count + 1] = PREFIX .. 'fence'
  end
  local values = get_all(locks)
  for i = 1, lock_count do
    if values[i] ~= owners[i] then
      return {}
    end
  end
  if lock_count > freed then
    -- A fencing token that is damaged, or too large to grow, counts as none: time goes on from there.
    local last = values[lock_count + 1]
    local number = (last and #last <= 16 and string.find(last, '^%d+$')) and tonumber(last) or 0
    fence = math.max((number < 9007000000000000) and number or 0, now_us - 1)
    if fence < SMALLEST_FENCE then
      return {}
    end
  end
end
if freed > 0 then
  local scores = call('ZMSCORE', due_set, unpack(parked))
  for i = 1, freed do
    if scores[i] then
      return {}
    end
  end
end
local own
if tickets then
  own = {}
  for i, id in ipairs(call('HMGET', PREFIX .. 'tickets', unpack(tickets))) do
    if id == holders[i] then
      own[#own + 1] = tickets[i]
    end
  end
end

-- Jobs that ended longer ago than they are kept, or are too many, unless a repeated call may still ask for them. Dead letters
-- that are too old or too many are left to settle.lua.
local purged, failed
if purging then
  local ended_age, ended_size, dead_age, dead_size, floor = string.match(ARGV[3], '(%d+) (%d+) (%d+) (%d+) (%d+)')
  local old_letter = format('%.0f', now - math.max(dead_age, floor))
  if call('ZCARD', PREFIX .. 'dead') > tonumber(dead_size) or call('ZCOUNT', PREFIX .. 'dead', '-inf', old_letter) > 0 then
    return {}
  end
  local over = call('ZCARD', ended_set) - ended_size
  purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - math.max(ended_age, floor)), 'LIMIT', 0, PURGE)
  if #purged == 0 and over > 0 then
    purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - floor), 'LIMIT', 0, math.min(PURGE, over))
  end
  for i, raw in ipairs((#purged > 0) and call('HMGET', JOBS, unpack(purged)) or purged) do
    local whole, version, _, known, _, parts, _, _, _, _, _, _, attempts = pcall(read, ENDED_RECORD, raw)
    if not whole or version ~= VERSION or parts % 2 == 0 or known == 'scheduled' or known == 'ready' or known == 'parked'
        or known == 'retry' or known == 'running' then
      return {}
    end
    if attempts > 0 then
      failed = failed or {}
      failed[#failed + 1] = purged[i]
    end
  end
end

-- All reads are done.
-- @include turn-write.lua
