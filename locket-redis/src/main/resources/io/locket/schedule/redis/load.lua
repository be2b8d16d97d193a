-- Returns schedules, except those of processes that have ended, at most one page. Deletes outdated tombstones, which would
-- otherwise accumulate while a leader leads for long.
--
-- ARGV[3..] their names, or nothing for all
--
-- Reply: {time in ms, revision, names for further pages, name and record of each damaged one, name and record of each}.

local wanted, more = {}, {}
if #ARGV > 2 then
  wanted = {unpack(ARGV, 3)}
else
  for i, name in ipairs(schedule_names()) do
    local into = (i <= READ_AT_ONCE) and wanted or more
    into[#into + 1] = name
  end
end
load_schedules(wanted)
local damaged, found, outdated = {}, {}, {}
for _, name in ipairs(wanted) do
  local schedule = book[name]
  local into = schedule and found or damaged
  if schedule and is_outdated_note(schedule) then
    outdated[#outdated + 1] = name
  end
  if raws[name] and not (schedule and has_ended(schedule)) then
    into[#into + 1] = name
    into[#into + 1] = raws[name]
  end
end
if #outdated > 0 then
  -- A Redis that refuses writes still returns schedules.
  redis.pcall('HDEL', BOOK, unpack(outdated))
end
return {text(now), text(revision()), more, damaged, found}
