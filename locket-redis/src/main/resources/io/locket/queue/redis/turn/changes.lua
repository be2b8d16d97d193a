-- New counters of the queues, and which of them other workers are notified of.

-- @include parked-counter.lua

-- The counters that change begin and end at these bytes; others are copied.
local CHANGED_COUNTERS = '>i7i7i7'
local CHANGED_COUNTERS_FROM = 17
local CHANGED_COUNTERS_TO = 37

-- The fields of queues and their new counters.
local counters = {nil, nil, nil, nil}
local woken

for i = 1, queues do
  local ended_here, count, limit = of_queue[10 * i - ENDED_HERE], of_queue[10 * i - TAKEN] or 0, of_queue[10 * i - LIMIT]
  local ready_now, running, parked_now = of_queue[10 * i - READY], of_queue[10 * i - RUNNING], parked_of and parked_of[i]
  if ended_here + count > 0 or parked_now then
    local raw = state[i]
    local rest = parked_now and sub(raw, CHANGED_COUNTERS_TO + 1, PARKED_COUNTER_FROM - 1) .. pack(PARKED_COUNTER, parked_now)
        .. sub(raw, PARKED_COUNTER_TO + 1) or sub(raw, CHANGED_COUNTERS_TO + 1)
    counters[#counters + 1] = fields[i]
    counters[#counters + 1] = sub(raw, 1, CHANGED_COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, ready_now, running,
        of_queue[10 * i - SUCCEEDED]) .. rest
  end
  -- Other workers are notified of a queue that was full before its runs ended, and has room and jobs now. A queue that is not
  -- requested counts as full, because its limit is unknown.
  if ended_here > 0 and ready_now > 0 and of_queue[10 * i - PAUSED] == 0
      and (not limit or (running - count + ended_here >= limit and running < limit)) then
    woken = woken or {}
    woken[#woken + 1] = names[i]
  end
end
