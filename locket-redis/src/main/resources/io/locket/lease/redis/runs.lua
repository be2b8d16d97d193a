-- The holder records of queued runs, whose token on a key is 'run:<job id>:<nonce>'. The records of jobs belong to the queue.
-- A record that is damaged or of a later version has no run.

-- @include ../../queue/redis/holder.lua

-- Returns the holder record of the value of a lock. For a queued run it is derived from the job, else it is the given one.
local function record_of(value, jobs, found)
  return holder_record(value, function(id)
    return parse(id, redis.call('HGET', jobs, id))
  end, found)
end
