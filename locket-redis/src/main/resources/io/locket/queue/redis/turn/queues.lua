-- Changes of each queue: its counters, and the number of its jobs that are handed out.

-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted. Those
-- that change begin and end at these bytes; others are copied.
local COUNTERS = '>i7i7i7i7i7i7i7i7'
local COUNTERS_FROM = 3
local CHANGED_COUNTERS = '>i7i7i7'
local CHANGED_COUNTERS_FROM = 17
local CHANGED_COUNTERS_TO = 37
-- Range of the counters. Others are damaged.
local LOWEST = -1e13
local HIGHEST = 1e14
-- Number of succeeded runs of a queue after which records of jobs that ended long ago are purged.
local PURGE_EVERY = 64
-- Time after which the reservation of a poller is written again though nothing was handed out, in ms.
local SEEN_AGAIN = 30000

-- The fields of queues and their new counters; names of idle queues.
local counters, idle = {nil, nil, nil, nil}, nil
local taken, purging = 0, false
-- Names of queues that other workers are notified of.
local woken

for i = 1, queues do
  local raw, first, ended_here, count = state[i], ready[i], of_queue[5 * i - ENDED_HERE] or 0, 0
  local ready_now, running, succeeded, removed_at, paused, unlisted = 0, 0, 0, 0, 1, 0
  if raw then
    local version, numbers = byte(raw, 1, 2)
    -- Names of jobs that are set aside follow the numbers.
    if version ~= 1 or numbers < 8 or #raw ~= 2 + 7 * numbers then
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
  if unlisted ~= 0 or (ended_here > 0 and not (raw and of_queue[5 * i - OLDEST] > removed_at)) then
    return {}
  end
  running, succeeded = running - ended_here, succeeded + ended_here
  purging = purging or succeeded % PURGE_EVERY < ended_here
  local limit = of_queue[5 * i - LIMIT]
  if i <= asked and taken < slots then
    if not first or (#first > 0 and not raw) then
      return {}
    elseif paused == 0 then
      count = math.min(slots - taken, #first, (limit > 0) and math.max(limit - running, 0) or slots)
    end
    taken = taken + count
    of_queue[5 * i - TAKEN], of_queue[5 * i - REMOVED] = count, removed_at
    if count == #first or taken < slots then
      idle = idle or {}
      idle[#idle + 1] = names[i]
    end
  end
  if ended_here + count > 0 then
    counters[#counters + 1] = fields[i]
    counters[#counters + 1] = sub(raw, 1, CHANGED_COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, ready_now - count,
        running + count, succeeded) .. sub(raw, CHANGED_COUNTERS_TO + 1)
  end
  -- Other workers are notified of a queue that was full before its runs ended, and has room and jobs now. A queue that is not
  -- requested counts as full, because its limit is unknown.
  if ended_here > 0 and ready_now > count and paused == 0
      and (not limit or (running + ended_here >= limit and running + count < limit)) then
    woken = woken or {}
    woken[#woken + 1] = names[i]
  end
end
-- The poll of an idle worker is recorded from time to time, and jobs that ended long ago are purged.
if request ~= '' and taken == 0 and polled_at <= now - SEEN_AGAIN then
  return {}
end
