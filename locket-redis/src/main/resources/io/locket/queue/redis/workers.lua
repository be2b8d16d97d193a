-- Scans the pollers that have requested jobs, or the running jobs, in steps of a given size. Writes nothing.
--
-- ARGV[3] what: 'pollers', or 'running'
-- ARGV[4] cursor of the scan, '0' at first
-- ARGV[5] approximate size of the step
--
-- Reply: {next cursor or '0' after the last step, subject, instance, time in ms...}: pollers with the time of their
-- last call, or ids of jobs that run with the last time at which the lease of their run has held.
-- Repetition: it may be repeated.
-- Invariant: a subject that exists during the whole scan is returned at least once.

local reply = {}

local function add_last(subject, instance, at)
  if type(instance) == 'string' and type(at) == 'number' then
    reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = subject, instance, text(at)
  end
end

local function pollers()
  local found = redis.call('HSCAN', STATE, ARGV[4], 'MATCH', 'w:*', 'COUNT', ARGV[5])
  for i = 1, #found[2], 2 do
    local last = reservation_of(found[2][i + 1])
    -- One that is far in the future is of a process that has ended. Others record a poll after the clock was set back.
    if last and math.abs(now - last.at) < POLLER_KEPT then
      add_last(found[2][i], last.i, last.at)
    end
  end
  return found[1]
end

local function running()
  local found = redis.call('ZSCAN', RUNNING, ARGV[4], 'COUNT', ARGV[5])
  local ids, ends = {}, {}
  for i = 1, #found[2], 2 do
    local id = indexed_id(found[2][i])
    ids[#ids + 1], ends[id] = id, tonumber(found[2][i + 1])
  end
  load(ids)
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job and job.s == 'running' then
      add_last(id, job.i, math.min(now, ends[id]))
    end
  end
  return found[1]
end

local next = (ARGV[3] == 'pollers') and pollers() or running()
table.insert(reply, 1, next)
return reply
