-- Counters of the queues, and the last reservation of the poller.

-- @include ../pollers.lua

-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted.
local COUNTERS = '>i7i7i7i7i7i7i7i7'
local COUNTERS_FROM = 3
-- Range of the counters. Others are damaged.
local LOWEST = -1e13
local HIGHEST = 1e14
-- Number of succeeded runs of a queue after which records of jobs that ended long ago are purged.
local PURGE_EVERY = 64

local fields = {nil, nil}
for i = 1, queues do
  fields[i] = 'q:' .. names[i]
end
fields[queues + 1] = poller_field
local state = (#fields > 0) and call('HMGET', STATE, unpack(fields)) or fields
local poller, polled_at = poller_field and state[queues + 1], 0
if poller then
  local whole, version, at, known = pcall(read, POLLER, poller)
  -- A request that is known, or older than the known one. All ids of a process have the same length. The order of others means
  -- nothing, and the general scripts serve them. If the clock was set back, they record the poll again.
  if not whole or version ~= 1 or known >= request or at > now then
    return {}
  end
  polled_at = at
end

local purging = false
for i = 1, queues do
  local raw, ended_here = state[i], of_queue[10 * i - ENDED_HERE] or 0
  local ready_now, running, succeeded, removed_at, paused, unlisted = 0, 0, 0, 0, 1, 0
  if raw then
    local version, numbers = byte(raw, 1, 2)
    -- Names of jobs that are set aside follow the numbers.
    if version ~= 1 or not numbers or numbers < 8 or #raw ~= 2 + 7 * numbers then
      return {}
    end
    local seq, accepted
    seq, accepted, ready_now, running, succeeded, removed_at, paused, unlisted = read(COUNTERS, raw, COUNTERS_FROM)
    if seq < LOWEST or seq > HIGHEST or accepted < LOWEST or accepted > HIGHEST or ready_now < LOWEST or ready_now > HIGHEST
        or running < LOWEST or running > HIGHEST or succeeded < LOWEST or succeeded > HIGHEST or removed_at < LOWEST
        or removed_at > HIGHEST or paused < LOWEST or paused > 1 then
      return {}
    end
  end
  if unlisted ~= 0 then
    -- An empty queue, as one that is unknown. If a job is found there, all is left to the general scripts, which list the queue.
    raw, state[i], paused = nil, false, 1
  end
  if ended_here > 0 and not (raw and of_queue[10 * i - OLDEST] > removed_at) then
    return {}
  end
  succeeded = succeeded + ended_here
  purging = purging or succeeded % PURGE_EVERY < ended_here
  of_queue[10 * i - ENDED_HERE], of_queue[10 * i - READY] = ended_here, ready_now
  of_queue[10 * i - RUNNING], of_queue[10 * i - SUCCEEDED] = running - ended_here, succeeded
  of_queue[10 * i - PAUSED], of_queue[10 * i - REMOVED] = paused, removed_at
end
