-- Releases a lease, or undoes an acquisition or a claim whose reply was lost.
--
-- KEYS[1] lock      see acquire.lua, or the claim, see claim.lua. The digest follows its last colon
-- KEYS[2] due       zset   of the queue: 'k:<digest>' for a key with parked jobs. Declared if its name does not follow from
--                   that of the lock, '{ns}:lease:<digest>', or if the index is declared
-- KEYS[3] index     zset   digest scored by the time at which its lease expires, in ms. Declared for a lease that was
--                   renewed, or has a minimum hold
-- ARGV[1] token     and a space
-- ARGV[2] listening '1' if registries may listen, '' if the script must check, '0' or absent if they recently did not
-- ARGV[3] until     the time until which the key stays taken at least (ms, Redis time), if it does
-- ARGV[4] rest      the longest rest of that time (ms), which counts if the clock has run back
--
-- A freed key with a waiter is published on '<registryKey>-channel:<key>', in the way of RedisLockRegistry. So is one that keeps
-- a rest, because its waiter expects the end of the lease. Workers of the queue are notified of a key with parked jobs on
-- '{ns}:work'. A waiter and a parked job leave the mark ' w' on the lease, see acquire.lua, and await_owner in life.lua of the
-- queue. A claim has no mark.
--
-- Reply: 1 released, 0 another owner, -1 gone; 2 released, and registries may listen; 3 released, with a rest.
-- Repetition: a lease whose key keeps a rest is released already (3); a deleted key is gone (-1).
-- Invariant: only the token that holds a key frees it. A rest carries the token with the suffix ':rest', so that no
--            concurrent renewal can extend it, and no waiter is granted the key before it has passed.

local call = redis.call
local owner = call('GET', KEYS[1])

if not owner then
  return -1
elseif string.sub(owner, 1, #ARGV[1]) ~= ARGV[1] then
  local rest = string.sub(ARGV[1], 1, -2) .. ':rest '
  return string.sub(owner, 1, #rest) == rest and 3 or 0
end
-- The byte is that of '}'.
local is_awaited = string.byte(owner, -1) ~= 125
if not (is_awaited or ARGV[2] or KEYS[3]) then
  call('DEL', KEYS[1])
  return 1
end

local digest = string.match(KEYS[1], '[^:]*$')
local registry = string.sub(KEYS[1], 1, -2 - #digest)
local due = KEYS[2] or string.sub(registry, 1, -1 - #'lease') .. 'due'
local parked = is_awaited and call('ZSCORE', due, 'k:' .. digest)
if KEYS[3] then
  call('ZREM', KEYS[3], digest)
end
if ARGV[3] then
  local time = call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local rest = math.min(ARGV[3] - now, tonumber(ARGV[4]))
  if rest > 0 then
    local ends = string.format('%.0f', now + rest)
    -- Two entries that have expired are removed for each that is added, so that the index does not grow.
    local dead = call('ZRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now), 'LIMIT', 0, 2)
    if #dead > 0 then
      call('ZREM', KEYS[3], unpack(dead))
    end
    call('SET', KEYS[1], string.sub(ARGV[1], 1, -2) .. ':rest' .. string.sub(owner, #ARGV[1]), 'PX',
        string.format('%.0f', rest))
    call('ZADD', KEYS[3], ends, digest)
    if parked then
      call('ZADD', due, 'XX', ends, 'k:' .. digest)
    end
    if is_awaited then
      redis.pcall('PUBLISH', registry .. '-channel:' .. KEYS[1], KEYS[1])
    end
    return 3
  end
end

call('DEL', KEYS[1])
local listening = ARGV[2] == '1'
if ARGV[2] == '' then
  local patterns = redis.pcall('PUBSUB', 'NUMPAT')
  listening = patterns ~= 0
end
if listening or is_awaited then
  redis.pcall('PUBLISH', registry .. '-channel:' .. KEYS[1], KEYS[1])
end
if parked then
  -- The next reservation promotes the jobs parked on the key, before all that is due.
  call('ZADD', due, 'XX', '0', 'k:' .. digest)
  redis.pcall('PUBLISH', string.sub(due, 1, -4) .. 'work', '')
end
return listening and 2 or 1
