-- Renews a batch of leases and lists them in the index. A missing lock is not created again. Entries of dead holders are
-- removed, as many as a batch can add.
--
-- KEYS[1] index     zset, see release.lua. A lease is listed from its first renewal on
-- KEYS[2..] locks   one for each lease
-- ARGV              token and a space, duration in ms and digest for each lease, in the order of the locks
--
-- Reply: for each lease 1 renewed, 0 another owner, -1 gone.
-- Repetition: renews again.
-- Invariant: only the token that holds a key moves its expiry.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local owners = call('MGET', unpack(KEYS, 2))
local entries, replies = {}, {}
for i, owner in ipairs(owners) do
  local token = ARGV[3 * i - 2]
  if owner and string.sub(owner, 1, #token) == token then
    replies[i] = 1
    entries[#entries + 1] = now + ARGV[3 * i - 1]
    entries[#entries + 1] = ARGV[3 * i]
  else
    replies[i] = owner and 0 or -1
  end
end
-- The index comes first, so that a wrong type is refused before any write. A removal is the first write, even if it removes
-- nothing, because it is permitted when Redis is out of memory, and so are all writes after the first one.
if #entries > 0 then
  local dead = call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)
  dead[1] = dead[1] or ''
  call('ZREM', KEYS[1], unpack(dead))
  call('ZADD', KEYS[1], unpack(entries))
end
for i, reply in ipairs(replies) do
  if reply == 1 then
    call('PEXPIRE', KEYS[i + 1], ARGV[3 * i - 1])
  end
end
return replies
