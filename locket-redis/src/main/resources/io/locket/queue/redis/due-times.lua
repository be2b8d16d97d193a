-- Returns the due times of a queue's jobs, and the number of jobs at each. Writes nothing.
--
-- ARGV[3] queue
-- ARGV[4] the earliest time in ms, '' for all of them
-- ARGV[5] maximum number of times
--
-- Reply: {time, number of jobs, time, number of jobs...}, the earliest first.
-- Repetition: it may be repeated.
-- Invariant: runs two commands for each time and reads one of its jobs, regardless of the number of jobs.

local key, from, limit = PREFIX .. 'scheduled:' .. ARGV[3], ARGV[4] ~= '' and ARGV[4] or '-inf', tonumber(ARGV[5])
local times = {}
while #times < 2 * limit do
  local score = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  if not score then
    break
  end
  times[#times + 1], times[#times + 2] = text(tonumber(score)), redis.call('ZCOUNT', key, score, score)
  from = '(' .. score
end
return times
