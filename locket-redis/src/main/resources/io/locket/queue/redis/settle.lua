-- Ends runs, and reserves the next jobs in the same step.
--
-- ARGV[3..8] limits, see read_limits in reservation.lua
-- ARGV[9..]  request, see read_request in reservation.lua
-- then for each end: id, nonce of the run, kind, delay in ms, error and stack trace behind the size of the error and a blank
--   or '' if there is no error, how far the run was as 'done total message' or '' if there is none left to store
--
-- Reply: {ends, reservation as in reserve.lua or '', events}; an end is {1 if it counts, state afterwards or ''}.
-- Repetition: a known end or request gets its first result again. Their events are returned again, with the nonce of the
-- run.
-- Invariant: an outcome counts only while the run has its job and, if it was handed out with one, its key lease.

local DAY = 86400000
local ENDS_KNOWN = 8
-- Number of successful runs of a queue after which jobs that ended long ago are purged. Any other end purges them at once.
local FORGET_EVERY = 64

-- Only the end of its last run, which counts, leaves a job succeeded.
local function known_end(job, nonce)
  if job.s == 'succeeded' and job.t == nonce then
    return '1', job.s, ''
  end
  local ends = ' ' .. (job.o or '')
  local at = string.find(ends, ' ' .. nonce .. '=', 1, true)
  if at then
    return string.match(ends, '^(%d)(%a*):?(%d*)', at + #nonce + 2)
  end
end

-- Stores the end of a run with its duration, which no other record has while the job goes on.
local function remember_end(job, nonce, counts)
  if job.s == 'succeeded' then
    return
  end
  local ends = nonce .. '=' .. counts .. job.s .. (job.ea and '' or ':' .. ran(job))
  local kept = 1
  for old in string.gmatch(job.o or '', '%S+') do
    if kept < ENDS_KNOWN then
      ends = ends .. ' ' .. old
      kept = kept + 1
    end
  end
  job.o = ends
end

local function add_retry_event(job, delay, lasted)
  local failed = job.wr == 'failed'
  add_event(failed and 'retried' or 'rescheduled', job, text(delay), failed and job.er or '', lasted, job.t)
end

local function retry(job, delay, reason)
  if come_back(job, 'retry', math.min(now + delay, LATEST)) then
    job.wr = reason
    add_retry_event(job, delay, ran(job))
  end
end

-- The reply to the first call may have been lost, and its events with it.
local function repeat_event(job, nonce, state, lasted)
  if job.t ~= nonce or job.s ~= state then
    return
  end
  if job.ea then
    add_event(state, job, text(math.max(job.ea - (job.st or job.ea), 0)), job.er, nil, nonce)
  elseif lasted and state == 'retry' then
    add_retry_event(job, math.max(job.d - (job.st or job.d) - lasted, 0), text(lasted))
  elseif lasted and state == 'ready' then
    add_event('returned', job, text(lasted), nil, nil, nonce)
  end
end

local function fail(job)
  if job.cx == 1 then
    finish(job, 'cancelled')
  elseif is_removed(job) then
    finish(job, 'removed')
  else
    finish(job, 'dead')
  end
end

-- Counts and keeps a failed attempt.
local function count_attempt(job, problem, trace)
  job.a = (job.a or 0) + 1
  keep_attempt(job, problem, trace)
end

-- Defers a job that the worker does not know.
local function defer_unknown(job)
  local due, listed = unknown.defer(job)
  if unknown.is_given_up(job) then
    fail(job)
  elseif come_back(job, 'retry', due, listed and now) then
    if listed then
      unknown.list(job)
    end
    -- Workers that know the job are notified.
    notified[job.q] = true
    job.wr = 'deferred'
    add_retry_event(job, job.d - now, ran(job))
  end
end

local function defer(job, delay)
  job.y = job.y or now
  if now - job.y > DAY then
    fail(job)
  else
    retry(job, delay, 'deferred')
  end
end

-- Reads an error and a stack trace.
local function read_problem(raw)
  local size, from = string.match(raw, '^(%d+) ()')
  if not size then
    return '', ''
  end
  local ends = from + tonumber(size)
  return string.sub(raw, from, ends - 1), string.sub(raw, ends)
end

local function settle(job, kind, delay, raw)
  local problem, trace = read_problem(raw)
  if problem ~= '' then
    job.er = problem
  end
  if kind ~= 'DEFER' and kind ~= 'UNKNOWN' then
    job.y = nil
    job.rn = (job.l == 'UP') and 1 or nil
  end
  if kind == 'SUCCEEDED' then
    job.er = nil
    finish(job, is_removed(job) and 'removed' or 'succeeded')
    -- Only the claim of a job that has not ended is released.
    job.rn = nil
  elseif kind == 'RETRY' then
    count_attempt(job, problem, trace)
    if job.a > job.r then
      fail(job)
    else
      retry(job, delay, 'failed')
    end
  elseif kind == 'DEAD' then
    count_attempt(job, problem, trace)
    fail(job)
  elseif kind == 'RETURNED' then
    if come_back(job, 'ready') then
      add_event('returned', job, ran(job), nil, nil, job.t)
    end
  elseif kind == 'UNKNOWN' then
    defer_unknown(job)
  elseif kind == 'DEFER' then
    defer(job, delay)
  else
    error('Unknown kind of end: ' .. kind)
  end
end

local function end_run(id, nonce, kind, delay, problem, progress)
  local job = find(id)
  if not job then
    return {0, ''}
  end
  if job.s == 'running' and job.t == nonce then
    local counts = (job.kl ~= 1 or owner_of(job.k) == token_of(job)) and 1 or 0
    if progress ~= '' then
      job.pg = text(now) .. ' ' .. progress
    end
    if counts == 0 and kind ~= 'DEFER' and kind ~= 'UNKNOWN' then
      job.y = nil
    end
    if counts == 1 then
      settle(job, kind, delay, problem)
    elseif come_back(job, 'ready') then
      add_event('returned', job, ran(job), nil, nil, job.t)
    end
    remember_end(job, nonce, counts)
    return {counts, job.s}
  end
  local counts, state, lasted = known_end(job, nonce)
  if counts then
    repeat_event(job, nonce, state, tonumber(lasted))
  end
  return {tonumber(counts or 0), state or job.s}
end

-- Returns, by queue of the request, its limit if it is full, or else false.
local function fullness(request)
  local full = {}
  for _, one in ipairs(request and request.q or {}) do
    full[one[1]] = one[2] > 0 and (queue(one[1]).running or 0) >= one[2] and one[2]
  end
  return full
end

-- Returns whether jobs that ended long ago are purged after a run of a job has ended.
local function purges(job)
  if job.s == 'succeeded' then
    return (queue(job.q).succeeded or 0) % FORGET_EVERY == 0
  end
  return job.ea ~= nil
end

-- Notifies other workers of a queue that was full before its runs ended, and has room and jobs now. A queue that is not
-- requested counts as full, because its limit is unknown.
local function wake_others(name, limit)
  local counters = queue(name)
  local waiting = (counters.ready or 0) > 0 or next(unknown.numbers(name)) ~= nil
  if waiting and limit ~= false and not (limit and (counters.running or 0) >= limit) then
    notified[name] = true
  end
end

-- Returns the keys that successful runs have freed for jobs of queues which the request does not name, by digest, each with the
-- earliest time at which one of these jobs was enqueued. A job of the request that was enqueued later does not take the key in
-- this call. The next call may, so a queue that no worker serves delays a key by one call. A job that was promoted before has
-- had its turn.
local function older_jobs(freed, requested)
  local older = {}
  for id, name in pairs(fresh) do
    local job = jobs[id]
    if job.g == 1 and freed[job.k] and requested[name] == nil and not queue(name).paused then
      older[job.k] = math.min(older[job.k] or job.e, job.e)
    end
  end
  return older
end

-- A function, because Lua permits at most 200 local variables in each.
local function run()
  local limits = read_limits(3)
  local request, first = read_request(9)
  local ids = {}
  for i = first, #ARGV, 6 do
    ids[#ids + 1] = ARGV[i]
  end
  load(ids)
  if request then
    load_state(names_of(request), request.poller)
  end
  local full = fullness(request)
  local ends, ended_in, freed = {}, {}, {}
  for i = first, #ARGV, 6 do
    local known = jobs[ARGV[i]]
    ends[#ends + 1] = end_run(ARGV[i], ARGV[i + 1], ARGV[i + 2], tonumber(ARGV[i + 3]), ARGV[i + 4], ARGV[i + 5])
    if known then
      ended_in[known.q] = true
      freed[known.k or ''] = freed[known.k or ''] or known.s == 'succeeded'
      purging = purging or purges(known)
    end
  end
  follow()
  if request then
    request.older = older_jobs(freed, full)
    reserve(request, limits)
  elseif purging then
    purge(limits)
  end
  for name in pairs(ended_in) do
    wake_others(name, full[name])
  end
  write()
  return {ends, request and reserved() or '', events}
end

return run()
