-- Keys that are freed for jobs of queues which this call does not serve: by digest, the earliest time at which one of the jobs
-- that follow there was enqueued. A job of this call that was enqueued later does not take the key, see older_jobs of settle.lua.

-- In the record of a parked job, the size of the head begins here.
local PARKED_SIZE_AT = 15

local older_of = {}
for i = requested + 1, (requested > 0) and queues or 0 do
  for _, job in ipairs(of_queue[10 * i - PAUSED] == 0 and followers_of[i] or {}) do
    local sized, size = pcall(read, '>I4', job.raw, PARKED_SIZE_AT)
    local placed, _, e = pcall(read, PLACED, job.raw, sized and PARKED_SIZE_AT + SIZE_SIZE + size or 1)
    if not (sized and placed) then
      return {}
    end
    older_of[job.digest] = math.min(older_of[job.digest] or e, e)
  end
end
