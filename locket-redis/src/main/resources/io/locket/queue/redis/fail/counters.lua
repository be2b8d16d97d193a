-- New counters of the queues, and which of them other workers are notified of.

local counters, woken = {}, {}
local state = call('HMGET', STATE, unpack(fields))
for i, of in ipairs(queues) do
  local raw, failed_before = state[2 * i - 1], state[2 * i] or '0'
  local version, numbers = byte(raw or '', 1, 2)
  -- Names of jobs that are set aside follow the numbers.
  if version ~= 1 or not numbers or numbers < MOST_NUMBERS or #raw ~= 2 + 7 * numbers
      or not string.find(failed_before, '^%d+$') or tonumber(failed_before) >= LARGEST then
    return {}
  end
  local _, _, ready_now, running, _, removed_at, paused, unlisted, _, _, retries = read(NUMBERS, raw, NUMBERS_FROM)
  if ready_now < LOWEST or ready_now > HIGHEST or running < LOWEST or running > HIGHEST or removed_at < LOWEST
      or removed_at > HIGHEST or of.oldest <= removed_at or paused < LOWEST or paused > 1 or unlisted ~= 0 or retries < LOWEST
      or retries > HIGHEST then
    return {}
  end
  counters[4 * i - 3] = fields[2 * i - 1]
  counters[4 * i - 2] = sub(raw, 1, RUNNING_FROM - 1) .. pack(NUMBER, running - of.count)
      .. sub(raw, RUNNING_FROM + 7, RETRY_FROM - 1) .. pack(NUMBER, retries + of.count) .. sub(raw, OTHERS_FROM)
  counters[4 * i - 1], counters[4 * i] = fields[2 * i], format('%.0f', failed_before + of.count)
  -- Workers are notified of a queue that was full and has room now. Without a request its limit is unknown, so it counts as full.
  if ready_now > 0 and paused == 0 and (not of.limit or (running >= of.limit and running - of.count < of.limit)) then
    woken[#woken + 1] = of.name
  end
end
