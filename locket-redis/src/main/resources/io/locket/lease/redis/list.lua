-- Lists the digests of unexpired leases, those of direct calls before those of queued runs, each ordered by expiry. Writes
-- nothing.
--
-- KEYS[1] index     zset, see release.lua
-- KEYS[2] running   zset   of the queue: '<id> <queue>' of jobs that run, by the time at which their run lease expires
-- KEYS[3] jobs      hash   of the queue: records of jobs by id
-- ARGV[1] limit
--
-- Reply: digests.

local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local digests = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'LIMIT', 0, ARGV[1])
local runs = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf', 'LIMIT', 0, ARGV[1] - #digests)
for _, member in ipairs(runs) do
  local id = string.match(member, '^%S+')
  local job = id and parse(id, redis.call('HGET', KEYS[3], id))
  if job and job.kl == 1 then
    digests[#digests + 1] = job.k
  end
end
return digests
