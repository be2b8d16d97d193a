-- Writes what handover.lua has beside turn.lua, after the first write, which removes something.

for name, members in pairs(removed) do
  call('ZREM', name, unpack(members))
end
for name, members in pairs(added) do
  call('ZADD', name, unpack(members))
  -- More jobs of a crowd will follow, see LONG_MEMBER.
  if crowded and #members == 2 * CHECKS then
    call('ZADD', name, '0', LONG_MEMBER)
    call('ZREM', name, LONG_MEMBER)
  end
end
if #kept > 0 then
  call('HSET', JOBS, unpack(kept))
end
for lock, owner in pairs(marked) do
  call('SET', lock, owner, 'KEEPTTL')
end
for name in pairs(notified) do
  redis.pcall('PUBLISH', PREFIX .. 'work', name)
end
-- turn/next.lua reads what is due only if slots are left. Otherwise it takes the entries that were read before all writes. Those
-- that have changed since are due later now, unless a key is to be checked soon.
if taken >= math.max(slots, 1) and next_check < now + AHEAD then
  due = call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
end
