-- Jobs that are parked, promoted, or listed for their keys no more; marks, and times of checks.

-- Members by sorted set: those that are removed, and scores and members that are added. Records that are written.
local removed, added, kept = {}, {}, {}

local function into(sets, name, ...)
  local members = sets[name] or {}
  sets[name] = members
  for _, value in ipairs({...}) do
    members[#members + 1] = value
  end
end

local function listing(job)
  return PREFIX .. 'parked-on:' .. job.k, job.q .. ' ' .. format('%016.0f', job.n) .. ' ' .. job.id
end

for _, job in ipairs(unlisted) do
  into(removed, listing(job))
  if job.follows then
    into(removed, PREFIX .. 'parked:' .. job.q, job.id)
  end
end
for _, job in ipairs(left) do
  into(removed, PREFIX .. 'parked:' .. job.q, job.id)
  into(added, PREFIX .. 'ready:' .. job.q, format('%.0f', job.n), job.id)
  kept[#kept + 1], kept[#kept + 2] = job.id, job.raw
end
for _, job in ipairs(parked) do
  if not job.follows then
    into(added, PREFIX .. 'parked:' .. job.q, format('%.0f', job.n), job.id)
    kept[#kept + 1], kept[#kept + 2] = job.id, PARKED_HEAD .. sub(job.raw, READY_REST_AT)
  end
  if not job.listed then
    local list, member = listing(job)
    into(added, list, '0', member)
  end
end
for digest, at in pairs(looks) do
  into(added, due_set, format('%.0f', at), 'k:' .. digest)
end
for _, digest in ipairs(deserted) do
  if not looks[digest] then
    into(removed, due_set, 'k:' .. digest)
  end
end

for name, members in pairs(removed) do
  call('ZREM', name, unpack(members))
end
for name, members in pairs(added) do
  call('ZADD', name, unpack(members))
end
if #kept > 0 then
  call('HSET', JOBS, unpack(kept))
end
for lock, owner in pairs(marked) do
  call('SET', lock, owner, 'KEEPTTL')
end
-- Workers are notified of jobs that follow and are not handed out. turn/writes.lua has notified them of other queues.
local told = {}
for _, job in ipairs(left) do
  if of_queue[10 * job.of - PAUSED] == 0 and not told[job.q] then
    told[job.q] = true
    redis.pcall('PUBLISH', PREFIX .. 'work', job.q)
  end
end
if taken >= math.max(slots, 1) and next(looks) ~= nil then
  due = call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
end
