-- Data of the schedules of a namespace. As in store.lua, each record is read once.
--
-- '<prefix>schedules' hash   name -> the record: a line of JSON that scripts own, and the JSON of the definition, which
--                            they only read to compare the times of a changed schedule
--                            ':revision' -> a number that increases with each change but not with firings
--
-- Fields of the line: r revision of the last change, g group, o origin ('c' configured, 'p' persistent, 't' transient),
-- of 1 if disabled, p 1 if paused, s known since, f time up to which nothing fires any more, lf time of the last firing,
-- la the result for its job, od and ot the digest and the fencing token (as text) of the lease with which a transient
-- schedule ends; od of a configured one is the digest of its leaders' lease, en when it ended or was first loaded after
-- its end, xo 1 if another process has had a transient schedule of this name before. Times are in ms.
--
-- The record of an ended schedule stays for a while. A transient schedule ends with its lease, and a configured one when a
-- leader is not configured with it, which sets en. Their records keep pauses and firings in case they are put again. A
-- transient schedule that was removed leaves a tombstone, with rm 1 and without ot, and so does one with xo. It is never
-- continued. With it, processes can distinguish a removal from a record that Redis has lost.
--
-- An incomplete record is damaged. It does not fire and does not affect others, but can be removed and put again.

-- Lifetimes of a record after its end, in ms: of one that is paused, and of all others. Processes check every ten seconds.
local PAUSE_MILLIS, NOTE_MILLIS = 7 * 86400000, 3600000

local BOOK = PREFIX .. 'schedules'
local REVISION = ':revision'

-- A Lua function accepts at most some thousands of arguments.
local READ_AT_ONCE = 1000

local book = {}
local raws = {}
local holding = {}

local parse_schedule

do
  local ORIGINS = {c = true, p = true, t = true}

  local function is_time(value)
    return type(value) == 'number' and value >= 0 and value <= LATEST and value == math.floor(value)
  end

  local function is_flag(value)
    return value == nil or value == 1
  end

  local function is_result(result)
    if type(result) ~= 'table' or #result < 2 or #result > 3 then
      return false
    end
    for _, part in pairs(result) do
      if type(part) ~= 'string' then
        return false
      end
    end
    return true
  end

  -- cjson reads infinity but cannot write it. Except for the result, the line is flat.
  local function is_writable(line)
    for field, value in pairs(line) do
      if (type(value) == 'table' and field ~= 'la') or (type(value) == 'number' and not (math.abs(value) <= LARGEST)) then
        return false
      end
    end
    return true
  end

  local function is_whole_schedule(line)
    return is_writable(line) and is_time(line.r) and type(line.g) == 'string' and ORIGINS[line.o] and is_flag(line.of) and is_flag(line.p)
        and is_flag(line.rm) and is_flag(line.xo) and (line.en == nil or is_time(line.en))
        and is_time(line.s) and is_time(line.f)
        and ((line.lf == nil and line.la == nil) or (is_time(line.lf) and is_result(line.la)))
        and (line.o == 'p' or type(line.od) == 'string') and (line.o ~= 't' or line.rm or type(line.ot) == 'string')
  end

  parse_schedule = function(raw)
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
      -- The field of the revision is no schedule.
      missing[#missing + 1] = (name ~= REVISION) and name or nil
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

-- Returns the names of all schedules.
local function schedule_names()
  local names = {}
  for _, name in ipairs(redis.call('HKEYS', BOOK)) do
    if name ~= REVISION then
      names[#names + 1] = name
    end
  end
  return names
end

-- Returns the revision. A damaged value, one that is not a number of the size of a time, counts as 0.
local function revision()
  local raw = redis.call('HGET', BOOK, REVISION) or ''
  return (#raw <= 13 and string.find(raw, '^%d+$')) and tonumber(raw) or 0
end

-- Returns a revision that was never used before, even if Redis has lost the last one, because a leader may still use it.
local function next_revision()
  return math.max(revision() + 1, now)
end

-- Returns whether the lease of a key still has a fencing token. The record of the holder contains it, and counts only
-- while its token is the value of the key.
local function holds_lease(digest, token)
  local proof = digest .. ' ' .. token
  if holding[proof] == nil then
    -- The value of a lease's lock begins with its token and its fencing token.
    local owner = owner_of(digest)
    holding[proof] = (owner and string.match(owner, '^%S+ (%d+) ') == token) or false
  end
  return holding[proof]
end

-- Returns whether a schedule has ended with its process or its configuration, or is a tombstone.
local function has_ended(schedule)
  if schedule.o == 't' then
    return schedule.rm == 1 or not holds_lease(schedule.od, schedule.ot)
  end
  return schedule.o == 'c' and schedule.en ~= nil
end

-- Returns whether the group of a configured schedule has no leader.
local function is_orphaned(schedule)
  return schedule.o == 'c' and not owner_of(schedule.od)
end
