-- Locks of the runs, and the jobs that follow: of each queue the first job that is parked on a freed key, as in promote of
-- life/places.lua. They are made ready.

-- @include ../handover/following.lua

-- In the record of a parked job, the bytes behind the state begin here, and this byte is 1 once the job has been promoted.
local BEHIND_STATE = 9
local PROMOTED_AT = 20

-- The jobs that follow, with their queues, places and keys. Due entries of keys on which nothing is parked any more.
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
    due[#due + 1], due[#due + 2] = format('%.0f', now + PROMOTED_CHECK), 'k:' .. digest
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
  local attempt, place_at = 0, PARKED_HEAD_SIZE + 1
  if not raw then
    return {}
  elseif sub(raw, 1, PARKED_HEAD_SIZE) ~= PARKED_HEAD then
    local in_state, text_fields, number_fields = 'parked', KEPT_TEXTS, KEPT_NUMBERS
    -- @insert ../turn/head.lua
    if g > 0 then
      return {}
    end
    attempt = failed or 0
  end
  local whole, n, e, _, _, definition_size, l, x, k, q, j, _, r, options_at = pcall(read, PLACE_TO_OPTIONS, raw, place_at)
  local definition_ends, options_end = whole and place_at + PLACE_SIZE + SIZE_SIZE + definition_size, options_at
  if whole and options_at < definition_ends then
    whole, _, _, _, _, _, options_end = pcall(read, OPTIONS, raw, options_at)
  end
  if not whole or options_end > definition_ends or definition_ends > #raw + 1 or x == 0 or r > INTEGER
      or n ~= follower.place or k ~= follower.digest or q ~= follower.queue or not (l == 'WE' or l == 'UX' or l == 'UW') then
    return {}
  end
  -- @insert queue.lua
  of.oldest, of.promoted = math.min(of.oldest, e), of.promoted or {}
  of.promoted[#of.promoted + 1] = follower
  changed[#changed + 1] = follower.id
  changed[#changed + 1] = READY_BEGIN .. sub(raw, BEHIND_STATE, PROMOTED_AT - 1) .. '\1' .. sub(raw, PROMOTED_AT + 1)
  events[#events + 1] = {'promoted', follower.id, j, q, '', '', format('%d', attempt + 1), ''}
end
