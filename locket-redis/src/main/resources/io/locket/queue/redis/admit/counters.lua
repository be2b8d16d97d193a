-- The counters of a queue, which must be readable. The queue must be listed, and not have been removed just now.

local version, numbers = byte(raw or '', 1, 2)
-- Names of jobs that are set aside follow the numbers.
if version ~= 1 or not numbers or numbers < 8 or #raw ~= 2 + 7 * numbers then
  return {}
end
local seq, accepted, ready, running, succeeded, removed_at, paused, unlisted = read(COUNTERS, raw, COUNTERS_FROM)
if seq < LOWEST or seq > HIGHEST or accepted < LOWEST or accepted > HIGHEST or ready < LOWEST or ready > HIGHEST
    or running < LOWEST or running > HIGHEST or succeeded < LOWEST or succeeded > HIGHEST or removed_at < LOWEST
    or removed_at >= now or paused < LOWEST or paused > 1 or unlisted ~= 0 then
  return {}
end
