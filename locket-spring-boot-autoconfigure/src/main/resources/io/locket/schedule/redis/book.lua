-- The schedules of a namespace. As in store.lua, what is read is read once.
--
-- '<prefix>schedules' hash   name -> the record: a line of JSON that scripts own, and the JSON of the definition, which
--                            they only carry
--                            ':revision' -> a number that each change raises and no firing does
--
-- The line: r revision that has last changed it, o origin ('c' configured, 'p' persistent, 't' transient), of 1 if it is
-- disabled, p 1 if it is paused, s known since, f time up to which nothing fires any more, lf time that has fired last,
-- la the answer for its job, od and ot the digest and the fencing token (as text) of the lease with which a transient
-- one ends. Times are in ms.

local BOOK = PREFIX .. 'schedules'
local REVISION = ':revision'

-- Lua passes some thousands of arguments to a function at most.
local READ_AT_ONCE = 1000

local book = {}
local holding = {}

local function parse_schedule(raw)
  local line = raw and string.find(raw, '\n', 1, true)
  if not line then
    return false
  end
  local readable, schedule = pcall(cjson.decode, string.sub(raw, 1, line - 1))
  if not readable or type(schedule) ~= 'table' or not schedule.r then
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

local function revision()
  return tonumber(redis.call('HGET', BOOK, REVISION) or 0)
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
  return schedule.o == 't' and not holds(schedule.od, schedule.ot)
end
