-- Lists the digests of leases that have not expired, the one that expires first first. Writes nothing.
--
-- KEYS[1] index     zset, see acquire.lua
-- ARGV[1] limit
--
-- Reply: digests.

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'LIMIT', 0, ARGV[1])
