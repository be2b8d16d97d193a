-- Ends successful runs of a worker, and hands out the next jobs whose keys are free. It does what settle.lua and
-- reserve.lua do in these cases, and nothing in all others.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    limits of the history and of dead letters, see read_limits in work.lua, without the first one; then '1' if each
--            freed key is published, or '0' if none is while the server has no subscriber by a pattern; separated by blanks
-- ARGV[4]    request, or '' for none: sizes (2 each) of the texts of the run and of those of the reservation, number of slots
--            (4), number of queues (4), texts of the run (2 + text each): id of the request, instance, thread, '', of which
--            the first two are those of the reservation; poller ('w:...', 2 + text), name (2 + text) and limit (4) of each
--            queue, number of names of jobs for which the worker has no handler (4), these names (2 + text each)
-- ARGV[5]    the beginning of the records of all runs that end, up to their key leases, or '' if none ends. The caller has it
--            from the record that was handed out, and names only runs that have no failed attempt, no rare field and no
--            minimum hold
-- ARGV[6]    the runs that end: their nonce (2 + text), their number (2), the number of their queues (2), then of each queue
--            its name (1 + text), the number of its runs (2) and the earliest time at which one of their jobs was enqueued (6)
-- ARGV[7..]  ids of the runs in the order of their queues, each once; names of the locks of their keys, '' for a run without
--            key lease; if one of them has a ticket until it ends, the fields of the tickets, '' for a run without one
--
-- Reply: {} if nothing was done, and settle.lua or reserve.lua is to be called instead. Else: 1 if more is to be purged, the
--        time until something is due (at the most) or -1, the time in ms, the number of idle queues and their names, then id
--        and record of each job that is handed out.
-- Repetition: a request and an end that are known are left to settle.lua.
-- Invariant: as of settle.lua. Nothing is due, no run lease has expired, no lock that is released has the mark of a waiter,
--            and nothing is read after the first write but what is due next.
--
-- Redis builds the functions and tables of a script anew in each call, and these cost more than the commands. So this script
-- is one sequence of steps, without functions. Tables have room for some values from the beginning, because a table that
-- grows is built again. Numbers are passed to commands as texts, because Redis prints numbers with all their digits. The caller knows the runs that it ends, so their records are only compared.

-- @include layout.lua

local STATE = KEYS[1]
local JOBS = KEYS[2]
local PREFIX = ARGV[1]
local REGISTRY = ARGV[2]

-- Number of succeeded runs of a queue after which records of jobs that ended long ago are purged.
local PURGE_EVERY = 64
-- Maximum numbers of queues and slots, because Lua limits the number of arguments of a function. The caller bounds the ends.
local MOST_QUEUES = 1000
local MOST_SLOTS = 1000
-- Maximum number of records that one call purges.
local PURGE = 96
-- Number of entries that are read to find the next due time, and the index of the last one.
local HEADS_OF_DUE = 4
local LAST_HEAD = '3'
-- A member that is longer than those which Redis stores in the compact form of a small set.
local LONG_MEMBER = '-----------------------------------------------------------------'
-- Period in which a busy worker looks for what is due next, in ms. It polls again before it has passed.
local AHEAD = 10000
-- Time after which the last reservation of a poller is deleted, in ms.
local POLLER_KEPT = 3600000
-- Time after which the reservation of a poller is written again though nothing was handed out, in ms.
local SEEN_AGAIN = 30000
-- The last reservation of a poller, see store.lua, and its beginning before the id of the request and the instance.
local POLLER = '>BI6Hc0Hc0'
local POLLER_BEGIN = '>BI6'
-- A request up to its texts, where these begin, and one of its queues.
local REQUEST = '>HHI4I4Hc0'
local REQUEST_TEXTS_AT = 13
local REQUESTED_QUEUE = '>Hc0I4'
local NAME = '>Hc0'
-- The runs that end, up to their queues, and one of these.
local ENDS = '>Hc0HH'
local ENDS_OF_QUEUE = '>Bc0HI6'
local ENDS_AT = 6
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

