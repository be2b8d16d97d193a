-- The sets of ready jobs, for the scripts with store.lua. write.lua keeps the numbers of the segments up to date.

-- @include segment.lua

-- Returns the name of a segment, or, without a number, that of the set with the numbers.
local function ready_set(name, number)
  return PREFIX .. 'ready:' .. name .. (number and ' ' .. number or '')
end
