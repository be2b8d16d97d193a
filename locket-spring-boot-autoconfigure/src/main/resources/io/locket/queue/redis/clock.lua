-- Time, chance, and keys that expire by themselves. Tests that move time by hand replace this part, and only this one.

local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- A number from 0 to 1, for jitter.
local function chance()
  return (now_us % 1000) / 1000
end

local function get_all(keys)
  return redis.call('MGET', unpack(keys))
end

local function ttl(key)
  return redis.call('PTTL', key)
end

-- Redis refuses a time of nothing, and one that ends beyond its numbers.
local function period(ms)
  return string.format('%.0f', math.min(math.max(ms, 1), 1e15))
end

local function set_for(key, value, ms)
  redis.call('SET', key, value, 'PX', period(ms))
end

local function extend(key, ms)
  redis.call('PEXPIRE', key, period(ms))
end
