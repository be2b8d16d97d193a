-- Lists the records that are set aside because they cannot be read, or discards some of them.
--
-- ARGV[3] 'list' or 'discard'
-- ARGV[4..] 'list': maximum number; 'discard': ids, at most 100
--
-- Reply: 'list': {id, version that reads it or '', queue or '', state or ''...}; 'discard': 1 for each id whose record
--        could not be read and is gone now, else 0.
-- Repetition: a discarded record is gone, so nothing changes.
-- Invariant: a job whose queue and state were known is counted as lost.

local reply = {}

local function list(limit)
  local found = redis.call('ZRANGE', UNREADABLE, 0, limit - 1, 'WITHSCORES')
  for i = 1, #found, 2 do
    local version = tonumber(found[i + 1])
    local name, state = counted_aside(found[i])
    reply[#reply + 1] = found[i]
    reply[#reply + 1] = version < DAMAGED and text(version) or ''
    reply[#reply + 1] = name or ''
    reply[#reply + 1] = state or ''
  end
end

-- Returns the segment that lists a job whose record cannot be read. This takes milliseconds with a million ready jobs.
local function find_ready(name, id)
  for _, number in ipairs(redis.call('ZRANGE', ready_set(name), 0, -1)) do
    local segment = ready_set(name, number)
    if redis.call('ZSCORE', segment, id) then
      return segment
    end
  end
end

local function is_listed_by(name, id)
  if redis.call('ZSCORE', RUNNING, id .. ' ' .. name) then
    return true
  end
  for _, place in ipairs({'parked', 'scheduled', 'retry', 'dead'}) do
    if redis.call('ZSCORE', PREFIX .. place .. ':' .. name, id) then
      return true
    end
  end
  return false
end

-- Returns the queue that lists a job with an unreadable record, and its segment if it is ready, or nil.
local function queue_that_lists(id)
  local names = redis.call('ZRANGE', PREFIX .. 'queues', 0, SEARCHED - 1)
  for _, name in ipairs(names) do
    if is_listed_by(name, id) then
      return name
    end
  end
  for _, name in ipairs(names) do
    local segment = find_ready(name, id)
    if segment then
      return name, segment
    end
  end
end

local function discard(id)
  if find(id) or not unreadable[id] then
    return 0
  end
  local _, _, counted = counted_aside(id)
  if not counted then
    set_aside(id, queue_that_lists(id))
  end
  forget(id)
  take_back(id)
  return 1
end

if ARGV[3] == 'list' then
  list(tonumber(ARGV[4]))
  return reply
end
local ids = {unpack(ARGV, 4)}
load(ids)
for i, id in ipairs(ids) do
  reply[i] = discard(id)
end
write()
return reply
