-- Ids of the runs that end.

-- The numbers of groups and of runs that end, and the number of arguments before their ids.
local ENDS = '>HH'
local ENDS_AT = 5

local groups, ends, group_at = 0, 0, nil
if ARGV[5] ~= '' then
  groups, ends, group_at = read(ENDS, ARGV[5])
end
local ids = {nil, nil, nil, nil, nil, nil, nil, nil}
for i = 1, ends do
  ids[i] = ARGV[ENDS_AT + i]
end
