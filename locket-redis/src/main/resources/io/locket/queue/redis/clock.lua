-- Time, random numbers, and keys that expire. Tests with a manual clock replace only this part.

local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now = math.floor(now_us / 1000)

-- Returns a number from 0 to 1, for jitter.
local function chance()
  return (now_us % 1000) / 1000
end

local function get_all(keys)
  return redis.call('MGET', unpack(keys))
end

local function ttl(key)
  return redis.call('PTTL', key)
end

local periods = {}

-- Redis refuses an expiry of zero, and one beyond its range of numbers. '%d' costs a third of '%.0f'.
local function period(ms)
  periods[ms] = periods[ms] or string.format((ms < 2147483648) and '%d' or '%.0f', math.min(math.max(ms, 1), 1e15))
  return periods[ms]
end

local function set_for(key, value, ms)
  redis.call('SET', key, value, 'PX', period(ms))
end

local function extend(key, ms)
  redis.call('PEXPIRE', key, period(ms))
end

-- Lets a key expire at a time in ms, as a text.
local function expire_at(key, at)
  redis.call('PEXPIREAT', key, at)
end
