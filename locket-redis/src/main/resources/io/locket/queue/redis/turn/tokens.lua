-- The last fencing token, and tickets that jobs release.

-- Fencing tokens of runs have 16 digits, since 2001. The clock of a test may be earlier.
local SMALLEST_FENCE = 1000000000000000

local fence
if lock_count > freed then
  -- A fencing token that is damaged, or too large to grow, counts as none: time goes on from there.
  local number = (last_fence and #last_fence <= 16 and string.find(last_fence, '^%d+$')) and tonumber(last_fence) or 0
  fence = math.max((number < 9007000000000000) and number or 0, now_us - 1)
  if fence < SMALLEST_FENCE then
    return {}
  end
end
local own
if tickets then
  own = {}
  for i, id in ipairs(call('HMGET', PREFIX .. 'tickets', unpack(tickets))) do
    if id == holders[i] then
      own[#own + 1] = tickets[i]
    end
  end
end
