-- Tries each command that other scripts use, on a key reserved for this check.
--
-- KEYS[1] scratch   a key of the namespace, which is gone afterwards or, without the permission to delete, a second later
-- ARGV[1..] channels to publish on, where the message '?' has no effect
--
-- Reply: the permissions that the user lacks, as ACL SETUSER takes them.
-- Repetition: harmless.

local missing = {}

local function denied(reply)
  return type(reply) == 'table' and reply.err and (string.find(reply.err, 'NOPERM', 1, true)
    or string.find(reply.err, 'ACL failure', 1, true) or string.find(reply.err, "The user executing the script can't", 1, true))
end

local function try(command, ...)
  if denied(redis.pcall(command, ...)) then
    missing[#missing + 1] = '+' .. string.lower(command)
  end
end

local key = KEYS[1]
try('TIME')
try('PUBSUB', 'NUMPAT')
try('DEL', key)
try('SET', key, '1', 'PX', '1000')
try('GET', key)
try('GETSET', key, '1')
try('MGET', key)
try('MSET', key, '1')
try('PTTL', key)
redis.pcall('DEL', key)
try('HSET', key, 'f', '1')
try('PEXPIRE', key, '1000')
try('HGET', key, 'f')
try('HMGET', key, 'f')
try('HKEYS', key)
try('HSCAN', key, '0')
try('HDEL', key, 'f')
try('PEXPIREAT', key, '1')
redis.pcall('DEL', key)
try('ZADD', key, '1', 'm')
redis.pcall('PEXPIRE', key, '1000')
try('ZCARD', key)
try('ZCOUNT', key, '0', '1')
try('ZSCORE', key, 'm')
try('ZRANK', key, 'm')
try('ZRANGE', key, '0', '0')
try('ZRANGEBYSCORE', key, '0', '1')
try('ZRANGEBYLEX', key, '-', '+')
try('ZSCAN', key, '0')
try('ZREM', key, 'm')
try('ZREMRANGEBYRANK', key, '0', '0')
redis.pcall('DEL', key)
for _, channel in ipairs(ARGV) do
  local reply = redis.pcall('PUBLISH', channel, '?')
  if denied(reply) then
    missing[#missing + 1] = string.find(reply.err, 'channel', 1, true) and '&' .. channel or '+publish'
  end
end
return missing
