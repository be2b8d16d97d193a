-- The jobs of a queue that may be handed out, by place: those that follow, and the ids of the first ones that are ready.

local followers, candidates, last_follower = followers_of[i] or {}, {}, 0
-- Ids and places in turn; how many of them are read, which is one more than may leave; and the segments, as in ready/first.lua.
local first, most, index, sizes = {}, want + CHECKS, PREFIX .. 'ready:' .. name, {}
local numbers = (room > 0) and call('ZRANGE', index, '0', format('%d', most - 1)) or {}
for s = 1, #numbers do
  local more = (#first < 2 * most)
      and call('ZRANGE', index .. ' ' .. numbers[s], '0', format('%d', most - #first / 2 - 1), 'WITHSCORES') or {}
  sizes[s] = #more / 2
  if #more == 0 and #first < 2 * most then
    return {}
  end
  for part = 1, #more do
    first[#first + 1] = more[part]
  end
end
segments_of[i], sizes_of[i] = numbers, sizes
local follower = 1
for entry = 1, #first + 1, 2 do
  local place = tonumber(first[entry + 1] or math.huge)
  while followers[follower] and followers[follower].n < place do
    candidates[#candidates + 1] = followers[follower]
    follower, last_follower = follower + 1, #candidates
  end
  candidates[#candidates + 1] = first[entry]
end
