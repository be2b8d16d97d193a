-- Locks of the runs that end, and the jobs that follow: of each queue the first job that is parked on the key, as in promote
-- of life/places.lua.

-- @include following.lua

-- Owner of each lock that is read, or false if it is free. By queue, the jobs that follow there. Digests of keys on which nothing
-- is parked any more.
local owner_of, followers_of, deserted = {}, {}, {}
local follower_count = 0

locks[lock_count + 1] = PREFIX .. 'fence'
local values = get_all(locks)
local last_fence = values[lock_count + 1]
locks[lock_count + 1] = nil
for i = 1, lock_count do
  local lock, marked = locks[i], values[i] == owners[i] .. WAITER
  if not marked and values[i] ~= owners[i] then
    return {}
  end
  local rest = rests and rests[lock]
  owner_of[lock] = rest and rest[1] or false
  local digest, from, count = sub(lock, #REGISTRY + 2), '-', 0
  local waits = marked and not rest
  -- The first two entries of the list, because it often has only one.
  local entries = waits and call('ZRANGEBYLEX', PREFIX .. 'parked-on:' .. digest, from, '+', 'LIMIT', '0', '2') or {}
  deserted[#deserted + 1] = waits and #entries == 0 and digest or nil
  while entries[1] do
    local name, place, id = string.match(entries[1], '^(%S+) (%d+) (%S+)$')
    follower_count = follower_count + 1
    if not name or count == MOST_QUEUES_OF_KEY or follower_count > MOST_FOLLOWERS then
      return {}
    end
    local of = 1
    while of <= queues and names[of] ~= name do
      of = of + 1
    end
    if of > queues then
      queues, names[of] = of, name
    end
    followers_of[of] = followers_of[of] or {}
    table.insert(followers_of[of], {id = id, n = tonumber(place), place = place, entry = entries[1], digest = digest,
        raw = false})
    -- '!' follows the blank that ends the name of a queue.
    from, count = '[' .. name .. '!', count + 1
    entries = entries[2] and call('ZRANGEBYLEX', PREFIX .. 'parked-on:' .. digest, from, '+', 'LIMIT', '0', '2') or {}
  end
end
