-- Fires schedules, at most 100 times.
--
-- ARGV[3] time for which the id of a replacement stays known, in ms
-- ARGV[4] digest, ARGV[5] fencing token of the leader's lease, ARGV[6] time for which to renew it, in ms
-- ARGV[7..] for each firing the name of the schedule, its revision in the leader, its time and the latest time at which it
--           may fire, in ms, the last time that has fired as far as the leader knows, or 0, and its job as in enqueue.lua
--
-- Reply: {time in ms, results, events}; a result is {'fired', the result of enqueue.lua}, {'not_leader'}, {'early'},
--        {'late'}, {'past'} or {'changed'}.
-- Repetition: the last time of a schedule that has fired returns its first result, and enqueues nothing. Earlier times, of
--             the same call or another, are 'past': they have fired, or never will.
-- Invariant: a time of a schedule fires once, after all earlier ones, when it is due and not too late by the clock of
--            Redis, and by the leader. Its job is enqueued, or a duplicate, exactly if the time is recorded as fired.
--            Nothing fires after a firing that Redis has lost, as in a fail-over, before the leader knows the loss.

known_for = tonumber(ARGV[3])
local digest, token = ARGV[4], ARGV[5]
local firings, names, ids, digests, queue_names = {}, {}, {}, {}, {}
for i = 7, #ARGV, 12 do
  local job, options = read_new(i + 5)
  firings[#firings + 1] = {name = ARGV[i], revision = tonumber(ARGV[i + 1]), time = tonumber(ARGV[i + 2]),
      latest = tonumber(ARGV[i + 3]), known = tonumber(ARGV[i + 4]), job = job, options = options}
  names[#names + 1] = ARGV[i]
  ids[#ids + 1] = job.id
  queue_names[#queue_names + 1] = job.q
  if TICKET[job.l] then
    digests[#digests + 1] = job.k
  end
end

local function refuse_all(kind)
  local results = {}
  for i = 1, #firings do
    results[i] = {kind}
  end
  return {text(now), results, {}}
end

if not holds_lease(digest, token) then
  return refuse_all('not_leader')
end
load_schedules(names)
load(ids)
load_tickets(digests)
load_state(queue_names)

local fired = {}

local function fire(firing)
  local schedule = book[firing.name]
  -- load.lua deletes a schedule that has ended later, because its process may come back.
  if not schedule or has_ended(schedule) then
    return {'changed'}
  end
  if firing.time == schedule.lf then
    return {'fired', unpack(schedule.la)}
  end
  if schedule.r ~= firing.revision or schedule.of == 1 or schedule.p == 1 then
    return {'changed'}
  end
  if firing.known > (schedule.lf or 0) then
    return {'changed'}
  end
  if firing.time <= schedule.f or firing.time < (schedule.lf or 0) then
    return {'past'}
  end
  if firing.time > now then
    return {'early'}
  end
  if now > firing.latest then
    return {'late'}
  end
  schedule.lf = firing.time
  schedule.la = enqueue(firing.job, firing.options)
  fired[firing.name] = true
  return {'fired', unpack(schedule.la)}
end

local results = {}
for i, firing in ipairs(firings) do
  results[i] = fire(firing)
end
if next(fired) then
  follow()
  -- Jobs are written first, so that a Redis that is full refuses the whole call.
  write(true)
  local args = {}
  for name in pairs(fired) do
    args[#args + 1] = name
    args[#args + 1] = schedule_record(book[name])
  end
  redis.call('HSET', BOOK, unpack(args))
  local duration = tonumber(ARGV[6])
  extend(lock_name(digest), duration)
  redis.call('ZADD', PREFIX .. 'leases', text(now + duration), digest)
end
return {text(now), results, events}
