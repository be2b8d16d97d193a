-- Records of the runs that end, and of the first jobs of each queue, until there are enough.

-- By queue, see ready/first.lua.
local ready, segments_of, sizes_of = {nil}, {nil}, {nil}
local read_from, most = ends, slots + 1
for i = 1, requested do
  if read_from - ends < slots then
    -- @insert ../ready/first.lua
    local first = ready[i]
    for place = 1, math.min(#first, slots) do
      read_from = read_from + 1
      ids[read_from] = first[place]
    end
  end
end
local raws = (read_from > 0) and call('HMGET', JOBS, unpack(ids)) or ids
