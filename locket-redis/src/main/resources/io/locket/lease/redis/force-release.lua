-- Removes a lease or a claim if the expected owner still holds it, and advances the fence.
--
-- KEYS[1] lock      see acquire.lua, or a claim, see claim.lua
-- KEYS[2] index     zset, see release.lua
-- KEYS[3] fence     string, see acquire.lua
-- KEYS[4] jobs      hash   of the queue: records of jobs by id
-- KEYS[5] due       zset   of the queue: 'k:<digest>' for a key with parked jobs, by the time of its next check
-- ARGV[1] digest    empty for a claim
-- ARGV[2] channel   a freed key is published on '<channel>:<key>'
-- ARGV[3] owner     the expected value of the lock. A mark for a waiter, see acquire.lua, may have been added or not
-- ARGV[4] work      the channel on which the queue's workers are notified of work
--
-- Reply: {now ms} if that owner does not hold the key any more, {now ms, remaining ms, holder or ''} if it was evicted.
-- Repetition: the key is free or has another owner, so nothing changes.
-- Invariant: the fence is above the evicted lease's before the key can be acquired again.

local function unmarked(value)
  return (string.gsub(value, ' w$', ''))
end

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local owner = redis.call('GET', KEYS[1])
local last = last_fence(KEYS[3])
local parked = redis.call('ZSCORE', KEYS[5], 'k:' .. ARGV[1])
-- Fails before the first write if the index is damaged.
redis.call('ZSCORE', KEYS[2], ARGV[1])
if not owner or unmarked(owner) ~= unmarked(ARGV[3]) then
  return {now}
end

local holder = record_of(owner, KEYS[4], owner)
local remaining = redis.call('PTTL', KEYS[1])
-- A removal comes first because it is permitted when Redis is out of memory, and so are all writes after the first one.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[3], string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2])))
redis.call('ZREM', KEYS[2], ARGV[1])
redis.pcall('PUBLISH', ARGV[2] .. ':' .. KEYS[1], KEYS[1])
if parked then
  -- The next reservation promotes the jobs parked on the key, before all that is due.
  redis.call('ZADD', KEYS[5], 'XX', '0', 'k:' .. ARGV[1])
  redis.pcall('PUBLISH', ARGV[4], '')
end
return {now, remaining, holder}
