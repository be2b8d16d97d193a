-- Reads the next candidates of a queue, all that follow among them, and the locks of their keys.

local from, unread, lock_names = to + 1, {}, {}
to = (to == 0) and math.min(math.max(room, last_follower), #candidates) or #candidates
for candidate = from, to do
  unread[#unread + 1] = not candidates[candidate].raw and candidates[candidate].id or nil
end
local unread_raws = (#unread > 0) and call('HMGET', JOBS, unpack(unread)) or unread
local removed_at, last_read = of_queue[10 * i - REMOVED], 0
for candidate = from, to do
  local job = candidates[candidate]
  if not job.raw then
    last_read = last_read + 1
    job.raw = unread_raws[last_read]
  end
  local raw = job.raw
  local head = raw and sub(raw, 1, READY_HEAD_SIZE)
  if not state[i] or (head ~= READY_HEAD and head ~= PROMOTED_HEAD) then
    return {}
  end
  -- @include ../turn/ready.lua
  job.n, job.q, job.j, job.k, job.l, job.x, job.c, job.listed = n, q, j, k, l, x, c, head == PROMOTED_HEAD
  if (job.listed and not leased) or (job.follows and k ~= job.digest) then
    return {}
  end
  if leased then
    job.lock = REGISTRY .. ':' .. k
    lock_names[#lock_names + 1] = owner_of[job.lock] == nil and job.lock or nil
    owner_of[job.lock] = owner_of[job.lock] or false
  end
  if job.follows then
    tell('promoted', job)
  end
end
if #lock_names > 0 then
  local lock_owners = get_all(lock_names)
  for lock_at, lock in ipairs(lock_names) do
    owner_of[lock] = lock_owners[lock_at]
  end
end
