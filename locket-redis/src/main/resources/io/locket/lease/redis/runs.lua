-- The holder records of queued runs, whose token on a key is 'run:<job id>:<nonce>'. The records of jobs belong to the queue.
-- A record that is damaged or of a later version has no run.

-- @include ../../queue/redis/record.lua

-- Returns the holder record of the value of a lock. For a queued run it is derived from the job, else it is the given one, or ''.
local function record_of(value, jobs, found)
  local id, nonce = string.match(value, '^run:([^:]+):([^:]+)')
  local job = id and parse(id, redis.call('HGET', jobs, id))
  if job and job.t == nonce then
    return value .. ' ' .. job.f .. ' ' .. string.format('%.0f', job.st) .. ' '
        .. cjson.encode({job = job.j, key = key_text(job), instance = job.i, thread = job.w})
  end
  return found or ''
end
