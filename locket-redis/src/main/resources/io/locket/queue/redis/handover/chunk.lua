-- Reads the next candidates of a queue, all that follow among them, and the locks of their keys.

local from, unread, lock_names = to + 1, {}, {}
to = (to == 0) and math.min(math.max(room, last_follower), #candidates) or #candidates
for candidate = from, to do
  unread[#unread + 1] = (type(candidates[candidate]) == 'string') and candidates[candidate] or nil
end
local unread_raws = (#unread > 0) and call('HMGET', JOBS, unpack(unread)) or unread
local removed_at, last_read = of_queue[10 * i - REMOVED], 0
for candidate = from, to do
  local id, raw, digest = candidates[candidate]
  if type(id) == 'table' then
    id, raw, digest = id.id, id.raw, id.digest
  else
    last_read = last_read + 1
    raw = unread_raws[last_read]
  end
  if not state[i] or not raw then
    return {}
  end
  local listed, head = sub(raw, 1, PROMOTED_HEAD_SIZE) == PROMOTED_HEAD, nil
  local place_at = listed and PROMOTED_HEAD_SIZE + 1 or FRESH_PLACE_AT
  if not listed and byte(raw) ~= FRESH then
    -- @insert ../turn/kept.lua
    head = kept
  end
  -- @include ../turn/ready.lua
  local lock = leased and REGISTRY .. ':' .. k
  if (listed and not leased) or (digest and k ~= digest) then
    return {}
  end
  -- One table with all fields, because a table that grows is built again.
  local job = {id = id, rest = sub(raw, place_at), n = n, q = q, j = j, k = k, l = l, x = x, c = c, lock = lock, listed = listed,
      follows = digest, of = i, head = head}
  candidates[candidate] = job
  if lock and owner_of[lock] == nil then
    owner_of[lock], lock_names[#lock_names + 1] = false, lock
  end
  if digest then
    tell('promoted', job)
  end
end
if #lock_names > 0 then
  local lock_owners = get_all(lock_names)
  for lock_at, lock in ipairs(lock_names) do
    owner_of[lock] = lock_owners[lock_at]
  end
end
