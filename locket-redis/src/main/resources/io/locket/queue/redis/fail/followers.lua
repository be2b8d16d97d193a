-- Locks of the runs, and the jobs that follow: of each queue the first job that is parked on a freed key, as in promote of
-- life/places.lua. They are made ready.

-- Mark of a lock for which somebody waits, see acquire.lua.
local WAITER = ' w'
-- Maximum number of queues with jobs that are parked on a key, and of all jobs that follow. More are left to settle.lua.
local MOST_QUEUES_OF_KEY = 16
local MOST_FOLLOWERS = 500
-- Time after which a key is checked again whose jobs were promoted and have not run yet, in ms.
local PROMOTED_LOOK = 10000
-- The beginning of the record of a parked job, and of one that has been promoted; and where what follows the state begins in the
-- former, the mark of a promoted job stands, and the remainder begins.
local PARKED_BEGIN = '\1\6parked' .. NOT_ENDED
local PROMOTED_BEGIN = '\1\5ready'
local BEHIND_STATE = 9
local SIZE_AT = 15
local PROMOTED_AT = 20

-- By digest, the ids of the jobs that follow, with their queues and places. Digests of keys on which nothing is parked any more.
local followers, deserted, events = {}, {}, {}
for i, owner in ipairs((#locks > 0) and get_all(locks) or locks) do
  local lock = locks[i]
  local digest, from, count, waits = sub(lock, #REGISTRY + 2), '-', 0, owner == owners[i] .. WAITER
  if (waits and rests[lock]) or (not waits and owner ~= owners[i]) then
    return {}
  end
  -- The first two entries of the list, because it often has only one.
  local entries = waits and call('ZRANGEBYLEX', PREFIX .. 'parked-on:' .. digest, from, '+', 'LIMIT', '0', '2') or {}
  if waits and #entries == 0 then
    deserted[#deserted + 1] = 'k:' .. digest
  elseif waits then
    due[#due + 1], due[#due + 2] = format('%.0f', now + PROMOTED_LOOK), 'k:' .. digest
  end
  while entries[1] do
    local name, place, id = string.match(entries[1], '^(%S+) (%d+) (%S+)$')
    if not name or count == MOST_QUEUES_OF_KEY or #followers == MOST_FOLLOWERS then
      return {}
    end
    followers[#followers + 1] = {id = id, queue = name, place = tonumber(place), digest = digest}
    -- '!' follows the blank that ends the name of a queue.
    from, count = '[' .. name .. '!', count + 1
    entries = entries[2] and call('ZRANGEBYLEX', PREFIX .. 'parked-on:' .. digest, from, '+', 'LIMIT', '0', '2') or {}
  end
end
local follower_ids = {}
for i, follower in ipairs(followers) do
  follower_ids[i] = follower.id
end
for i, raw in ipairs((#followers > 0) and call('HMGET', JOBS, unpack(follower_ids)) or followers) do
  local follower = followers[i]
  local whole, size, parts, g = pcall(read, HEAD_SIZE, raw or '', SIZE_AT)
  if not whole or sub(raw, 1, SIZE_AT - 1) ~= PARKED_BEGIN or parts > 3 or g > 0 then
    return {}
  end
  local attempt, _ = 0, nil
  if parts % 2 == 1 then
    whole, _, _, _, _, attempt = pcall(read, RAN, raw, SIZE_AT)
  end
  local placed, n, e, _, _, _, l, _, k, q, j = pcall(read, PLACE_TO_OPTIONS, raw, SIZE_AT + SIZE_SIZE + size)
  if not whole or not placed or n ~= follower.place or k ~= follower.digest or q ~= follower.queue
      or not (l == 'WE' or l == 'UX' or l == 'UW') then
    return {}
  end
  -- @insert queue.lua
  of.oldest, of.promoted = math.min(of.oldest, e), of.promoted or {}
  of.promoted[#of.promoted + 1] = follower
  changed[#changed + 1] = follower.id
  changed[#changed + 1] = PROMOTED_BEGIN .. sub(raw, BEHIND_STATE, PROMOTED_AT - 1) .. '\1' .. sub(raw, PROMOTED_AT + 1)
  events[#events + 1] = {'promoted', follower.id, j, q, '', '', format('%d', attempt + 1), ''}
end
