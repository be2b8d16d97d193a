-- Ends failed runs whose jobs are repeated. It does what settle.lua does in this case, and nothing in all others.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    number of failed attempts that are kept of a job, then '1' if each freed key is published, or '0' if none is while
--            the server has no subscriber by a pattern; separated by a blank
-- ARGV[4]    the queues whose jobs are requested next, with their limits (0 for none): a blank, and '<queue>=<limit> ' of each
-- ARGV[5..]  of each run: id, nonce, delay until the retry (ms), error, stack trace
--
-- Reply: {} if nothing was done, and settle.lua is to be called instead. Else of each run: name of the job, queue, number of the
--        failed attempt, duration of the run in ms.
-- Repetition: an end that is known is left to settle.lua.
-- Invariant: as of settle.lua. Left to it are jobs without a further attempt, with a claim, with a ticket that they have to take
--            back or a minimum hold, and keys for which somebody waits.

-- @include layout.lua
-- @include turn/names.lua
-- @include turn/numbers.lua

local ARGUMENTS_AT = 5
local ARGUMENTS = 5
-- What follows the head, without options, and its size up to the definition.
local REST = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4'
local PLACE_SIZE = 24
-- The due time in the place, and what follows it.
local DUE_AT = 12
local TICKET_END_AT = 18
-- A head up to its size, and what follows the number of failed attempts there.
local RETRY_BEGIN = '\1\5retry\0\0\0\0\0\0'
local RETRY_NUMBERS = '>I4BBBI4'
local RETRY_NUMBERS_SIZE = 7
local AFTER_FAILED = 11
-- The part of a run without its key lease, before the fencing token, and the size of that.
local NO_LEASE = '\0'
local FENCE_SIZE = 7
-- The first byte of the failed attempts of a job, and the longest text there.
local ATTEMPTS_VERSION = 1
local LONGEST_TEXT = 65535
-- Number of ends that a record keeps.
local ENDS_KNOWN = 8
-- Latest time that records can store, because the JSON of Redis has 14 digits.
local LAST = 99999999999999

