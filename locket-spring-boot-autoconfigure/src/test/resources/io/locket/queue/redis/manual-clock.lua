-- Time that tests move by hand: '<prefix>test-now' is the time in ms, and '<prefix>test-expiry' has that of each key
-- that expires. Every call is ten microseconds later than the one before.

local now = tonumber(redis.call('GET', ARGV[1] .. 'test-now'))
local now_us = now * 1000 + redis.call('INCR', ARGV[1] .. 'test-calls') * 10

local function chance()
  return 0
end

local function get_all(keys)
  local values = redis.call('MGET', unpack(keys))
  local expiries = redis.call('HMGET', ARGV[1] .. 'test-expiry', unpack(keys))
  for i in ipairs(keys) do
    if expiries[i] and tonumber(expiries[i]) <= now then
      values[i] = false
    end
  end
  return values
end

local function ttl(key)
  local expiry = redis.call('HGET', ARGV[1] .. 'test-expiry', key)
  return expiry and math.max(tonumber(expiry) - now, 0) or -1
end

local function set_for(key, value, ms)
  redis.call('SET', key, value)
  redis.call('HSET', ARGV[1] .. 'test-expiry', key, string.format('%.0f', now + ms))
end

local function extend(key, ms)
  redis.call('HSET', ARGV[1] .. 'test-expiry', key, string.format('%.0f', now + ms))
end

local function expire_at(key, at)
  redis.call('HSET', ARGV[1] .. 'test-expiry', key, at)
end
