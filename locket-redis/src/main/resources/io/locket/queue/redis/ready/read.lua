-- Reads the ready jobs of a queue by place, without the changes of this script.

-- Number of segments whose numbers are read at once.
local SEGMENTS_AT_ONCE = 16

-- Returns entries from a place on, ids and places in turn, and the sets that they are in.
local function read_ready(name, from, limit)
  local entries, sets, read = {}, {}, 0
  local first = tonumber(from) and text(math.floor(tonumber(from) / SEGMENT)) or from
  repeat
    local numbers = redis.call('ZRANGEBYSCORE', ready_set(name), first, '+inf', 'LIMIT', read, SEGMENTS_AT_ONCE)
    read = read + #numbers
    for _, number in ipairs(numbers) do
      local key, left = ready_set(name, number), limit - #sets
      for _, part in ipairs(left > 0 and redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', 0, left) or {}) do
        entries[#entries + 1] = part
        sets[math.ceil(#entries / 2)] = key
      end
    end
  until #numbers < SEGMENTS_AT_ONCE or #sets >= limit
  return entries, sets
end