-- The head of a ready job that has not run yet, which is always the same; its place and definition; and where these begin.
local READY_HEAD = '\1\5ready\0\0\0\0\0\0\0\0\0\2\0\0'
local READY_HEAD_SIZE = 19
local READY_REST_AT = 20
local READY_REST = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4I5I5I6I4c0I4c0'
local READY_DEFINITION_AT = 44
local DIGEST_SIZE = 64
-- Largest number of retries.
local INTEGER = 2147483647
-- The head of a running job up to the texts of its run; and what follows these: whether it has a key lease, and its fencing
-- token. The size counts what follows it, without the texts.
local RUNNING_HEAD = '\1\7running\0\0\0\0\0\0'
local RUNNING_NUMBERS = '>I4BBBI4I4I6'
local RUNNING_SIZE = 25
local KEY_LEASE = '>BI7'
local NO_KEY_LEASE = '\0\0\0\0\0\0\0\0'
-- The beginning of the record of a job that has succeeded, before the time at which it ended. The remainder begins with the
-- size of the head, and is that of the running job.
local SUCCEEDED = '\1\9succeeded'
local ENDED_AT = '>I6'
local RUNNING_REMAINDER_AT = 16
-- The bytes of such a record from its parts to its failed attempts if it has no rare fields and was not cancelled.
local SUCCEEDED_SIZE = 11
local PLAIN_RUN = '\1\0\0\0\0\0\0'
local PLAIN_RUN_FROM = 22
local PLAIN_RUN_TO = 28
-- Fencing tokens of runs have 16 digits, since 2001. The clock of a test may be earlier.
local SMALLEST_FENCE = 1000000000000000

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

-- Id of the request, poller, texts of a run, and the beginning of these that the last reservation of the poller has.
local request, poller_field, reservation, run_texts = '', nil, nil, nil
local names, left_out, asked, slots = {nil}, nil, 0, 0
-- By place in 'names', see the places above.
local of_queue = {nil, nil, nil, nil, nil}
if ARGV[4] ~= '' then
  local raw = ARGV[4]
  local texts_size, reservation_size, at
  texts_size, reservation_size, slots, asked, request = read(REQUEST, raw)
  if asked > MOST_QUEUES then
    return {}
  elseif slots > MOST_SLOTS then
    slots = MOST_SLOTS
  end
  run_texts = sub(raw, REQUEST_TEXTS_AT, REQUEST_TEXTS_AT - 1 + texts_size)
  reservation = sub(raw, REQUEST_TEXTS_AT, REQUEST_TEXTS_AT - 1 + reservation_size)
  poller_field, at = read(NAME, raw, REQUEST_TEXTS_AT + texts_size)
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

-- Due work -----------------------------------------------------------------------------------------------------------

-- The first entries of what is due, if any is soon, and the first end of a run lease, if that is.
local due_set, running_set, ended_set = PREFIX .. 'due', PREFIX .. 'running', PREFIX .. 'ended'
local due, expiry
if request ~= '' then
  local soon = format('%d000', (now + AHEAD) / 1000 + 1)
  if call('ZCOUNT', due_set, '-inf', soon) > 0 then
    due = call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
  end
  if call('ZCOUNT', running_set, '-inf', soon) > 0 then
    expiry = tonumber(call('ZRANGE', running_set, '0', '0', 'WITHSCORES')[2])
  end
  if (due and tonumber(due[2]) <= now) or (expiry and expiry <= now) then
    return {}
  end
end

-- Records of the runs, and of the first jobs of each queue, until there are enough -------------------------------------

local ends, ends_queues, nonce, ends_at = 0, 0, nil, nil
if ARGV[5] ~= '' then
  nonce, ends, ends_queues, ends_at = read(ENDS, ARGV[6])
end
local ids, ready, read_from = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil}, ends
for i = 1, ends do
  ids[i] = ARGV[ENDS_AT + i]
