-- Renews the leases of at most 100 runs. A missing lock is not created again.
--
-- ARGV[3..] for each run: id, nonce
--
-- KEYS[1], KEYS[2] and KEYS[5] are those of store.lua, and one of them stands in for each of the others, which are not
-- used. While a slot moves, the node that has these keys serves this script. A missing lock fails the script while it
-- reads. Locks are read together with another key, because the node that receives the slot reports a single missing key as
-- absent.
--
-- Reply: for each run {1 if it still has its job, '' or 'taken' or 'gone' for its key lease, 1 if it is cancelled}.
-- Repetition: renews again.

local ids = {}
for i = 3, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
load(ids)
local digests = {}
for _, id in ipairs(ids) do
  if jobs[id] and jobs[id].kl == 1 then
    digests[#digests + 1] = jobs[id].k
  end
end
load_locks(digests)
load_queues_of(ids)

local results = {}
for i = 3, #ARGV, 2 do
  local job, result = jobs[ARGV[i]], {0, '', 0}
  if job and job.s == 'running' and job.t == ARGV[i + 1] then
    result[1] = 1
    zadd(RUNNING, now + job.x, indexed(job))
    if job.kl == 1 then
      local owner = owner_of(job.k)
      if owner == token_of(job) then
        extend(lock_name(job.k), job.x)
      else
        result[2] = owner and 'taken' or 'gone'
      end
    end
    result[3] = (job.cx == 1 or is_removed(job)) and 1 or 0
  end
  results[#results + 1] = result
end
write()
return results
