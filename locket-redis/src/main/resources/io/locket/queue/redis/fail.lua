-- Ends failed runs. Their jobs are repeated, or are dead letters if they have no further attempt. It does what settle.lua does in
-- these cases, and nothing in all others.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    number of failed attempts that are kept of a job; maximum age (ms) and number of dead letters, and the minimum age
--            of those that are purged (ms); then '1' if each freed key is published, or '0' if none is while the server has no
--            subscriber by a pattern; separated by blanks
-- ARGV[4]    the queues whose jobs are requested next, with their limits (0 for none): a blank, and '<queue>=<limit> ' of each
-- ARGV[5..]  of each run: id, nonce, delay until the retry (ms) or '' if the job is not repeated, error, stack trace, error as
--            JSON
--
-- Reply: {} if nothing was done, and settle.lua is to be called instead. Else of each run: name of the job, queue, number of the
--        failed attempt or 0 if the job is a dead letter now, duration of the run in ms. Then events, see store.lua.
-- Repetition: an end that is known is left to settle.lua.
-- Invariant: as of settle.lua. Left to it are jobs whose records have other fields of few jobs than a failure replaces, minimum
--            holds of keys that have waiters, and tickets that other jobs have taken. It purges no other ended jobs than dead
--            letters.

-- @include layout.lua
-- @include turn/names.lua
-- @include turn/numbers.lua
-- @include ready/segment.lua

-- Place of the first run among the arguments, and number of arguments of each.
local ARGUMENTS_AT = 5
local ARGUMENTS = 6
local kept, publishes = string.match(ARGV[3], '^(%d+) .* (%d)$')

-- Steps that read. Each of them ends the script with {} if it finds something else.
-- @include fail/runs.lua
-- @include fail/attempts.lua
-- @include fail/purge.lua
-- @include fail/followers.lua
-- @include fail/counters.lua
-- Tickets that dead letters release. If another job has taken the ticket of a job that is to be repeated, settle.lua ends the
-- latter as superseded.
local released = {}
for i, holder in ipairs((#digests > 0) and call('HMGET', PREFIX .. 'tickets', unpack(digests)) or digests) do
  if holder and not dying[i] then
    return {}
  elseif holder and holder == dying[i] then
    released[#released + 1] = digests[i]
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
if #released > 0 then
  call('HDEL', PREFIX .. 'tickets', unpack(released))
end
if #purged > 0 then
  call('ZREM', PREFIX .. 'dead', unpack(purged))
  call('HDEL', JOBS, unpack(purged))
  call('HDEL', PREFIX .. 'attempts', unpack(purged))
end
call('HSET', JOBS, unpack(changed))
if #tickets > 0 then
  call('HSET', PREFIX .. 'tickets', unpack(tickets))
end
if #attempts > 0 then
  call('HSET', PREFIX .. 'attempts', unpack(attempts))
end
if #deserted > 0 then
  call('ZREM', PREFIX .. 'due', unpack(deserted))
end
for _, of in ipairs(queues) do
  for _, follower in ipairs(of.promoted or {}) do
    local index, number = PREFIX .. 'ready:' .. of.name, format('%.0f', math.floor(follower.place / SEGMENT))
    call('ZREM', PREFIX .. 'parked:' .. of.name, follower.id)
    call('ZADD', index .. ' ' .. number, format('%.0f', follower.place), follower.id)
    call('ZADD', index, number, number)
  end
  if of.purged then
    call('ZREM', PREFIX .. 'dead:' .. of.name, unpack(of.purged))
  end
  if of.letters then
    call('ZADD', PREFIX .. 'dead:' .. of.name, unpack(of.letters))
  end
  if #of.retries > 0 then
    call('ZADD', PREFIX .. 'retry:' .. of.name, unpack(of.retries))
  end
end
if #letters > 0 then
  call('ZADD', PREFIX .. 'dead', unpack(letters))
end
if #due > 0 then
  call('ZADD', PREFIX .. 'due', unpack(due))
end
call('HSET', STATE, unpack(counters))
if (#freed > 0 or next(rests)) and (publishes == '1' or redis.pcall('PUBSUB', 'NUMPAT') ~= 0) then
  for _, lock in ipairs(freed) do
    redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. lock, lock)
  end
  for lock in pairs(rests) do
    redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. lock, lock)
  end
end
for _, name in ipairs(woken) do
  redis.pcall('PUBLISH', PREFIX .. 'work', name)
end
reply[#reply + 1] = events
return reply