end
for i = 1, asked do
  if read_from - ends < slots then
    local first = call('ZRANGE', PREFIX .. 'ready:' .. names[i], '0', format('%d', slots))
    ready[i] = first
    for place = 1, math.min(#first, slots) do
      read_from = read_from + 1
      ids[read_from] = first[place]
    end
  end
end
local raws = (read_from > 0) and call('HMGET', JOBS, unpack(ids)) or ids

-- Ends ---------------------------------------------------------------------------------------------------------------

local reply, records = {0, -1, now, nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
local ended, runs = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
-- Locks to read, of which each must have its owner (false if none); number of all, and of those that are freed, which are the
-- first. Tickets that a job gives back if it has them.
local locks, owners, lock_count = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}, 0
local tickets, holders
-- Number of all queues: those of the request, then others.
local queues = asked

if ends > 0 then
  local begin, begin_size, last = ARGV[5], #ARGV[5], 0
  local ended_begin, now_text = SUCCEEDED .. pack(ENDED_AT, now), format('%d%03d', now / 1000, now % 1000)
  local has_tickets = #ARGV > ENDS_AT + 2 * ends
  for _ = 1, ends_queues do
    local name, count, oldest, of
    name, count, oldest, ends_at = read(ENDS_OF_QUEUE, ARGV[6], ends_at)
    of = 1
    while of <= queues and names[of] ~= name do
      of = of + 1
    end
    if of > queues then
      queues, names[of] = of, name
    end
    of_queue[5 * of - ENDED_HERE], of_queue[5 * of - OLDEST] = count, oldest
    for i = last + 1, last + count do
      local id, raw, lock = ids[i], raws[i], ARGV[ENDS_AT + ends + i]
      if not raw or sub(raw, 1, begin_size) ~= begin then
        return {}
      end
      if lock ~= '' then
        lock_count = lock_count + 1
        locks[lock_count], owners[lock_count] = lock, 'run:' .. id .. ':' .. nonce
      end
      local ticket = has_tickets and ARGV[ENDS_AT + 2 * ends + i] or ''
      if ticket ~= '' then
        tickets, holders = tickets or {}, holders or {}
        tickets[#tickets + 1], holders[#holders + 1] = ticket, id
      end
      records[2 * i - 1], records[2 * i] = id, ended_begin .. sub(raw, RUNNING_REMAINDER_AT)
      ended[2 * i - 1], ended[2 * i], runs[i] = now_text, id, id .. ' ' .. name
    end
    last = last + count
  end
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

-- By job: its id and its record until now; the time for which it has a key lease, or false. Two by job: the end of its run
-- lease, and its member there.
local handed_ids, handed_raws, handed = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}, 0
local lease_times, leases = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
local lease, lease_end
local from, freed = ends, lock_count
-- Locks that are taken, if there may be several: true.
local seen = (taken > 1) and {} or nil
for i = 1, asked do
  local count, name, removed_at = of_queue[5 * i - TAKEN] or 0, names[i], of_queue[5 * i - REMOVED]
  for place = 1, count do
    local id, raw = ready[i][place], raws[from + place]
    if not raw or sub(raw, 1, READY_HEAD_SIZE) ~= READY_HEAD then
      return {}
    end
    local whole, n, e, _, _, size, l, x, k, q, j, _, r, _, _, _, _, _, next = pcall(read, READY_REST, raw, READY_REST_AT)
    if not whole or x == 0 or n == 0 or r > INTEGER or q ~= name or e <= removed_at or (left_out and left_out[j]) then
      return {}
    end
    -- A damaged record is left to the scripts that set it aside.
    local definition_ends = READY_DEFINITION_AT + 4 + size
    if definition_ends < next or definition_ends > #raw + 1 then
      return {}
    end
    local keyed, leased = l ~= 'NO', l == 'WE' or l == 'UX' or l == 'UW'
    if #k ~= (keyed and DIGEST_SIZE or 0) then
      return {}
    elseif leased then
      local lock = REGISTRY .. ':' .. k
      if seen and seen[lock] then
        return {}
      elseif seen then
        seen[lock] = true
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
    handed = handed + 1
    handed_ids[handed], handed_raws[handed], lease_times[handed] = id, raw, leased and x
    leases[2 * handed - 1], leases[2 * handed] = lease_end, id .. ' ' .. q
  end
  from = from + math.min(ready[i] and #ready[i] or 0, slots)
end

-- Locks of the keys, the fence, and tickets -----------------------------------------------------------------------------

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
  local live = {scheduled = true, ready = true, parked = true, retry = true, running = true}
  for i, raw in ipairs((#purged > 0) and call('HMGET', JOBS, unpack(purged)) or purged) do
    if not raw then
      return {}
    elseif sub(raw, 1, SUCCEEDED_SIZE) ~= SUCCEEDED or sub(raw, PLAIN_RUN_FROM, PLAIN_RUN_TO) ~= PLAIN_RUN then
      local version, size = byte(raw, 1, 2)
      if version ~= VERSION or not size or live[sub(raw, 3, 2 + size)] then
        return {}
      end
      failed = failed or {}
      failed[#failed + 1] = purged[i]
    end
  end
end

-- All reads are done.
-- @include turn-write.lua
