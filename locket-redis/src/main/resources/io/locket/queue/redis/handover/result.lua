-- What the walk has changed in a queue. Each job that follows leaves the parked ones, and each that is parked joins them.

local left_before = #left
for rest = at, to do
  if candidates[rest].follows then
    left[#left + 1] = candidates[rest]
  end
end
if checks > 0 and not parked_of[i] then
  if byte(state[i], 2) < COUNTERS_TO_PARKED then
    return {}
  end
  parked_of[i] = read(PARKED_COUNTER, state[i], PARKED_COUNTER_FROM)
end
parked_of[i] = parked_of[i] and parked_of[i] + checks - #followers
taken = taken + out
of_queue[10 * i - TAKEN], of_queue[10 * i - LEFT] = out, gone
of_queue[10 * i - READY] = of_queue[10 * i - READY] - gone + #left - left_before
of_queue[10 * i - RUNNING] = of_queue[10 * i - RUNNING] + out
if checks == CHECKS then
  cut = true
elseif want > 0 and (taken < slots or at > #candidates) then
  -- The walk ends before it has examined as many ready jobs as were read, so there are no others.
  idle = idle or {}
  idle[#idle + 1] = name
end
