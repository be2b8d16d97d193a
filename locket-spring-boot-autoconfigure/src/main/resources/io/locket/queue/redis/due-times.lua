-- Tells at which times jobs of a queue are due, and how many at each. Writes nothing.
--
-- ARGV[3] queue
-- ARGV[4] the earliest time in ms, '' for all of them
-- ARGV[5] how many times at most
--
-- Reply: {time, number of jobs, time, number of jobs...}, the earliest first.
-- Repetition: it may be repeated.
-- Invariant: it runs two commands for each time, however many jobs there are: of the jobs of one time it looks at one.

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
