-- Records of the runs that end, and of the first jobs of each queue, until there are enough.

-- The numbers of groups and of runs that end, and the number of arguments before their ids.
local ENDS = '>HH'
local ENDS_AT = 5

local groups, ends, group_at = 0, 0, nil
if ARGV[5] ~= '' then
  groups, ends, group_at = read(ENDS, ARGV[5])
end
local ids, ready, read_from = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil}, ends
for i = 1, ends do
  ids[i] = ARGV[ENDS_AT + i]
end
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
