-- The walk over the queues. It hands out their first jobs whose keys are free, and parks those before them whose keys are held.

-- @include ../contention.lua
-- @include ../turn/fresh.lua

-- Maximum number of jobs that one call parks, because Lua limits the number of arguments of a function. More are left to the
-- general scripts.
local MOST_PARKED = 500
-- The field of a job that was deferred. It ends when the job is parked, which is left to the general scripts.
local DEFERRED = '"y":'

-- Jobs that are handed out, as in turn/starts.lua.
local handed_ids, handed_rests, handed, has_key_lease, heads, leases = {}, {}, 0, {}, {}, {}
local lease, lease_end
-- Jobs that take locks, and the index of each there by its lock. Jobs that are parked, or stay so. Jobs that follow and are
-- ready at the end, because there is no slot for them. Jobs that are handed out, and were listed for their keys.
local takers, taker_of, still_ready, unlisted = {}, {}, {}, {}
local parked = {nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}
local taken, cut, idle = 0, false, nil
-- The settings that jobs of one definition share: name, lock strategy, duration of a lease, and conflict strategy. Also the parts
-- of the definition, see turn/fresh.lua. These are the settings of the job that was read last.
local kind = {}
-- Events, see the reply of handover.lua, and the settings of the job that was parked last. Events of jobs that follow come first.
local events, kind_parked_last = {nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}, nil
-- By queue, see ready/first.lua.
local ready, segments_of, sizes_of = {}, {}, {}
-- Whether so many jobs of a queue are parked for the first time that these are probably a crowd.
local crowded = false
-- @include older.lua

for i = 1, queues do
  local name, limit, want, room = names[i], of_queue[10 * i - LIMIT] or 0, (i <= requested) and slots - taken or 0, 0
  if want > 0 and (not state[i] or of_queue[10 * i - PAUSED] == 0) then
    room = (limit > 0) and math.min(math.max(limit - of_queue[10 * i - RUNNING], 0), want) or want
  end
  -- @include candidates.lua
  -- Number of jobs that are handed out, of those whose keys are held, and of those of both that were ready. Number of jobs that
  -- follow and leave their keys to older jobs. Number of jobs that follow and are ready, in the queues before.
  local out, held, gone, yielding, still_ready_before = 0, 0, 0, 0, #still_ready
  local at, to = 1, 0
  while at <= #candidates and (to == 0 or (out < room and held + yielding < CHECKS)) do
    -- @include chunk.lua
    while at <= to and out < room and held + yielding < CHECKS do
      local job = candidates[at]
      local owner = job.lock and owner_of[job.lock]
      if owner then
        if job.kind.c ~= '' or #parked == MOST_PARKED or (job.head and string.find(job.head[4], DEFERRED, 1, true)) then
          return {}
        end
        held, parked[#parked + 1] = held + 1, job
        if job.kind ~= kind_parked_last then
          events[#events + 1], kind_parked_last = 'parked ' .. name .. ' ' .. job.kind.j, job.kind
        end
        events[#events + 1] = job.id
      elseif not (job.lock and (older_of[job.k] or job.e) < job.e) then
        out = out + 1
        -- @include take.lua
      elseif job.follows then
        yielding, still_ready[#still_ready + 1] = yielding + 1, job
      else
        return {}
      end
      at, gone = at + 1, gone + (job.follows and 0 or 1)
    end
  end
  -- @include result.lua
end
-- As in turn/queues.lua. A poll that is to be continued is not recorded.
if request ~= '' and taken + ends == 0 and not cut then
  -- @include ../turn/idle.lua
end
