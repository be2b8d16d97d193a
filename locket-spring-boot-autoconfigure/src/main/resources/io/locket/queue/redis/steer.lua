-- Does something with jobs that are there, at most 100.
--
-- ARGV[3] id of this step, made by the client
-- ARGV[4] what: 'cancel', 'move', 'run_now' or 'dismiss'
-- ARGV[5] the queue to move to, or ''
-- ARGV[6..] for each job its id, the states of which it must be in one, between blanks, the queue in which it must be,
--           the SHA-1 of the arguments that it must have, and when it must be due, in ms, each '' for any
--
-- Reply: {answers, events}; an answer is 'done', 'flagged', 'refused' or 'unknown'.
-- Repetition: a job remembers the last steps that have steered it, and is answered as it was.
-- Invariant: what is moved keeps its ticket, is counted out of one queue and into the other, and goes on as it was.

local STEPS_KNOWN = 4
local step, action, target = ARGV[3], ARGV[4], ARGV[5]
-- Keys with jobs that were parked in another queue.
local parked = {}

local function known(job)
  return string.match(' ' .. (job.sn or '') .. ' ', ' ' .. string.gsub(step, '%W', '%%%0') .. '=(%a+) ')
end

local function remember(job, answer)
  local steps, kept = step .. '=' .. answer, 1
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
  local from, state = job.q, job.s
  leave(job)
  count(from, state, -1)
  count(from, 'moved_out', 1)
  count(target, 'moved_in', 1)
  job.s, job.q, job.m = nil, target, arrival(target)
  if state == 'ready' or state == 'parked' then
    job.n = next_place(target)
  end
  put(job, state)
  if state == 'parked' then
    list_parked(job)
    parked[job.k] = true
  end
  -- Also of what is not ready: those who serve that queue have to learn when it is due.
  news[target] = true
  tell('moved', job, from)
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

local function dismissed(job)
  if job.s ~= 'dead' then
    return 'refused'
  end
  if not job.ra then
    dismiss(job)
  end
  return 'done'
end

local act = ({cancel = cancel, move = move, run_now = run_now, dismiss = dismissed})[action]

local function steer(id, states, name, arguments, due)
  local job = find(id)
  if not job then
    return 'unknown'
  end
  local answer = known(job)
  if answer then
    return answer
  end
  if (states ~= '' and not string.find(' ' .. states .. ' ', ' ' .. job.s .. ' ', 1, true))
      or (name ~= '' and job.q ~= name)
      or (arguments ~= '' and redis.sha1hex(job.body) ~= arguments)
      or (due ~= '' and job.d ~= tonumber(due)) then
    return 'refused'
  end
  answer = act(job)
  if answer ~= 'refused' then
    remember(job, answer)
  end
  return answer
end

local ids = {}
for i = 6, #ARGV, 5 do
  ids[#ids + 1] = ARGV[i]
end
load_all(ids, {target ~= '' and target or nil})
local answers = {}
for i = 6, #ARGV, 5 do
  answers[#answers + 1] = steer(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4])
end
follow()
for digest in pairs(parked) do
  local owner = owner_of(digest)
  zadd(DUE, owner and next_look(digest, owner) or now, 'k:' .. digest)
end
write()
return {answers, events}
