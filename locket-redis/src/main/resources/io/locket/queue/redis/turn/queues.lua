-- Number of jobs of each queue that are handed out, and queues without further jobs.

local idle
local taken = 0

for i = 1, requested do
  if taken < slots then
    local first, limit, running, count = ready[i], of_queue[10 * i - LIMIT], of_queue[10 * i - RUNNING], 0
    if not first then
      -- The jobs before were enough, but those of a paused or full queue are not handed out.
      -- @insert ../ready/first.lua
      first = ready[i]
      for place, raw in ipairs((#first > 0) and call('HMGET', JOBS, unpack(first, 1, math.min(#first, slots))) or first) do
        raws[read_from + place] = raw
      end
      read_from = read_from + math.min(#first, slots)
    end
    if #first > 0 and not state[i] then
      return {}
    elseif of_queue[10 * i - PAUSED] == 0 then
      count = math.min(slots - taken, #first, (limit > 0) and math.max(limit - running, 0) or slots)
    end
    taken = taken + count
    of_queue[10 * i - TAKEN], of_queue[10 * i - GONE] = count, count
    of_queue[10 * i - READY], of_queue[10 * i - RUNNING] = of_queue[10 * i - READY] - count, running + count
    if count == #first or taken < slots then
      idle = idle or {}
      idle[#idle + 1] = names[i]
    end
  end
end
if request ~= '' and taken + ends == 0 then
  -- @include idle.lua
end
