-- Takes a lease from the holder that was seen, whoever that is, and moves the fence.
--
-- KEYS[1] lock      see acquire.lua
-- KEYS[2] holders   hash, see acquire.lua
-- KEYS[3] index     zset, see acquire.lua
-- KEYS[4] fence     string, see acquire.lua
-- ARGV[1] digest
-- ARGV[2] channel   see release.lua
-- ARGV[3] owner     the value of the lock that was seen
--
-- Reply: {now ms} if that owner does not hold the key any more, {now ms, remaining ms, record or ''} if it was evicted.
-- Repetition: finds the key free or with another owner, and leaves it alone.
-- Invariant: the fence is above the evicted lease's before anybody else can take the key.

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local owner = redis.call('GET', KEYS[1])
local record = redis.call('HGET', KEYS[2], ARGV[1])
local last = tonumber(redis.call('GET', KEYS[4]) or 0)
redis.call('ZCARD', KEYS[3])
if owner ~= ARGV[3] then
  return {now}
end

local remaining = redis.call('PTTL', KEYS[1])
redis.call('SET', KEYS[4], string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2])))
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[2], KEYS[1])
return {now, remaining, record or ''}
