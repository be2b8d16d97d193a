-- Changes schedules, all of them or none.
--
-- ARGV[3] what     'put', 'restore' (put missing schedules of a process), 'replace' (put, and remove all others of the
--                  origin and the group; configured ones end), 'remove', 'pause' or 'resume'
-- ARGV[4] origin   of the schedules to put: 'c' if the caller is the leader, else 'p' or 't'
-- ARGV[5] digest, ARGV[6] fencing token of the lease that has to hold: the leader's for 'c', that of the process for 't'
-- ARGV[7] group    for 'replace'
-- ARGV[8..]        'put', 'restore', 'replace': name, 1 if enabled, origin, group and definition of each; else names
--
-- Reply: {'done', names} of the schedules that were removed, paused or resumed; for the leader and 'restore', of those
--        that were not put because the name is taken or the schedule was removed; a third element has the names of the
--        configured schedules that this call has ended; {'taken', name and group of each} if nothing was done because
--        these belong to other groups, or are configured and cannot be removed; {'lost'} if the lease does not hold.
-- Repetition: an identical schedule does not change. A removed schedule no longer exists.
-- Invariant: a schedule is changed by its group only, but can be removed and paused by all. Configured schedules are put
--            and removed by the leader of their group, which changes no others. Schedules of a group without a leader can
--            be changed by all, because the group may be that of an application that was renamed. A change raises the
--            revision, and keeps the pause and the times of the schedule. If it changes the times, nothing fires for a
--            time up to the change.

local what, origin, digest, token, group = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
-- Whether the arguments are schedules, and not only names.
local puts = what == 'put' or what == 'restore' or what == 'replace'

if digest ~= '' and not holds_lease(digest, token) then
  return {'lost'}
end

-- The names of the schedules to write and to delete.
local changed, deleted = {}, {}

