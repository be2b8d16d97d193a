-- Changes schedules: all of what is asked, or nothing.
--
-- ARGV[3] what     'put', 'restore' (put what a process had before it lost its lease), 'replace' (put, and remove all
--                  others of the origin), 'remove', 'pause' or 'resume'
-- ARGV[4] origin   of what is put: 'c' if the leader asks, else 'p' or 't'
-- ARGV[5] digest, ARGV[6] fencing token of the lease that has to hold: the leader's for 'c', that of the process for 't'
-- ARGV[7..]        'put', 'restore', 'replace': name, 1 if it is enabled, origin and definition of each; else names
--
-- Reply: {'done', names}, of what was removed, paused or resumed, or of what the leader or 'restore' has not put since
--        the name is taken; {'taken', names} if nothing was done since these are configured; {'lost'} if the lease does
--        not hold.
-- Repetition: what is there already as it is asked for does not change. What was removed is not there any more.
-- Invariant: configured schedules are the leader's alone, and it touches no others. A change raises the revision, and
--            keeps the pause and the times of the schedule; nothing fires for a time up to the change.

local what, origin, digest, fence = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local changed, deleted, taken = {}, {}, {}

local puts = what == 'put' or what == 'restore' or what == 'replace'

local function is_taken(schedule)
  if what == 'restore' then
    return schedule and schedule.od ~= digest and not has_ended(schedule)
  end
  return schedule and (schedule.o == 'c') ~= (origin == 'c') and not has_ended(schedule)
end

local function set(name, schedule)
  book[name] = schedule
  changed[#changed + 1] = name
end

local function delete(name)
  book[name] = false
  deleted[#deleted + 1] = name
end

local function put_schedule(name, enabled, from, body)
  local old = book[name] or nil
  local new = {o = from, of = (enabled ~= '1') and 1 or nil, s = now, f = now, body = body}
  if from == 't' then
    new.od, new.ot = digest, fence
  end
  -- A process that comes back finds its schedules as they were.
  if old and has_ended(old) and old.od ~= new.od then
    old = nil
  end
  if old then
    if old.o == new.o and old.of == new.of and old.body == body and old.od == new.od and old.ot == new.ot then
      return
    end
    new.s, new.p, new.lf, new.la = old.s, old.p, old.lf, old.la
  end
  set(name, new)
end

local function pause(name, paused)
  local schedule = book[name]
  if (schedule.p == 1) ~= paused then
    schedule.p = paused and 1 or nil
    if not paused then
      schedule.f = math.max(schedule.f, now)
    end
    set(name, schedule)
  end
end

local function write_changes()
  if #changed + #deleted == 0 then
    return
  end
  local next_revision = text(revision() + 1)
  -- As in write.lua: what brings schedules is refused when Redis is full, and what stops them is not.
  if not puts then
    redis.call('HDEL', BOOK, '')
  end
  for from = 1, #changed, READ_AT_ONCE do
    local args = {}
    for i = from, math.min(from + READ_AT_ONCE - 1, #changed) do
      local schedule = book[changed[i]]
      schedule.r = tonumber(next_revision)
      args[#args + 1] = changed[i]
      args[#args + 1] = schedule_record(schedule)
    end
    redis.call('HSET', BOOK, unpack(args))
  end
  for from = 1, #deleted, READ_AT_ONCE do
    redis.call('HDEL', BOOK, unpack(deleted, from, math.min(from + READ_AT_ONCE - 1, #deleted)))
  end
  redis.call('HSET', BOOK, REVISION, next_revision)
end

if digest ~= '' and not holds(digest, fence) then
  return {'lost'}
end

local names, step = {}, puts and 4 or 1
for i = 7, #ARGV, step do
  names[#names + 1] = ARGV[i]
end
load_schedules(names)

local kept, found = {}, {}
for i, name in ipairs(names) do
  local schedule = book[name]
  if puts then
    local at = 7 + (i - 1) * step
    kept[name] = true
    if is_taken(schedule) then
      taken[#taken + 1] = name
    else
      put_schedule(name, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
    end
  elseif schedule and not has_ended(schedule) then
    found[#found + 1] = name
    if what ~= 'remove' then
      pause(name, what == 'pause')
    elseif is_taken(schedule) then
      taken[#taken + 1] = name
    else
      delete(name)
    end
  end
end
if #taken > 0 and origin ~= 'c' and what ~= 'restore' then
  return {'taken', unpack(taken)}
end
if what == 'replace' then
  local all = schedule_names()
  load_schedules(all)
  for _, name in ipairs(all) do
    local schedule = book[name]
    if schedule and not kept[name] and (schedule.o == origin or has_ended(schedule)) then
      delete(name)
    end
  end
end
write_changes()
return {'done', unpack((#taken > 0) and taken or found)}
