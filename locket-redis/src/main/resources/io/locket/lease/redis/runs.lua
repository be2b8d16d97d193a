-- The holder records of queued runs, whose token on a key is 'run:<job id>:<nonce>'. The records of jobs belong to the queue.
-- A record that is damaged or of a later version has no run.

-- @include ../../queue/redis/record.lua

-- Returns the holder record of the value of a lock. For a queued run it is derived from the job, else it is the given one, or ''.
local function record_of(value, jobs, found)
  local token, id, nonce = string.match(value, '^(run:([^: ]+):([^: ]+)%S*)')
  local job = id and parse(id, redis.call('HGET', jobs, id))
  if job and job.t == nonce then
    return string.format('%s %.0f %.0f ', token, job.f, job.st)
        .. cjson.encode({job = job.j, key = key_text(job), instance = job.i, thread = job.w})
  end
  return found or ''
end
