-- Reads the next candidates of a queue, and the locks of their keys. All that follow are among the first ones. There are hardly
-- more first ones than one call parks, because the keys of all may be held.

local from, unread, lock_names = to + 1, {}, {}
local lock_of_key, key_of_lock
to = (to == 0) and math.min(math.max(math.min(room, CHECKS), last_follower), #candidates)
    or math.min(to + math.max(CHECKS - held - yielding, room - out), #candidates)
for candidate = from, to do
  unread[#unread + 1] = (candidate > last_follower or type(candidates[candidate]) == 'string') and candidates[candidate] or nil
end
local unread_raws = (#unread > 0) and call('HMGET', JOBS, unpack(unread)) or unread
local removed_at, last_read = of_queue[10 * i - REMOVED], 0
for candidate = from, to do
  local id, raw, digest, entry, entry_place = candidates[candidate]
  if candidate <= last_follower and type(id) == 'table' then
    id, raw, digest, entry, entry_place = id.id, id.raw, id.digest, id.entry, id.n
  else
    last_read = last_read + 1
    raw = unread_raws[last_read]
  end
  if not state[i] or not raw then
    return {}
  end
  local place_at, listed, head = FRESH_PLACE_AT, false, nil
  local fresh = not digest and byte(raw) == FRESH
  if digest and sub(raw, 1, PARKED_HEAD_SIZE) == PARKED_HEAD then
    place_at, listed = PARKED_HEAD_SIZE + 1, true
  elseif not digest and not fresh and sub(raw, 1, PROMOTED_HEAD_SIZE) == PROMOTED_HEAD then
    place_at, listed = PROMOTED_HEAD_SIZE + 1, true
  elseif not fresh then
    local in_state = digest and 'parked' or 'ready'
    -- @insert ../turn/kept.lua
    if g > (digest and 0 or 1) then
      return {}
    end
    listed, head = digest or g == 1, kept
    kept.before, kept.behind = sub(raw, size_at - #NOT_ENDED, size_at + SIZE_SIZE), sub(raw, size_at + SIZE_SIZE + PLAIN_HEAD)
  end
  -- @include ../turn/ready.lua
  if k ~= key_of_lock then
    lock_of_key, key_of_lock = REGISTRY .. ':' .. k, k
  end
  local lock = leased and lock_of_key
  if (listed and not leased) or (digest and (k ~= digest or n ~= entry_place)) then
    return {}
  end
  if not usual or usual ~= kind.before or usual_rest ~= kind.behind then
    kind = {j = j, l = l, x = x, c = c, before = usual, behind = usual_rest}
  end
  -- Not more than eight fields for most jobs, because a table that grows is built again.
  local job = {id = id, rest = sub(raw, place_at), n = n, e = e, k = k, lock = lock, of = i, kind = kind}
  if listed or head then
    job.listed, job.follows, job.entry, job.head = listed, digest, entry, head
  end
  candidates[candidate] = job
  if lock and owner_of[lock] == nil then
    owner_of[lock], lock_names[#lock_names + 1] = false, lock
  end
  if digest then
    events[#events + 1] = 'promoted ' .. q .. ' ' .. j
    events[#events + 1] = id
  end
end
if #lock_names > 0 then
  local lock_owners = get_all(lock_names)
  for lock_at, lock in ipairs(lock_names) do
    owner_of[lock] = lock_owners[lock_at]
  end
end
