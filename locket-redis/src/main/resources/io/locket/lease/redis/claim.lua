-- Claims a key once for a period, or returns the existing claim. A claim is never renewed. A long period begins with a
-- short one, which confirm-claim.lua extends after the reply has arrived.
--
-- KEYS[1] claim     string '<token> <fence> <since ms> <JSON>', PX
-- KEYS[2] fence     string, see acquire.lua
-- ARGV[1] token     made by the client before the call, new for each claim
-- ARGV[2] period    ms
-- ARGV[3] record    JSON of the holder
--
-- Reply: {1, fence, since} if the claim is the token's, {0, remaining ms, the claim} if it is another's.
-- Repetition: a token that has the claim gets its first reply again.

local claim = redis.call('GET', KEYS[1])
if claim then
  local token, fence, since = string.match(claim, '^(%S+) (%d+) (%d+) ')
  if token == ARGV[1] then
    return {1, fence, since}
  end
  return {0, redis.call('PTTL', KEYS[1]), claim}
end

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local last = last_fence(KEYS[2])
local fence = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. fence .. ' ' .. now .. ' ' .. ARGV[3], 'PX', ARGV[2])
redis.call('SET', KEYS[2], fence)
return {1, fence, now}
