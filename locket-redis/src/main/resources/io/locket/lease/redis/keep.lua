-- Renews one lease by its lock alone, for a cluster whose slot moves. No script can use both the lock and the index while
-- they are on different nodes.
--
-- KEYS[1] lock      see acquire.lua
-- ARGV[1] token     and a space
-- ARGV[2] duration  ms
--
-- Reply: {1} renewed, {0} another owner, {-1} gone.
-- Repetition: renews again.
-- Invariant: only the token that holds a key moves its expiry. It uses one key, so that the node that it reaches has it
--            if any node has. The index follows at the next renewal.

local owner = redis.call('GET', KEYS[1])
if owner and string.sub(owner, 1, #ARGV[1]) == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {1}
end
return {owner and 0 or -1}
