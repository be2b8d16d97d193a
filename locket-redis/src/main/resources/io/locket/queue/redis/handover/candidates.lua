-- The jobs of a queue that may be handed out, by place: those that follow, and the ids of the first ones that are ready.

local followers, most = followers_of[i] or {}, want + CHECKS
if room > 0 then
  -- @insert ../ready/first.lua
end
local first, candidates, last_follower = ready[i] or {}, {}, 0
if #followers == 0 then
  candidates = first
else
  local copied = 0
  for _, follower in ipairs(followers) do
    -- Number of the ready jobs before it. Scores are not read, because each of them costs as much as a command.
    local before, segment = 0, math.floor(follower.n / SEGMENT)
    for s, size in ipairs(sizes_of[i] or {}) do
      local number = segments_of[i][s]
      if tonumber(number) < segment then
        before = before + size
      elseif tonumber(number) == segment then
        local earlier = call('ZCOUNT', PREFIX .. 'ready:' .. name .. ' ' .. number, '-inf', '(' .. follower.place)
        before = before + math.min(earlier, size)
      end
    end
    for place = copied + 1, before do
      candidates[#candidates + 1] = first[place]
    end
    copied, last_follower = math.max(copied, before), #candidates + 1
    candidates[last_follower] = follower
  end
  for place = copied + 1, #first do
    candidates[#candidates + 1] = first[place]
  end
end
