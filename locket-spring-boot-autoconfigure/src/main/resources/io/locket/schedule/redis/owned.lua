-- Tells which schedules end with a process.
--
-- ARGV[3] digest, ARGV[4] fencing token of the lease of that process
-- ARGV[5..] names of schedules
--
-- Reply: {'held', those that do}, or {'lost'} if the lease does not hold.

local digest, fence = ARGV[3], ARGV[4]
if not holds(digest, fence) then
  return {'lost'}
end
local names, owned = {unpack(ARGV, 5)}, {}
load_schedules(names)
for _, name in ipairs(names) do
  local schedule = book[name]
  if schedule and schedule.od == digest and schedule.ot == fence then
    owned[#owned + 1] = name
  end
end
return {'held', owned}
