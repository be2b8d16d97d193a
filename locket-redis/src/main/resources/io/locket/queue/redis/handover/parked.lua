-- Numbers of parked jobs, and the records of the jobs that follow.

-- @include ../turn/parked-counter.lua

-- By queue: number of parked jobs, if it changes.
local parked_of = {}

-- Returns the number of parked jobs of a queue before this script, or nil if it is damaged.
local function count_parked(counters_of_queue)
  local whole = counters_of_queue and byte(counters_of_queue, 2) >= COUNTERS_TO_PARKED
  local number = whole and read(PARKED_COUNTER, counters_of_queue, PARKED_COUNTER_FROM)
  return number and number >= LOWEST and number <= HIGHEST and number or nil
end

for i, followers in pairs(followers_of) do
  parked_of[i] = count_parked(state[i])
  if not parked_of[i] then
    return {}
  end
  local follower_ids = {}
  for at, job in ipairs(followers) do
    follower_ids[at] = job.id
  end
  for at, record in ipairs(call('HMGET', JOBS, unpack(follower_ids))) do
    if not record then
      return {}
    end
    followers[at].raw = record
  end
  if #followers > 1 then
    table.sort(followers, function(one, other)
      return one.n < other.n
    end)
  end
end
