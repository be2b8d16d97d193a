-- Where jobs are listed that are parked, promoted, or handed out, and when contended keys are checked.

-- Members by sorted set: those that are removed, and scores and members that are added. Records of jobs that are parked or
-- promoted. Queues whose workers are notified of jobs that follow and are not handed out: true by name.
local removed, added, kept, notified = {}, {}, {}, {}

local function members_of(sets, name)
  local members = sets[name] or {nil, nil}
  sets[name] = members
  return members
end

local function into(sets, name, first, second)
  local members = members_of(sets, name)
  members[#members + 1] = first
  members[#members + 1] = second
end

-- '%d' costs a third of '%.0f', but may have 32 bits.
local LARGE = 2147483648

-- The entry of a job in the list of the parked jobs of its key.
local function entry_of(job)
  return job.entry or job.q .. ' ' .. format((job.n < LARGE) and '%016d' or '%016.0f', job.n) .. ' ' .. job.id
end

for _, job in ipairs(unlisted) do
  into(removed, PREFIX .. 'parked-on:' .. job.k, entry_of(job))
  if job.follows then
    into(removed, PREFIX .. 'parked:' .. job.q, job.id)
  end
end
for _, job in ipairs(still_ready) do
  into(removed, PREFIX .. 'parked:' .. job.q, job.id)
  local index, number = PREFIX .. 'ready:' .. job.q, format('%.0f', math.floor(job.n / SEGMENT))
  into(added, index .. ' ' .. number, format('%.0f', job.n), job.id)
  into(added, index, number, number)
  kept[#kept + 1] = job.id
  kept[#kept + 1] = job.head and READY_BEGIN .. job.head.before .. '\1' .. job.head.behind or PROMOTED_HEAD .. job.rest
  notified[job.q] = of_queue[10 * job.of - PAUSED] == 0 or nil
end
-- Most jobs that are parked have the queue and the key of the job before.
local queue, key, in_queue, on_key
for _, job in ipairs(parked) do
  if not job.follows then
    if job.q ~= queue then
      queue, in_queue = job.q, members_of(added, PREFIX .. 'parked:' .. job.q)
    end
    local size = #in_queue
    in_queue[size + 1], in_queue[size + 2] = format((job.n < LARGE) and '%d' or '%.0f', job.n), job.id
    size = #kept
    kept[size + 1] = job.id
    kept[size + 2] = job.head and PARKED_BEGIN .. job.head.before .. '\0' .. job.head.behind or PARKED_HEAD .. job.rest
  end
  if not job.listed then
    if job.k ~= key then
      key, on_key = job.k, members_of(added, PREFIX .. 'parked-on:' .. job.k)
    end
    local size = #on_key
    on_key[size + 1], on_key[size + 2] = '0', entry_of(job)
  end
end
-- The time of the next check of a key.
local next_check = math.huge
for digest, at in pairs(check_times) do
  next_check = math.min(next_check, at)
  into(added, due_set, format('%d%03d', at / 1000, at % 1000), 'k:' .. digest)
end
for _, digest in ipairs(deserted) do
  if not check_times[digest] then
    into(removed, due_set, 'k:' .. digest)
  end
end
