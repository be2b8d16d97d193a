-- Releases leases, and takes back acquires whose answer never came.
--
-- KEYS[1] holders   hash, see acquire.lua
-- KEYS[2] index     zset, see acquire.lua
-- KEYS[3] due       zset, see force-release.lua
-- KEYS[4..] locks   one for each lease; a claim's key for a claim that is taken back
-- ARGV[1] channel   a freed key is published on '<channel>:<key>', in the way of RedisLockRegistry
-- ARGV[2] work      see force-release.lua
-- ARGV[3..]         token, digest (empty for a claim, which has no holder record) and the time until which the key
--                   stays taken at least (ms, Redis time, 0 for none), for each lease in the order of the locks
--
-- Reply: for each lease 1 released, 0 another owner, -1 gone.
-- Repetition: a lease whose key keeps a rest is released already (1); a deleted key is gone (-1).
-- Invariant: only the token that holds a key frees it. A rest carries the token with the suffix ':rest', so that no
--            renewal that is still under way can stretch it, and nobody is woken before it has passed.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local owners = {}
local records = {}
redis.call('ZCARD', KEYS[2])
redis.call('ZCARD', KEYS[3])
for i = 4, #KEYS do
  owners[i] = redis.call('GET', KEYS[i])
  records[i] = redis.call('HGET', KEYS[1], ARGV[3 * i - 8])
end

local replies = {}
for i = 4, #KEYS do
  local token, digest, hold = ARGV[3 * i - 9], ARGV[3 * i - 8], tonumber(ARGV[3 * i - 7])
  local owner = owners[i]
  if owner == token or (owner and digest == '' and string.sub(owner, 1, #token + 1) == token .. ' ') then
    local rest = hold - now
    if rest > 0 then
      -- A removal comes first: it works when Redis is out of memory, and what follows a first write does, too.
      redis.call('ZREM', KEYS[2], digest)
      redis.call('SET', KEYS[i], token .. ':rest', 'PX', string.format('%.0f', rest))
      if records[i] and string.sub(records[i], 1, #token + 1) == token .. ' ' then
        redis.call('HSET', KEYS[1], digest, token .. ':rest' .. string.sub(records[i], #token + 1))
      end
      redis.call('ZADD', KEYS[2], hold, digest)
      redis.call('ZADD', KEYS[3], 'XX', hold, 'k:' .. digest)
    else
      redis.call('DEL', KEYS[i])
      redis.call('HDEL', KEYS[1], digest)
      redis.call('ZREM', KEYS[2], digest)
      redis.call('PUBLISH', ARGV[1] .. ':' .. KEYS[i], KEYS[i])
      -- Whoever is parked on the key is promoted by the next reservation, which this makes happen now.
      if redis.call('ZADD', KEYS[3], 'XX', 'CH', string.format('%.0f', now), 'k:' .. digest) == 1 then
        redis.call('PUBLISH', ARGV[2], '')
      end
    end
    replies[i - 3] = 1
  elseif owner == token .. ':rest' then
    replies[i - 3] = 1
  elseif owner then
    replies[i - 3] = 0
  else
    replies[i - 3] = -1
  end
end
return replies
