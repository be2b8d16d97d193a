-- Takes the lease of a key, moves the fence and writes the holder record, or tells who holds the key.
--
-- KEYS[1] lock      string <registryKey>:<digest>, the owner's token, PX: the format of RedisLockRegistry
-- KEYS[2] holders   hash   digest -> '<token> <fence> <since ms> <JSON>'
-- KEYS[3] index     zset   digest scored by the time at which its lease expires, in ms
-- KEYS[4] fence     string the last fencing token of the namespace
-- KEYS[5] jobs      hash   of the queue: records of jobs by id; a run's token tells its job, 'run:<id>:<nonce>'
-- ARGV[1] token     made by the client before the call, new for each lease
-- ARGV[2] duration  ms
-- ARGV[3] digest
-- ARGV[4] record    JSON of the holder
--
-- Reply: {1, fence, since} if the token holds the key, {0, remaining ms, owner, record or ''} if another one does.
-- Repetition: a token that holds the key gets the answer it got at first.
-- Invariant: the fence grows with each lease and is written only by the script that takes the key.

local owner = redis.call('GET', KEYS[1])
local record = redis.call('HGET', KEYS[2], ARGV[3])

if owner and owner ~= ARGV[1] then
  return {0, redis.call('PTTL', KEYS[1]), owner, record_of(owner, KEYS[5], record)}
end
if owner and record then
  local token, fence, since = string.match(record, '^(%S+) (%d+) (%d+) ')
  if token == ARGV[1] then
    return {1, fence, since}
  end
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fence = math.max(tonumber(redis.call('GET', KEYS[4]) or 0) + 1, time[1] * 1000000 + time[2])
-- The records of holders that died: two looked at for each that is written keep them few.
local dead = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 2)

fence = string.format('%.0f', fence)
now = string.format('%.0f', now)
for _, digest in ipairs(dead) do
  redis.call('ZREM', KEYS[3], digest)
  redis.call('HDEL', KEYS[2], digest)
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[4], fence)
redis.call('HSET', KEYS[2], ARGV[3], ARGV[1] .. ' ' .. fence .. ' ' .. now .. ' ' .. ARGV[4])
redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[3])
return {1, fence, now}
