-- Tells all schedules but those of processes that have ended.
--
-- Reply: {time in ms, revision, then name and record of each}.

local names = schedule_names()
load_schedules(names)
local reply = {text(now), text(revision())}
for _, name in ipairs(names) do
  local schedule = book[name]
  if schedule and not has_ended(schedule) then
    reply[#reply + 1] = name
    reply[#reply + 1] = schedule_record(schedule)
  end
end
return reply
