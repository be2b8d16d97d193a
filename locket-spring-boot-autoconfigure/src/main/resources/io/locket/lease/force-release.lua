-- Takes a lease from its holder, whoever that is, and moves the fence.
--
-- KEYS[1] lock      see acquire.lua
-- KEYS[2] holders   hash, see acquire.lua
-- KEYS[3] index     zset, see acquire.lua
-- KEYS[4] fence     string, see acquire.lua
-- ARGV[1] digest
-- ARGV[2] channel   see release.lua
--
-- Reply: {now ms} if the key was free, {now ms, owner, remaining ms, record or ''} of the evicted holder.
-- Repetition: finds the key free, or evicts a holder that took it in between, which is what was asked.
-- Invariant: the fence is above the evicted lease's before anybody else can take the key.

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local owner = redis.call('GET', KEYS[1])
local record = redis.call('HGET', KEYS[2], ARGV[1])
local last = tonumber(redis.call('GET', KEYS[4]) or 0)
redis.call('ZCARD', KEYS[3])
if not owner then
  return {now}
end

local remaining = redis.call('PTTL', KEYS[1])
redis.call('SET', KEYS[4], string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2])))
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[2], KEYS[1])
return {now, owner, remaining, record or ''}
