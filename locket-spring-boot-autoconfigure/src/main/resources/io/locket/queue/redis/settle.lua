-- Ends runs, and reserves the next jobs in the same step.
--
-- ARGV[3] limits, see reserve.lua
-- ARGV[4] request as JSON, or '' for none
-- ARGV[5..] for each end: id, nonce of the run, kind, delay in ms, error, how far the run was as 'done total message'
--   or '' if it has nothing left to tell
--
-- Reply: {ends, reservation as in reserve.lua or '', events}; an end is {1 if it counts, state afterwards or ''}.
-- Repetition: an end that is known is answered as it was, and so is the request.
-- Invariant: an outcome counts only while the run has its job and, if it was handed out with one, its key lease.

local DAY = 86400000
local ENDS_KNOWN = 8

local function known_end(job, nonce)
  local ends = ' ' .. (job.o or '')
  local at = string.find(ends, ' ' .. nonce .. '=', 1, true)
  if at then
    return string.match(ends, '^(%d)(%a*)', at + #nonce + 2)
  end
end

local function remember_end(job, nonce, counts)
  local ends = nonce .. '=' .. counts .. job.s
  local kept = 1
  for old in string.gmatch(job.o or '', '%S+') do
    if kept < ENDS_KNOWN then
      ends = ends .. ' ' .. old
      kept = kept + 1
    end
  end
  job.o = ends
end

local function retry(job, delay, failed)
  job.d = now + delay
  if come_back(job, 'retry') then
    tell(failed and 'retried' or 'rescheduled', job, text(delay), failed and job.er or '', ran(job))
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

local function settle(job, kind, delay, problem)
  if problem ~= '' then
    job.er = problem
  end
  if kind ~= 'DEFER' then
    job.y = nil
  end
  if kind == 'SUCCEEDED' then
    job.er = nil
    finish(job, is_removed(job) and 'removed' or 'succeeded')
  elseif kind == 'RETRY' then
    job.a = (job.a or 0) + 1
    if job.a > job.r then
      fail(job)
    else
      retry(job, delay, true)
    end
  elseif kind == 'DEAD' then
    job.a = (job.a or 0) + 1
    fail(job)
  elseif kind == 'RETURNED' then
    if come_back(job, 'ready') then
      tell('returned', job, ran(job))
    end
  elseif kind == 'DEFER' then
    job.y = job.y or now
    if now - job.y > DAY then
      fail(job)
    else
      retry(job, delay, false)
    end
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
    if counts == 1 then
      settle(job, kind, delay, problem)
    elseif come_back(job, 'ready') then
      tell('returned', job, ran(job))
    end
    remember_end(job, nonce, counts)
    return {counts, job.s}
  end
  local counts, state = known_end(job, nonce)
  return {tonumber(counts or 0), state or job.s}
end

local limits = cjson.decode(ARGV[3])
local request = ARGV[4] ~= '' and cjson.decode(ARGV[4])
local ids = {}
for i = 5, #ARGV, 6 do
  ids[#ids + 1] = ARGV[i]
end
load(ids)
if request then
  load_state(names_of(request), request.lane)
end
local full = {}
if request then
  for _, one in ipairs(request.q) do
    full[one[1]] = one[2] > 0 and (queue(one[1]).running or 0) >= one[2]
  end
end
local ends, purging = {}, false
for i = 5, #ARGV, 6 do
  local known = jobs[ARGV[i]]
  ends[#ends + 1] = end_run(ARGV[i], ARGV[i + 1], ARGV[i + 2], tonumber(ARGV[i + 3]), ARGV[i + 4], ARGV[i + 5])
  if known then
    news[known.q] = news[known.q] or full[known.q] or nil
    purging = purging or (known.s == 'succeeded' and queue(known.q).succeeded % 16 == 0)
  end
end
follow()
if request then
  reserve(request, limits)
end
if purging and (not request or #handed > 0) then
  purge(limits)
end
write()
return {ends, request and reserved() or '', events}
