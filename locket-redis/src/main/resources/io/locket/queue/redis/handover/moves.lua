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
-- Number of digits of a place in an entry of the list of the parked jobs of a key.
local DIGITS = 16

for _, job in ipairs(unlisted) do
  into(removed, PREFIX .. 'parked-on:' .. job.k, job.entry or names[job.of] .. ' ' .. format('%016.0f', job.n) .. ' ' .. job.id)
  if job.follows then
    into(removed, PREFIX .. 'parked:' .. names[job.of], job.id)
  end
end
for _, job in ipairs(still_ready) do
  local name = names[job.of]
  into(removed, PREFIX .. 'parked:' .. name, job.id)
  local index, number = PREFIX .. 'ready:' .. name, format('%.0f', math.floor(job.n / SEGMENT))
  into(added, index .. ' ' .. number, format('%.0f', job.n), job.id)
  into(added, index, number, number)
  kept[#kept + 1] = job.id
  kept[#kept + 1] = job.head and READY_BEGIN .. job.head.before .. '\1' .. job.head.behind or PROMOTED_HEAD .. job.rest
  notified[name] = of_queue[10 * job.of - PAUSED] == 0 or nil
end
-- Most jobs that are parked have the queue and the key of the job before, and a place with as many digits.
local of, key, in_queue, on_key, digits, before_place
for _, job in ipairs(parked) do
  if not job.follows then
    local place = format((job.n < LARGE) and '%d' or '%.0f', job.n)
    if job.of ~= of or #place ~= digits then
      of, digits = job.of, #place
      in_queue = members_of(added, PREFIX .. 'parked:' .. names[of])
      before_place = names[of] .. ' ' .. string.rep('0', DIGITS - digits)
    end
    local size = #in_queue
    in_queue[size + 1], in_queue[size + 2] = place, job.id
    size = #kept
    kept[size + 1] = job.id
    kept[size + 2] = job.head and PARKED_BEGIN .. job.head.before .. '\0' .. job.head.behind or PARKED_HEAD .. job.rest
    if not job.listed then
      if job.k ~= key then
        key, on_key = job.k, members_of(added, PREFIX .. 'parked-on:' .. job.k)
      end
      size = #on_key
      on_key[size + 1], on_key[size + 2] = '0', before_place .. place .. ' ' .. job.id
    end
  end
end
-- The time of the next check of a key.
local next_check = math.huge
for digest, at in pairs(check_times) do
  if at then
    next_check = math.min(next_check, at)
    into(added, due_set, format('%d%03d', at / 1000, at % 1000), 'k:' .. digest)
  end
end
for _, digest in ipairs(deserted) do
  if check_times[digest] == nil then
    into(removed, due_set, 'k:' .. digest)
  end
end
