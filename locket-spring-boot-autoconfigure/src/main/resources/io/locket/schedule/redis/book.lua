-- The schedules of a namespace. As in store.lua, what is read is read once.
--
-- '<prefix>schedules' hash   name -> the record: a line of JSON that scripts own, and the JSON of the definition, which
--                            they only carry, but for the times of a schedule that is changed
--                            ':revision' -> a number that each change raises and no firing does
--
-- The line: r revision that has last changed it, g group, o origin ('c' configured, 'p' persistent, 't' transient), of 1
-- if it is disabled, p 1 if it is paused, s known since, f time up to which nothing fires any more, lf time that has
-- fired last, la the answer for its job, od and ot the digest and the fencing token (as text) of the lease with which a
-- transient one ends; od of a configured one the digest of its leaders' lease. Times are in ms.
--
-- A transient one that was removed while its process lives stays as a record with rm 1 and without ot, so that the process
-- can tell that from a record that Redis has forgotten. It is ended for everybody, and goes when its process has asked,
-- or when schedules are replaced after an hour.
--
-- A record that is not whole is damaged: it is no schedule, and holds up nobody, but can be removed and put anew.

-- How long a process has time to learn that a schedule of its own was removed: it looks every ten seconds.
local NOTE_MILLIS = 3600000

local BOOK = PREFIX .. 'schedules'
local REVISION = ':revision'

-- Lua passes some thousands of arguments to a function at most.
local READ_AT_ONCE = 1000

local ORIGINS = {c = true, p = true, t = true}

local book = {}
local raws = {}
local holding = {}

local function is_time(value)
  return type(value) == 'number' and value >= 0 and value <= LAST and value == math.floor(value)
end

local function is_flag(value)
  return value == nil or value == 1
end

local function is_answer(answer)
  if type(answer) ~= 'table' or #answer < 2 or #answer > 3 then
    return false
  end
  for _, part in pairs(answer) do
    if type(part) ~= 'string' then
      return false
    end
  end
  return true
end

local function is_whole_schedule(line)
  return is_time(line.r) and type(line.g) == 'string' and ORIGINS[line.o] and is_flag(line.of) and is_flag(line.p)
      and is_flag(line.rm)
      and is_time(line.s) and is_time(line.f)
      and ((line.lf == nil and line.la == nil) or (is_time(line.lf) and is_answer(line.la)))
      and (line.o == 'p' or type(line.od) == 'string') and (line.o ~= 't' or line.rm or type(line.ot) == 'string')
end

local function parse_schedule(raw)
  local line = raw and string.find(raw, '\n', 1, true)
  if not line then
    return false
  end
  local readable, schedule = pcall(cjson.decode, string.sub(raw, 1, line - 1))
  if not readable or type(schedule) ~= 'table' or not is_whole_schedule(schedule) then
    return false
  end
  schedule.body = string.sub(raw, line + 1)
  return schedule
end

local function schedule_record(schedule)
  local body = schedule.body
  schedule.body = nil
  local line = cjson.encode(schedule)
  schedule.body = body
  return line .. '\n' .. body
end

local function load_schedules(names)
  local missing = {}
  for _, name in ipairs(names) do
    if book[name] == nil then
      book[name] = false
      missing[#missing + 1] = name
    end
  end
  for from = 1, #missing, READ_AT_ONCE do
    local page = {unpack(missing, from, math.min(from + READ_AT_ONCE - 1, #missing))}
    for i, raw in ipairs(redis.call('HMGET', BOOK, unpack(page))) do
      book[page[i]] = parse_schedule(raw)
      raws[page[i]] = raw
    end
  end
end

-- The names of all schedules.
local function schedule_names()
  local names = {}
  for _, name in ipairs(redis.call('HKEYS', BOOK)) do
    if name ~= REVISION then
      names[#names + 1] = name
    end
  end
  return names
end

-- What is no number of the size of a time is damaged, and counts as nothing.
local function revision()
  local raw = redis.call('HGET', BOOK, REVISION) or ''
  return (#raw <= 13 and string.find(raw, '^%d+$')) and tonumber(raw) or 0
end

-- Not one that was there before, also if Redis has forgotten that: a leader may still go by it.
local function next_revision()
  return math.max(revision() + 1, now)
end

-- Whether the lease of a key still is the one with a fencing token: its holder's record tells that, and counts only while
-- its token is the value of the key.
local function holds(digest, fence)
  local proof = digest .. ' ' .. fence
  if holding[proof] == nil then
    local owner = owner_of(digest)
    local record = owner and redis.call('HGET', PREFIX .. 'holders', digest)
    local expected = owner and owner .. ' ' .. fence .. ' '
    holding[proof] = (record and string.sub(record, 1, #expected) == expected) or false
  end
  return holding[proof]
end

-- Whether the process of a schedule has ended, with which it ends.
local function has_ended(schedule)
  return schedule.o == 't' and (schedule.rm == 1 or not holds(schedule.od, schedule.ot))
end

-- Whether a record is there to tell the process of a transient schedule that this was removed.
local function is_note(schedule)
  return schedule.rm == 1 and now - schedule.s < NOTE_MILLIS and owner_of(schedule.od)
end

-- Whether nobody leads the group of a configured schedule.
local function is_orphaned(schedule)
  return schedule.o == 'c' and not owner_of(schedule.od)
end
