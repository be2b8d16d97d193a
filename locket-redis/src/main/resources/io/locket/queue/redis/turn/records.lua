-- Records of the runs that end, and of the first jobs of each queue, until there are enough.

-- The runs that end, up to their queues, and the number of arguments before their ids.
local ENDS = '>Hc0HH'
local ENDS_AT = 6

local ends, ends_queues, nonce, ends_at = 0, 0, nil, nil
if ARGV[5] ~= '' then
  nonce, ends, ends_queues, ends_at = read(ENDS, ARGV[6])
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
