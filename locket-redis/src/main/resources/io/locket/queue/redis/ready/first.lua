-- The first ready jobs of the queue 'names[i]', at most 'most', which is one more than may leave, so that it is known whether
-- others remain. Sets ready[i] to their ids, segments_of[i] to the numbers of the first segments, and sizes_of[i] to how many
-- jobs of each of these were read.

local index = PREFIX .. 'ready:' .. names[i]
local numbers, s, found, sizes = call('ZRANGE', index, '0', '1'), 1, nil, {nil}
while numbers[s] and not (found and #found >= most) do
  local more = call('ZRANGE', index .. ' ' .. numbers[s], '0', format('%d', most - 1 - (found and #found or 0)))
  sizes[s] = #more
  -- The general scripts remove the number of an empty segment, which only damaged data has.
  if #more == 0 then
    return {}
  end
  if found then
    for place = 1, #more do
      found[#found + 1] = more[place]
    end
  else
    found = more
  end
  -- Two segments are enough, unless many jobs are read, or most jobs of these segments are gone.
  if s == 2 and #found < most then
    numbers = call('ZRANGE', index, '0', format('%d', most - 1))
  end
  s = s + 1
end
ready[i], segments_of[i], sizes_of[i] = found or numbers, numbers, sizes
