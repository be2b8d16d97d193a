-- Extends a claim to its full period. claim.lua has granted only the beginning of it.
--
-- KEYS[1] claim     string, see claim.lua
-- ARGV[1] token
-- ARGV[2] period    ms, from when the claim was made
--
-- Reply: {1} if the token has the claim, {0} if not.
-- Repetition: sets the same expiry again.
-- Invariant: a claim that no longer exists is not created again.

local claim = redis.call('GET', KEYS[1])
local token, since = string.match(claim or '', '^(%S+) %d+ (%d+) ')
if token ~= ARGV[1] then
  return {0}
end
local time = redis.call('TIME')
local passed = time[1] * 1000 + math.floor(time[2] / 1000) - since
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.max(math.min(ARGV[2] - passed, ARGV[2]), 1)))
return {1}
