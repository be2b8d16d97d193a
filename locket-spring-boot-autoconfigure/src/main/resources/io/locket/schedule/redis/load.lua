-- Tells all schedules but those of processes that have ended; or the names of those that end with one process.
--
-- ARGV[3] digest, ARGV[4] fencing token of the lease of that process, or nothing
--
-- Reply: {time in ms, revision, then name and record of each, or names}; {time} if that lease does not hold.

local digest, fence = ARGV[3], ARGV[4]
if digest and not holds(digest, fence) then
  return {text(now)}
end
local names = schedule_names()
load_schedules(names)
local reply = {text(now), text(revision())}
for _, name in ipairs(names) do
  local schedule = book[name]
  if schedule and digest and schedule.od == digest and schedule.ot == fence then
    reply[#reply + 1] = name
  elseif schedule and not digest and not has_ended(schedule) then
    reply[#reply + 1] = name
    reply[#reply + 1] = schedule_record(schedule)
  end
end
return reply
