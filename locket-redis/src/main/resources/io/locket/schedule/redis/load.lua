-- Returns schedules, except those that have ended, at most one page. Deletes the records of those that ended an hour ago, or a
-- week ago if they are paused, which would otherwise accumulate while a leader leads for long.
--
-- ARGV[3..] their names, or nothing for all
--
-- Reply: {time in ms, revision, names for further pages, name and record of each damaged one, name and record of each}.

-- Maximum number of schedules that a call reads, which takes a few ms. The caller has the same number.
local PAGE = 500

local wanted, more = {}, {}
if #ARGV > 2 then
  wanted = {unpack(ARGV, 3)}
else
  for i, name in ipairs(schedule_names()) do
    local into = (i <= PAGE) and wanted or more
    into[#into + 1] = name
  end
end
load_schedules(wanted)
local damaged, found, outdated, ends = {}, {}, {}, {}

-- An ended schedule may be put again, by its process, another process or a leader. It then keeps its pause.
local function note_end(name, schedule)
  if not schedule.en then
    schedule.en = now
    ends[#ends + 1] = name
    ends[#ends + 1] = schedule_record(schedule)
  elseif now - schedule.en >= (schedule.p == 1 and PAUSE_MILLIS or NOTE_MILLIS) then
    outdated[#outdated + 1] = name
  end
end

for _, name in ipairs(wanted) do
  local schedule = book[name]
  local into = schedule and found or damaged
  if schedule and has_ended(schedule) then
    note_end(name, schedule)
  elseif raws[name] then
    into[#into + 1] = name
    into[#into + 1] = raws[name]
  end
end
-- A Redis that refuses writes still returns schedules.
if #outdated > 0 then
  redis.pcall('HDEL', BOOK, unpack(outdated))
end
if #ends > 0 then
  redis.pcall('HSET', BOOK, unpack(ends))
end
return {text(now), text(revision()), more, damaged, found}
