-- Tells who holds some keys. Writes nothing.
--
-- KEYS[1] holders   hash, see acquire.lua
-- KEYS[2] jobs      hash, see acquire.lua
-- KEYS[3..] locks   or claims
-- ARGV              the digest of each, in the order of the locks
--
-- Reply: {now ms}, then owner ('' if the key is free), remaining ms and record ('' for none) of each.

local time = redis.call('TIME')
local replies = {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))}
for i = 3, #KEYS do
  local owner = redis.call('GET', KEYS[i]) or ''
  replies[#replies + 1] = owner
  replies[#replies + 1] = redis.call('PTTL', KEYS[i])
  replies[#replies + 1] = record_of(owner, KEYS[2], redis.call('HGET', KEYS[1], ARGV[i - 2]))
end
return replies
