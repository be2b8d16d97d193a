-- The holder records of queued runs, whose token on a key is 'run:<job id>:<nonce>'. The records of jobs belong to the queue.
-- A record that is damaged or of a later version has no run.

-- @include ../../queue/redis/record.lua

-- Returns the holder record of an owner. For a queued run it is derived from the job, else it is the given one, or ''.
local function record_of(owner, jobs, found)
  local id, nonce = string.match(owner, '^run:([^:]+):([^:]+)')
  local job = id and parse(id, redis.call('HGET', jobs, id))
  if job and job.t == nonce then
    return owner .. ' ' .. job.f .. ' ' .. string.format('%.0f', job.st) .. ' '
        .. cjson.encode({job = job.j, key = job.tx or body_of(job), instance = job.i, thread = job.w})
  end
  return found or ''
end
