-- The last fencing token of the namespace. A damaged value counts as absent, and the next token is the time.

local LARGEST_FENCE = 9007000000000000

local function last_fence(key)
  local raw = redis.call('GET', key) or ''
  local number = (#raw <= 16 and string.find(raw, '^%d+$')) and tonumber(raw) or 0
  return number < LARGEST_FENCE and number or 0
end
