-- Updates at most 100 jobs.
--
-- ARGV[3] id of this call, made by the client
-- ARGV[4] what: 'cancel', 'move', 'run_now', 'reschedule' or 'dismiss'
-- ARGV[5] the queue to move to, or the due time in ms, or ''
-- ARGV[6..] for each job its id, the states of which it must be in one, between blanks, the queue in which it must be,
--           the SHA-1 of the arguments that it must have, and when it must be due, in ms, each '' for any
--
-- Reply: {results, events}; a result is 'done', 'flagged', 'refused' or 'unknown'.
-- Repetition: a job stores the ids of its last updates, and gets its first result again. A job that was refused stores none. It is
--             refused again if another job of the call has the id, because then the call was executed before.
-- Invariant: a moved job keeps its ticket, is counted out of one queue and into the other, and is otherwise unchanged.

local STEPS_KNOWN = 4
local step, action, target = ARGV[3], ARGV[4], ARGV[5]
-- Keys with jobs that were parked in another queue.
local parked = {}

local RESULT = ' ' .. string.gsub(step, '%W', '%%%0') .. '=(%a+) '

local function known(job)
  return job.sn and string.match(' ' .. job.sn .. ' ', RESULT)
end

local function remember(job, result)
  local steps, kept = step .. '=' .. result, 1
  for old in string.gmatch(job.sn or '', '%S+') do
    if kept < STEPS_KNOWN then
      steps, kept = steps .. ' ' .. old, kept + 1
    end
  end
  job.sn = steps
  save(job)
end

local function cancel(job)
  if WAITING[job.s] then
    finish(job, 'cancelled')
    return 'done'
  elseif job.s == 'running' then
    job.cx = 1
    return 'flagged'
  end
  return (job.s == 'cancelled') and 'done' or 'refused'
end

-- A job that waits, unless its queue was removed.
local function waits(job)
  if WAITING[job.s] and is_removed(job) then
    finish(job, 'removed')
  end
  return WAITING[job.s]
end

local function move(job)
  if not waits(job) then
    return 'refused'
  end
  if job.q == target then
    return 'done'
  end
  local from, state, others = job.q, job.s, job.as
  leave(job)
  count(from, state, -1)
  if others then
    -- Workers of the other queue may have a handler for it.
    state, job.d = 'ready', job.y
  end
  count(from, 'moved_out', 1)
  count(target, 'moved_in', 1)
  job.s, job.q, job.m = nil, target, arrival(target)
  set_definition(job)
  if state == 'ready' or state == 'parked' then
    job.n = next_place(target)
  end
  put(job, state)
  if state == 'parked' then
    list_parked(job)
    parked[job.k] = true
  end
  -- Also for a job that is not ready, because the workers of that queue need its due time.
  notified[target] = true
  add_event('moved', job, from)
  return 'done'
end

local function run_now(job)
  if not waits(job) or job.s == 'parked' then
    return 'refused'
  end
  if job.s ~= 'ready' then
    leave(job)
    job.d = math.min(job.d, now)
    job.n = next_place(job.q)
    put(job, 'ready')
  end
  return 'done'
end

local function reschedule(job)
  if not waits(job) then
    return 'refused'
  end
  local due, state, capped = tonumber(target), job.s, is_capped(job)
  local timed = state == 'scheduled' or state == 'retry'
  if due > now then
    leave(job)
    job.d = due
    put(job, timed and state or 'scheduled')
    notified[job.q] = true
  elseif timed then
    leave(job)
    job.d = due
    job.n = next_place(job.q)
    put(job, 'ready')
  else
    job.d = due
  end
  job.y, job.ib = nil, nil
  if not capped then
    move_period(job)
  end
  save(job)
  return 'done'
end

local function dismissed(job)
  if job.s ~= 'dead' then
    return 'refused'
  end
  if not job.ra then
    dismiss(job)
  end
  return 'done'
end

local act = ({cancel = cancel, move = move, run_now = run_now, reschedule = reschedule, dismiss = dismissed})[action]

local function is_repeated(ids)
  for _, id in ipairs(ids) do
    local job = find(id)
    if job and known(job) then
      return true
    end
  end
  return false
end

local ids = {}
for i = 6, #ARGV, 5 do
  ids[#ids + 1] = ARGV[i]
end
load_all(ids, {action == 'move' and target or nil})
-- Read before the first update, because an update can make a job fit that was refused, such as the next job of its key.
local repeated = is_repeated(ids)

local function update(id, states, name, arguments, due)
  local job = find(id)
  if not job then
    return 'unknown'
  end
  local result = known(job)
  if result then
    return result
  end
  if repeated
      or (states ~= '' and not string.find(' ' .. states .. ' ', ' ' .. job.s .. ' ', 1, true))
      or (name ~= '' and job.q ~= name)
      or (arguments ~= '' and redis.sha1hex(body_of(job)) ~= arguments)
      or (due ~= '' and job.d ~= tonumber(due)) then
    return 'refused'
  end
  result = act(job)
  if result ~= 'refused' then
    remember(job, result)
  end
  return result
end

local results = {}
for i = 6, #ARGV, 5 do
  results[#results + 1] = update(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4])
end
follow()
for digest in pairs(parked) do
  local owner = owner_of(digest)
  if owner then
    await_owner(digest, owner)
  else
    zadd(DUE, now, 'k:' .. digest)
  end
end
write()
return {results, events}
