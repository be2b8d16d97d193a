-- Records of the runs that end, and of the first jobs of each queue, until there are enough.

local ready, read_from = {nil}, ends
for i = 1, asked do
  if read_from - ends < slots then
    local first = call('ZRANGE', PREFIX .. 'ready:' .. names[i], '0', format('%d', slots))
    ready[i] = first
    for place = 1, math.min(#first, slots) do
      read_from = read_from + 1
      ids[read_from] = first[place]
    end
  end
end
local raws = (read_from > 0) and call('HMGET', JOBS, unpack(ids)) or ids
