-- Renews a batch of leases. Nothing that is gone is created again.
--
-- KEYS[1] index     zset, see acquire.lua
-- KEYS[2..] locks   one for each lease
-- ARGV              token, duration in ms and digest for each lease, in the order of the locks
--
-- Reply: for each lease 1 renewed, 0 another owner, -1 gone.
-- Repetition: renews again, which is what was asked.
-- Invariant: only the token that holds a key moves its expiry.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local locks = {}
for i = 2, #KEYS do
  locks[i - 1] = KEYS[i]
end
local owners = redis.call('MGET', unpack(locks))
redis.call('ZCARD', KEYS[1])

local replies = {}
for i, lock in ipairs(locks) do
  local token, duration, digest = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  if owners[i] == token then
    redis.call('PEXPIRE', lock, duration)
    redis.call('ZADD', KEYS[1], now + duration, digest)
    replies[i] = 1
  elseif owners[i] then
    replies[i] = 0
  else
    replies[i] = -1
  end
end
return replies
