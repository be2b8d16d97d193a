-- Ends failed runs whose jobs are repeated. It does what settle.lua does in this case, and nothing in all others.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    number of failed attempts that are kept of a job, then '1' if each freed key is published, or '0' if none is while
--            the server has no subscriber by a pattern; separated by a blank
-- ARGV[4]    the queues whose jobs are requested next, with their limits (0 for none): a blank, and '<queue>=<limit> ' of each
-- ARGV[5..]  of each run: id, nonce, delay until the retry (ms), error, stack trace, error as JSON
--
-- Reply: {} if nothing was done, and settle.lua is to be called instead. Else of each run: name of the job, queue, number of the
--        failed attempt, duration of the run in ms.
-- Repetition: an end that is known is left to settle.lua.
-- Invariant: as of settle.lua. Left to it are jobs without a further attempt, or whose records have other fields of few jobs
--            than a failure replaces, keys for which somebody waits, and tickets that other jobs have taken.

-- @include layout.lua
-- @include turn/names.lua
-- @include turn/numbers.lua

-- Place of the first run among the arguments, and number of arguments of each.
local ARGUMENTS_AT = 5
local ARGUMENTS = 6
local kept, publishes = string.match(ARGV[3], '^(%d+) (%d)$')

-- Steps that read. Each of them ends the script with {} if it finds something else.
-- @include fail/runs.lua
-- @include fail/attempts.lua
-- @include fail/counters.lua
if #locks > 0 then
  for i, owner in ipairs(get_all(locks)) do
    if owner ~= owners[i] then
      return {}
    end
  end
end
for _, holder in ipairs((#digests > 0) and call('HMGET', PREFIX .. 'tickets', unpack(digests)) or digests) do
  if holder then
    return {}
  end
end

-- Removals come first, because a full Redis permits them and all writes after them.
call('ZREM', PREFIX .. 'running', unpack(runs))
if #freed > 0 then
  call('DEL', unpack(freed))
end
for lock, rest in pairs(rests) do
  call('SET', lock, rest[1])
  expire_at(lock, format('%.0f', now + rest[2]))
end
call('HSET', JOBS, unpack(changed))
if #tickets > 0 then
  call('HSET', PREFIX .. 'tickets', unpack(tickets))
end
if #attempts > 0 then
  call('HSET', PREFIX .. 'attempts', unpack(attempts))
end
for _, of in ipairs(queues) do
  call('ZADD', PREFIX .. 'retry:' .. of.name, unpack(of.retries))
end
call('ZADD', PREFIX .. 'due', unpack(due))
call('HSET', STATE, unpack(counters))
if #freed > 0 and (publishes == '1' or redis.pcall('PUBSUB', 'NUMPAT') ~= 0) then
  for _, lock in ipairs(freed) do
    redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. lock, lock)
  end
end
for _, name in ipairs(woken) do
  redis.pcall('PUBLISH', PREFIX .. 'work', name)
end
return reply
