-- Stores the progress of at most 100 runs.
--
-- ARGV[3..] for each run: id, nonce, 'done total message'
--
-- Reply: for each run 1 if it still has its job, else 0.
-- Repetition: stores the same again.

local ids = {}
for i = 3, #ARGV, 3 do
  ids[#ids + 1] = ARGV[i]
end
load(ids)
local results = {}
for i = 3, #ARGV, 3 do
  local job = jobs[ARGV[i]]
  local runs = job and job.s == 'running' and job.t == ARGV[i + 1]
  if runs then
    job.pg = text(now) .. ' ' .. ARGV[i + 2]
    save(job)
  end
  results[#results + 1] = runs and 1 or 0
end
if next(dirty) then
  write()
end
return results
