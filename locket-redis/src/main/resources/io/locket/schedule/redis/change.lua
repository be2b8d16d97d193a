-- Changes schedules, all of them or none.
--
-- ARGV[3] what     'put', 'restore' (put missing schedules of a process), 'replace' (put, and remove all others of the
--                  origin and the group), 'remove', 'pause' or 'resume'
-- ARGV[4] origin   of the schedules to put: 'c' if the caller is the leader, else 'p' or 't'
-- ARGV[5] digest, ARGV[6] fencing token of the lease that has to hold: the leader's for 'c', that of the process for 't'
-- ARGV[7] group    for 'replace'
-- ARGV[8..]        'put', 'restore', 'replace': name, 1 if enabled, origin, group and definition of each; else names
--
-- Reply: {'done', names} of the schedules that were removed, paused or resumed; for the leader and 'restore', of those
--        that were not put because the name is taken or the schedule was removed; {'taken', name and group of each} if
--        nothing was done because these belong to other groups, or are configured and cannot be removed; {'lost'} if the
--        lease does not hold.
-- Repetition: an identical schedule does not change. A removed schedule no longer exists.
-- Invariant: a schedule is changed by its group only, but can be removed and paused by all. Configured schedules are put
--            and removed by the leader of their group, which changes no others. Schedules of a group without a leader can
--            be changed by all, because the group may be that of an application that was renamed. A change raises the
--            revision, and keeps the pause and the times of the schedule. If it changes the times, nothing fires for a
--            time up to the change.

local what, origin, digest, token, group = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local changed, deleted = {}, {}

local puts = what == 'put' or what == 'restore' or what == 'replace'

local function set(name, schedule)
  book[name] = schedule
  changed[#changed + 1] = name
end

local function delete(name)
  book[name] = false
  deleted[#deleted + 1] = name
end

-- Removes a schedule. A transient one leaves a tombstone, so that its process does not put it again.
local function remove(name)
  local old = book[name]
  if old.o == 't' then
    set(name, {g = old.g, o = 't', s = now, f = now, od = old.od, rm = 1, body = ''})
  else
    delete(name)
  end
end

-- Returns whether an existing schedule prevents one of a group from using its name.
local function is_taken(schedule, of)
  if schedule and what == 'restore' then
    return schedule.od ~= digest or schedule.rm == 1
  end
  if not schedule or has_ended(schedule) then
    return false
  end
  if schedule.g ~= of then
    return not is_orphaned(schedule)
  end
  return origin == 'c' and schedule.o ~= 'c'
end

local put_schedule

do
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

  -- Returns the schedule that a new one continues. An ended one is continued only by an equal one, or by one of its process.
  local function predecessor(name, new)
    local old = book[name]
    if not old or not has_ended(old) then
      return old
    end
    if old.rm then
      return nil
    end
    local same = old.g == new.g and old.of == new.of and old.body == new.body
    return new.o == 't' and (same or old.od == new.od) and old
  end

  put_schedule = function(name, enabled, from, of, body)
    local new = {g = of, o = from, of = (enabled ~= '1') and 1 or nil, s = now, f = now, body = body}
    if from ~= 'p' then
      new.od = digest
    end
    if from == 't' then
      new.ot = token
    end
    local old = predecessor(name, new)
    if old then
      if old.o == new.o and old.of == new.of and old.body == body and old.od == new.od and old.ot == new.ot then
        return
      end
      new.s, new.p, new.lf, new.la = old.s, old.p, old.lf, old.la
      local begins = has_ended(old) or (old.of and not new.of) or times_of(old.body) ~= times_of(body)
      if not begins then
        new.f = old.f
      end
    end
    set(name, new)
  end
end

local function pause(name)
  if book[name].p ~= 1 then
    book[name].p = 1
    set(name, book[name])
  end
end

-- Resumes a schedule, and deletes firings and times by a clock that was ahead and has been put back since.
local function resume(name)
  local schedule = book[name]
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

if digest ~= '' and not holds_lease(digest, token) then
  return {'lost'}
end

-- A block, because Lua allows at most 200 local variables in each function.
local apply

do
  -- The names of schedules that were found, and of those that are taken, these with the group of each.
  local found, taken, owners = {}, {}, {}

  local function take(name)
    taken[#taken + 1] = name
    owners[#owners + 1] = name
    owners[#owners + 1] = book[name].g
  end

  local function put_free(name, at)
    local schedule = book[name]
    if not is_taken(schedule, ARGV[at + 3]) then
      put_schedule(name, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4])
      return
    end
    take(name)
    if what == 'restore' and schedule.rm and schedule.od == digest then
      delete(name)
    end
  end

  local function change(name)
    local schedule = book[name]
    if schedule and not has_ended(schedule) then
      found[#found + 1] = name
      if what == 'pause' then
        pause(name)
      elseif what == 'resume' then
        resume(name)
      elseif schedule.o == 'c' and not is_orphaned(schedule) then
        take(name)
      else
        remove(name)
      end
    elseif what == 'remove' and raws[name] and not schedule then
      found[#found + 1] = name
      delete(name)
    end
  end

  -- Deletes the other schedules of the origin and the group, and those that have ended.
  local function delete_others(names)
    local kept, all = {}, schedule_names()
    for _, name in ipairs(names) do
      kept[name] = true
    end
    load_schedules(all)
    for _, name in ipairs(all) do
      local schedule = not kept[name] and book[name]
      if schedule and ((schedule.o == origin and schedule.g == group) or (has_ended(schedule) and not is_note(schedule))) then
        delete(name)
      end
    end
  end

  apply = function()
    local names, step = {}, puts and 5 or 1
    for i = 8, #ARGV, step do
      names[#names + 1] = ARGV[i]
    end
    load_schedules(names)
    for i, name in ipairs(names) do
      if puts then
        put_free(name, 8 + (i - 1) * step)
      else
        change(name)
      end
    end
    if #taken > 0 and origin ~= 'c' and what ~= 'restore' then
      return {'taken', owners}
    end
    if what == 'replace' then
      delete_others(names)
    end
    write_changes()
    return {'done', (#taken > 0) and taken or found}
  end
end

return apply()
