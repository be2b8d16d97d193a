-- Takes a lease from the holder that was seen, whoever that is, and moves the fence.
--
-- KEYS[1] lock      see acquire.lua
-- KEYS[2] holders   hash, see acquire.lua
-- KEYS[3] index     zset, see acquire.lua
-- KEYS[4] fence     string, see acquire.lua
-- KEYS[5] jobs      hash, see acquire.lua
-- KEYS[6] due       zset   of the queue: 'k:<digest>' for a key with parked jobs, by the time at which to look at it
-- ARGV[1] digest
-- ARGV[2] channel   see release.lua
-- ARGV[3] owner     the value of the lock that was seen
-- ARGV[4] work      the channel on which the queue's workers hear of work
--
-- Reply: {now ms} if that owner does not hold the key any more, {now ms, remaining ms, record or ''} if it was evicted.
-- Repetition: finds the key free or with another owner, and leaves it alone.
-- Invariant: the fence is above the evicted lease's before anybody else can take the key.

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local owner = redis.call('GET', KEYS[1])
local record = record_of(owner or '', KEYS[5], redis.call('HGET', KEYS[2], ARGV[1]))
local last = tonumber(redis.call('GET', KEYS[4]) or 0)
redis.call('ZCARD', KEYS[3])
redis.call('ZCARD', KEYS[6])
if owner ~= ARGV[3] then
  return {now}
end

local remaining = redis.call('PTTL', KEYS[1])
-- A removal comes first: it works when Redis is out of memory, and what follows a first write does, too.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[4], string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2])))
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[2] .. ':' .. KEYS[1], KEYS[1])
if redis.call('ZADD', KEYS[6], 'XX', 'CH', now, 'k:' .. ARGV[1]) == 1 then
  redis.call('PUBLISH', ARGV[4], '')
end
return {now, remaining, record}
