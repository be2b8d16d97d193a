-- Counts ready jobs.

-- Maximum number of segments that are counted. More take milliseconds.
local COUNTED_SEGMENTS = 5000
-- Number of segments that have been counted, of all queues.
local segments_counted = 0

-- Returns the number of jobs in the first segments of a queue, or nil if these are too many to be counted.
local function ready_size(name, number_of_segments)
  if number_of_segments > COUNTED_SEGMENTS then
    return nil
  end
  segments_counted = segments_counted + number_of_segments
  local size, numbers = 0, redis.call('ZRANGE', ready_set(name), 0, number_of_segments)
  for i = 1, number_of_segments do
    size = size + redis.call('ZCARD', ready_set(name, numbers[i]))
  end
  return size
end
