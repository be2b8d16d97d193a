-- The last fencing token of the namespace. A damaged value counts as absent, and the next token is the time.

local LARGEST_FENCE = 9007000000000000

-- Returns the number of a fencing token, or 0 if it is not a number or too large to grow.
local function fence_of(raw)
  local number = (type(raw) == 'string' and #raw <= 16 and string.find(raw, '^%d+$')) and tonumber(raw) or 0
  return number < LARGEST_FENCE and number or 0
end

local function last_fence(key)
  return fence_of(redis.call('GET', key))
end
