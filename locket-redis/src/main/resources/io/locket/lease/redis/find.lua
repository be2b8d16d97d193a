-- Returns the holders of keys. Writes nothing.
--
-- KEYS[1] jobs      hash   of the queue: records of jobs by id
-- KEYS[2..] locks   or claims
--
-- Reply: {now ms}, then owner ('' if the key is free), remaining ms and record ('' for none) of each.

local time = redis.call('TIME')
local replies = {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))}
for i = 2, #KEYS do
  local owner = redis.call('GET', KEYS[i]) or ''
  replies[#replies + 1] = owner
  replies[#replies + 1] = redis.call('PTTL', KEYS[i])
  replies[#replies + 1] = record_of(owner, KEYS[1], owner)
end
return replies
