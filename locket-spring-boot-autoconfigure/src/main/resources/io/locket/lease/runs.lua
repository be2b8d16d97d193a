-- What leases need to know of queued runs, whose token on a key is 'run:<job id>:<nonce>'. The records of jobs belong to
-- the queue; a line of JSON in front of each is told in store.lua there.

local function job_of(id, jobs)
  local raw = redis.call('HGET', jobs, id)
  if not raw then
    return nil
  end
  local line = string.find(raw, '\n', 1, true)
  local readable, job = pcall(cjson.decode, string.sub(raw, 1, (line or 1) - 1))
  if not readable or type(job) ~= 'table' then
    return nil
  end
  job.tx = job.tx or string.sub(raw, line + 1)
  return job
end

-- The holder record of an owner: of a queued run it is made of the job, else it is the one that was found, or ''.
local function record_of(owner, jobs, found)
  local id, nonce = string.match(owner, '^run:([^:]+):([^:]+)')
  local job = id and job_of(id, jobs)
  if job and job.t == nonce then
    return owner .. ' ' .. job.f .. ' ' .. string.format('%.0f', job.st) .. ' '
        .. cjson.encode({job = job.j, key = job.tx, instance = job.i, thread = job.w})
  end
  return found or ''
end
