-- Holder records of queued runs, as JSON. Only replies about keys that are held have them.

-- @include record.lua

-- Returns the holder record of a run from the value of its lock, '<token> <fence> <since ms> <JSON>', as leases have it in the
-- lock. find_job returns a job by its id. If there is no such run, returns the given text.
local function holder_record(value, find_job, otherwise)
  local token, id, nonce = string.match(value, '^(run:([^: ]+):([^: ]+)%S*)')
  local job = id and find_job(id)
  if job and job.t == nonce then
    return string.format('%s %.0f %.0f ', token, job.f, job.st)
        .. cjson.encode({job = job.j, key = key_text(job), instance = job.i, thread = job.w})
  end
  return otherwise
end
