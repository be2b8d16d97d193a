-- Writes a mark to the replication stream after the grants of leases and claims, so that a WAIT on the same connection
-- covers them.
--
-- KEYS[1] mark      string
-- KEYS[2..]         locks and claims
-- ARGV              the token of each, in the order of the locks and claims
--
-- Reply: for each 1 if its token holds it, 0 if not.
-- Repetition: writes a later mark.
-- Invariant: a lease or claim with the reply 1 was written before the mark, by this server.

local replies = {}
for i, token in ipairs(ARGV) do
  local value = redis.call('GET', KEYS[i + 1])
  replies[i] = (value == token or (value and string.sub(value, 1, #token + 1) == token .. ' ')) and 1 or 0
end
redis.call('SET', KEYS[1], '1')
return replies