local kept, publishes = string.match(ARGV[3], '^(%d+) (%d)$')
-- The runs.
local ids, seen = {}, {}
for at = ARGUMENTS_AT, #ARGV, ARGUMENTS do
  local id = ARGV[at]
  if seen[id] then
    return {}
  end
  ids[#ids + 1], seen[id] = id, true
end

-- Their locks with the owners, entries among the runs and among what is due, and new records; of each its failed attempt. By
-- queue: the number of its runs, and what is added to its set of retries.
local locks, owners, runs, due, changed, failures, reply = {}, {}, {}, {}, {}, {}, {}
local queues, queue_of, fields = {}, {}, {}
for i, raw in ipairs(call('HMGET', JOBS, unpack(ids))) do
  local at, id, in_state, place_at = ARGUMENTS_AT + ARGUMENTS * (i - 1), ids[i], 'running', nil
  local nonce, problem = ARGV[at + 1], ARGV[at + 3]
  if not raw then
    return {}
  end
  -- @insert turn/ran.lua
  local _, _, _, _, _, _, started, t, instance = read(RAN, raw, size_at)
  local placed, _, e, _, _, definition_size, l, x, k, q, j, _, r, options_at = pcall(read, REST, raw, place_at)
  local definition_ends = placed and place_at + PLACE_SIZE + SIZE_SIZE + definition_size
  if not placed or t ~= nonce or x == 0 or failed + 1 > r or not (l == 'WE' or l == 'UX' or l == 'NO')
      or options_at > definition_ends or definition_ends > #raw + 1
      or (options_at < definition_ends and read('>I5', raw, options_at) > 0) then
    return {}
  end
  if byte(raw, rare_at - KEY_LEASE_SIZE) == 1 then
    locks[#locks + 1], owners[#owners + 1] = REGISTRY .. ':' .. k, 'run:' .. id .. ':' .. nonce
  end
  local of = queue_of[q]
  if not of then
    local _, limit_at = string.find(ARGV[4], ' ' .. q .. '=', 1, true)
    of = {name = q, count = 0, limit = limit_at and tonumber(string.match(ARGV[4], '^%d+', limit_at + 1)), oldest = e, retries = {}}
    queues[#queues + 1], queue_of[q] = of, of
    fields[#fields + 1], fields[#fields + 2] = 'q:' .. q, 'f:' .. q
  end
  local lasted, retry_at = math.max(now - started, 0), format('%.0f', math.min(now + tonumber(ARGV[at + 2]), LAST))
  of.count, of.oldest = of.count + 1, math.min(of.oldest, e)
  of.retries[#of.retries + 1], of.retries[#of.retries + 2] = retry_at, id
  due[#due + 1], due[#due + 2], runs[#runs + 1] = retry_at, id .. ' ' .. q, id .. ' ' .. q

  local ends, number = nonce .. '=1retry:' .. format('%.0f', lasted), 1
  for old in string.gmatch(sub(raw, ends_at + 2, rare_at - KEY_LEASE_SIZE - 1), '%S+') do
    if number < ENDS_KNOWN then
      ends, number = ends .. ' ' .. old, number + 1
    end
  end
  local rare = '{"er":' .. cjson.encode(problem) .. ',"wr":"failed"}'
  local run = sub(raw, size_at + AFTER_FAILED, ends_at - 1) .. pack('>Hc0', #ends, ends) .. NO_LEASE
      .. sub(raw, rare_at - FENCE_SIZE, rare_at - 1) .. pack('>I4', #rare) .. rare
  changed[2 * i - 1] = id
  changed[2 * i] = RETRY_BEGIN .. pack(RETRY_NUMBERS, RETRY_NUMBERS_SIZE + #run, 3, 0, 0, failed + 1) .. run
      .. sub(raw, place_at, place_at + DUE_AT - 1) .. pack('>I6', tonumber(retry_at)) .. sub(raw, place_at + TICKET_END_AT)
  failures[i] = {failed + 1, started, #instance, instance}
  reply[4 * i - 3], reply[4 * i - 2], reply[4 * i - 1], reply[4 * i] = j, q, failed + 1, lasted
end

-- The failed attempts.
local attempts = {}
for i, raw in ipairs((kept ~= '0') and call('HMGET', PREFIX .. 'attempts', unpack(ids)) or {}) do
  local at, kept_here, last = ARGUMENTS_AT + ARGUMENTS * (i - 1), {}, nil
  local problem, trace, failure = ARGV[at + 3], ARGV[at + 4], failures[i]
  if #problem > LONGEST_TEXT or #trace > LONGEST_TEXT or (raw and byte(raw) ~= ATTEMPTS_VERSION) then
    return {}
  end
  local from = 2
  while raw and from <= #raw do
    local whole, _, number, began, ended, on, p, t, after = pcall(read, ATTEMPT, raw, from)
    if not whole then
      return {}
    end
    kept_here[#kept_here + 1], last = sub(raw, from, after - 1), {number, began, ended, #on, on}
    last.same, from = p == problem and t == trace, after
  end
  if last and last.same then
    kept_here[#kept_here] = pack(ATTEMPT, 1, last[1], last[2], last[3], last[4], last[5], 0, '', 0, '')
  end
  kept_here[#kept_here + 1] = pack(ATTEMPT, 0, failure[1], failure[2], now, failure[3], failure[4], #problem, problem, #trace, trace)
  attempts[2 * i - 1], attempts[2 * i] = ids[i], string.char(ATTEMPTS_VERSION)
      .. table.concat(kept_here, '', math.max(#kept_here - kept + 1, 1))
end

-- The counters of the queues.
local counters, woken = {}, {}
local state = call('HMGET', STATE, unpack(fields))
for i, of in ipairs(queues) do
  local raw, failures = state[2 * i - 1], state[2 * i] or '0'
  local version, numbers = byte(raw or '', 1, 2)
  -- Names of jobs that are set aside follow the numbers.
  if version ~= 1 or not numbers or numbers < MOST_NUMBERS or #raw ~= 2 + 7 * numbers or not string.find(failures, '^%d+$')
      or tonumber(failures) >= LARGEST then
    return {}
  end
  local _, _, ready_now, running, _, removed_at, paused, unlisted, _, _, retries = read(NUMBERS, raw, NUMBERS_FROM)
  if ready_now < LOWEST or ready_now > HIGHEST or running < LOWEST or running > HIGHEST or removed_at < LOWEST
      or removed_at > HIGHEST or of.oldest <= removed_at or paused < LOWEST or paused > 1 or unlisted ~= 0 or retries < LOWEST
      or retries > HIGHEST then
    return {}
  end
  counters[4 * i - 3] = fields[2 * i - 1]
  counters[4 * i - 2] = sub(raw, 1, RUNNING_FROM - 1) .. pack(NUMBER, running - of.count)
      .. sub(raw, RUNNING_FROM + 7, RETRY_FROM - 1) .. pack(NUMBER, retries + of.count) .. sub(raw, OTHERS_FROM)
  counters[4 * i - 1], counters[4 * i] = fields[2 * i], format('%.0f', failures + of.count)
  -- Workers are notified of a queue that was full and has room now. Without a request its limit is unknown, so it counts as full.
  if ready_now > 0 and paused == 0 and (not of.limit or (running >= of.limit and running - of.count < of.limit)) then
    woken[#woken + 1] = of.name
  end
end

if #locks > 0 then
  for i, owner in ipairs(get_all(locks)) do
    if owner ~= owners[i] then
      return {}
    end
  end
end

-- Removals come first, because a full Redis permits them and all writes after them.
call('ZREM', PREFIX .. 'running', unpack(runs))
if #locks > 0 then
  call('DEL', unpack(locks))
end
call('HSET', JOBS, unpack(changed))
if #attempts > 0 then
  call('HSET', PREFIX .. 'attempts', unpack(attempts))
end
for _, of in ipairs(queues) do
  call('ZADD', PREFIX .. 'retry:' .. of.name, unpack(of.retries))
end
call('ZADD', PREFIX .. 'due', unpack(due))
call('HSET', STATE, unpack(counters))
if #locks > 0 and (publishes == '1' or redis.pcall('PUBSUB', 'NUMPAT') ~= 0) then
  for _, lock in ipairs(locks) do
    redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. lock, lock)
  end
end
for _, name in ipairs(woken) do
  redis.pcall('PUBLISH', PREFIX .. 'work', name)
end
return reply
