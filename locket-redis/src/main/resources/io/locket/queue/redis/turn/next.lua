-- The time until something is due next.

if request ~= '' then
  local next_at = now + AHEAD
  if taken < math.max(slots, 1) then
    next_at, due = math.huge, call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
    expiry = tonumber(call('ZRANGE', running_set, '0', '0', 'WITHSCORES')[2] or math.huge)
  end
  -- Pollers, queues and marks to be deleted count only if there are so many of them that the entries after them are unread.
  for i = 1, due and #due or 0, 2 do
    if i == 2 * HEADS_OF_DUE - 1 or not string.find(due[i], '^[wqi]:') then
      next_at = math.min(next_at, tonumber(due[i + 1]))
      break
    end
  end
  next_at = math.min(next_at, expiry or math.huge)
  reply[2] = (next_at < math.huge) and math.max(next_at - now, 0) or -1
end
if more_due or more_ended then
  reply[1] = 1
end
