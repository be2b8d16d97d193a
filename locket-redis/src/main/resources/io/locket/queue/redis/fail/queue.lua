-- Declares 'of', the queue 'q' among those of this script, with its limit in the request that follows. The inserting step
-- declares 'q'.

local of = queue_of[q]
if not of then
  local _, limit_at = string.find(ARGV[4], ' ' .. q .. '=', 1, true)
  local limit = limit_at and tonumber(string.match(ARGV[4], '^%d+', limit_at + 1))
  of = {name = q, count = 0, limit = limit, oldest = math.huge, retries = {}}
  queues[#queues + 1], queue_of[q] = of, of
  fields[#fields + 1], fields[#fields + 2] = 'q:' .. q, 'f:' .. q
end