local function set(name, schedule)
  book[name] = schedule
  changed[#changed + 1] = name
end

-- Deletes a schedule. If a process has put one of its name, a tombstone stays, so that this process does not put it again.
local function delete(name)
  local old = book[name]
  if old and (old.o == 't' or old.xo == 1) then
    set(name, {g = old.g, o = 't', s = now, f = now, en = now, od = old.od or '', rm = 1, body = ''})
  else
    book[name] = false
    deleted[#deleted + 1] = name
  end
end

-- The names of the schedules that were found, of those that are not changed because another owner has the name, and of the
-- configured ones that have ended.
local found, refused, ended = {}, {}, {}

local function refuse(name)
  refused[#refused + 1] = name
end

local put_given

do
  -- Reads the schedule whose arguments begin at an index.
  local function read_given(at)
    local new = {o = ARGV[at + 2], g = ARGV[at + 3], of = (ARGV[at + 1] ~= '1') and 1 or nil, s = now, f = now,
        body = ARGV[at + 4]}
    if new.o ~= 'p' then
      new.od = digest
    end
    if new.o == 't' then
      new.ot = token
    end
    return new
  end

  -- Returns whether the name of a new schedule belongs to the one that is there.
  local function is_name_taken(old, new)
    if not old or has_ended(old) then
      return false
    end
    if old.g ~= new.g then
      return not is_orphaned(old)
    end
    -- Within a group, a schedule that was put at run time has precedence over the configuration.
    return new.o == 'c' and old.o ~= 'c'
  end

  local function has_same_definition(old, new)
    return old.g == new.g and old.of == new.of and old.body == new.body
  end

  local function is_identical(old, new)
    return not has_ended(old) and has_same_definition(old, new) and old.o == new.o and old.od == new.od and old.ot == new.ot
  end

  -- Returns whether a new schedule keeps what is known of the one that is there. An ended one comes back only in its group
  -- if it was configured, else with the same definition or by its own process. A tombstone never does.
  local function is_continued(old, new)
    if not old then
      return false
    end
    if not has_ended(old) then
      return true
    end
    if old.o == 'c' then
      return old.g == new.g
    end
    return new.o == 't' and old.rm ~= 1 and (has_same_definition(old, new) or old.od == new.od)
  end

  -- Returns the times of a definition, in a form that can be compared.
  local function times_of(body)
    local readable, definition = pcall(cjson.decode, body)
    if not readable or type(definition) ~= 'table' then
      return nil
    end
    if type(definition.cron) == 'string' then
      return definition.cron .. ' ' .. tostring(definition.zone)
    end
    return tostring(definition.every)
  end

  -- Returns whether a continued schedule did not fire until now, or not at these times.
  local function begins_anew(old, new)
    local is_enabled = old.of == 1 and new.of ~= 1
    local has_lost_process = old.o == 't' and has_ended(old)
    return has_lost_process or is_enabled or times_of(old.body) ~= times_of(new.body)
  end

  -- Returns 1 if a new schedule takes its name from that of another process, now or before.
  local function displaces(old, new)
    local is_foreign = old and old.o == 't' and not (new.o == 't' and old.od == new.od)
    return (is_foreign or (old and old.xo == 1)) and 1 or nil
  end

  local function put_schedule(name, old, new)
    new.xo = displaces(old, new)
    if is_continued(old, new) then
      if is_identical(old, new) then
        return
      end
      new.s, new.p, new.lf, new.la = old.s, old.p, old.lf, old.la
      if not begins_anew(old, new) then
        new.f = old.f
      end
    end
    set(name, new)
  end

  -- Puts a schedule of a process again if it has ended or is missing, unless it was removed, or others have used its name
  -- since. A tombstone stays, because the reply may be lost.
  local function restore(name, old, new)
    if old and (old.od ~= digest or old.rm == 1) then
      refuse(name)
    elseif not old or has_ended(old) then
      put_schedule(name, old, new)
    end
  end

  put_given = function(name, at)
    local old, new = book[name], read_given(at)
    if what == 'restore' then
      restore(name, old, new)
    elseif is_name_taken(old, new) then
      refuse(name)
    else
      put_schedule(name, old, new)
    end
  end
end

local change_named

do
  local function remove(name, old)
    if old.o == 'c' and not has_ended(old) and not is_orphaned(old) then
      refuse(name)
    else
      delete(name)
    end
  end

  local function pause(name, schedule)
    if schedule.p ~= 1 then
      schedule.p = 1
      set(name, schedule)
    end
  end

  -- Deletes firings and times by a clock that was ahead and has been put back since.
  local function resume(name, schedule)
    local fired_ahead = schedule.lf and schedule.lf > now
    if schedule.p == 1 or schedule.f > now or schedule.s > now or fired_ahead then
      schedule.p = nil
      schedule.f = now
      schedule.s = math.min(schedule.s, now)
      if fired_ahead then
        schedule.lf, schedule.la = nil, nil
      end
      set(name, schedule)
    end
  end

  local CHANGES = {remove = remove, pause = pause, resume = resume}

  -- An ended schedule is changed, too, because it may be put again. It does not count as found.
  change_named = function(name)
    local schedule = book[name]
    local is_damaged = raws[name] and not schedule
    if schedule and schedule.rm ~= 1 then
      if not has_ended(schedule) then
        found[#found + 1] = name
      end
      CHANGES[what](name, schedule)
    elseif is_damaged and what == 'remove' then
      found[#found + 1] = name
      delete(name)
    end
  end
end

-- Ends a configured schedule. A later leader of its group may be configured with it, as during a rolling update.
local function end_configured(name)
  book[name].en = now
  set(name, book[name])
  ended[#ended + 1] = name
end

-- Deletes or ends the other schedules of the origin and the group. Those that have ended are left to load.lua.
local function remove_others(names)
  local kept, all = {}, schedule_names()
  local drop = (origin == 'c') and end_configured or delete
  for _, name in ipairs(names) do
    kept[name] = true
  end
  load_schedules(all)
  for _, name in ipairs(all) do
    local schedule = not kept[name] and book[name]
    if schedule and schedule.o == origin and schedule.g == group and not has_ended(schedule) then
      drop(name)
    end
  end
end

local function write_changes()
  if #changed + #deleted == 0 then
    return
  end
  local raised = next_revision()
  -- As in write.lua: calls that put schedules are refused when Redis is full, others are not.
  if not puts then
    redis.call('HDEL', BOOK, '')
  end
  for from = 1, #changed, READ_AT_ONCE do
    local args = {}
    for i = from, math.min(from + READ_AT_ONCE - 1, #changed) do
      local schedule = book[changed[i]]
      schedule.r = raised
      args[#args + 1] = changed[i]
      args[#args + 1] = schedule_record(schedule)
    end
    redis.call('HSET', BOOK, unpack(args))
  end
  for from = 1, #deleted, READ_AT_ONCE do
    redis.call('HDEL', BOOK, unpack(deleted, from, math.min(from + READ_AT_ONCE - 1, #deleted)))
  end
  redis.call('HSET', BOOK, REVISION, text(raised))
end

-- Returns the refused names, each with the group that has it.
local function owners()
  local pairs_of = {}
  for _, name in ipairs(refused) do
    pairs_of[#pairs_of + 1] = name
    pairs_of[#pairs_of + 1] = book[name].g
  end
  return pairs_of
end

local names, step = {}, puts and 5 or 1
for at = 8, #ARGV, step do
  names[#names + 1] = ARGV[at]
end
load_schedules(names)
for i, name in ipairs(names) do
  if puts then
    put_given(name, 8 + (i - 1) * step)
  else
    change_named(name)
  end
end
-- The leader and a process that comes back put what they can. All others change everything or nothing.
local is_partial = origin == 'c' or what == 'restore'
if #refused > 0 and not is_partial then
  return {'taken', owners()}
end
if what == 'replace' then
  remove_others(names)
end
write_changes()
return {'done', is_partial and refused or found, ended}
