-- Changes of a queue by the walk. Each job that follows is subtracted from the parked ones, and each that is parked is added.

for rest = at, to do
  if candidates[rest].follows then
    still_ready[#still_ready + 1] = candidates[rest]
  end
end
if held > 0 or #followers > 0 then
  local parked_before = parked_of[i] or count_parked(state[i])
  if not parked_before then
    return {}
  end
  parked_of[i] = parked_before + held - #followers
  crowded = crowded or (held == CHECKS and parked_before < CHECKS)
end
taken = taken + out
of_queue[10 * i - TAKEN], of_queue[10 * i - GONE] = out, gone
of_queue[10 * i - READY] = of_queue[10 * i - READY] - gone + #still_ready - still_ready_before
of_queue[10 * i - RUNNING] = of_queue[10 * i - RUNNING] + out
if held == CHECKS then
  cut = true
elseif want > 0 and yielding == 0 and (taken < slots or at > #candidates) then
  -- The walk ends before it has examined as many ready jobs as were read, so there are no others.
  idle = idle or {}
  idle[#idle + 1] = name
end
