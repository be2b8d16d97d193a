-- New counters of the queues, and which of them other workers are notified of.

-- Number of counters up to that of the dead letters, which follows that of the dead jobs, and the bytes at which both begin. Two
-- counters that are neighbours, as those of ready and running jobs, and of parked jobs and retries.
local NUMBERS_TO_LETTERS = 17
local DEAD_FROM = 94
local LETTERS_FROM = 115
local TWO_NUMBERS = '>i7i7'

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
  local _, _, ready_now, running, _, removed_at, paused, unlisted, _, parked, retries = read(NUMBERS, raw, NUMBERS_FROM)
  if ready_now < LOWEST or ready_now > HIGHEST or running < LOWEST or running > HIGHEST or removed_at < LOWEST
      or removed_at > HIGHEST or of.oldest <= removed_at or paused < LOWEST or paused > 1 or unlisted ~= 0 or parked < LOWEST
      or parked > HIGHEST or retries < LOWEST or retries > HIGHEST then
    return {}
  end
  local promoted, others = of.promoted and #of.promoted or 0, sub(raw, OTHERS_FROM)
  if of.letters or of.purged then
    if numbers < NUMBERS_TO_LETTERS then
      return {}
    end
    local dead, letters_now = read(NUMBER, raw, DEAD_FROM), read(NUMBER, raw, LETTERS_FROM)
    if dead < LOWEST or dead > HIGHEST or letters_now < LOWEST or letters_now > HIGHEST then
      return {}
    end
    local died, left = of.letters and #of.letters / 2 or 0, of.purged and #of.purged or 0
    others = sub(raw, OTHERS_FROM, DEAD_FROM - 1) .. pack(NUMBER, dead + died) .. sub(raw, DEAD_FROM + 7, LETTERS_FROM - 1)
        .. pack(NUMBER, letters_now + died - left) .. sub(raw, LETTERS_FROM + 7)
  end
  counters[#counters + 1] = fields[2 * i - 1]
  counters[#counters + 1] = sub(raw, 1, READY_FROM - 1) .. pack(TWO_NUMBERS, ready_now + promoted, running - of.count)
      .. sub(raw, RUNNING_FROM + 7, PARKED_FROM - 1) .. pack(TWO_NUMBERS, parked - promoted, retries + #of.retries / 2) .. others
  if of.count > 0 then
    counters[#counters + 1] = fields[2 * i]
    counters[#counters + 1] = format('%.0f', failed_before + of.count)
  end
  -- Workers are notified of a queue that was full and has room now, or has a job that follows. Without a request its limit is
  -- unknown, so it counts as full.
  local has_room = of.count > 0 and (not of.limit or (running >= of.limit and running - of.count < of.limit))
  if paused == 0 and (promoted > 0 or (ready_now > 0 and has_room)) then
    woken[#woken + 1] = of.name
  end
end
