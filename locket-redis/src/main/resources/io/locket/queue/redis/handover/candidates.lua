-- The jobs of a queue that may be handed out, by place: those that follow, and the ids of the first ones that are ready.

local followers, candidates, last_follower = followers_of[i] or {}, {}, 0
local first = (room > 0)
    and call('ZRANGE', PREFIX .. 'ready:' .. name, '0', format('%d', want + CHECKS - 1), 'WITHSCORES') or {}
local follower = 1
for entry = 1, #first + 1, 2 do
  local place = tonumber(first[entry + 1] or math.huge)
  while followers[follower] and followers[follower].n < place do
    candidates[#candidates + 1] = followers[follower]
    follower, last_follower = follower + 1, #candidates
  end
  candidates[#candidates + 1] = first[entry]
end
