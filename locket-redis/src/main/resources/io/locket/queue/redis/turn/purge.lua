-- Jobs that ended longer ago than they are kept, or are too many, unless a repeated call may still ask for them. Dead letters
-- that are too old or too many are left to settle.lua.

-- Maximum number of records that one call purges.
local PURGE = 96
-- Size of the beginning of the record of a job that has succeeded, see ends.lua, and the bytes from its parts to its failed
-- attempts if it has no rare fields and was not cancelled.
local ENDED_HEAD_SIZE = 11
local PLAIN_RUN = '\1\0\0\0\0\0\0'
local PLAIN_RUN_FROM = 22
local PLAIN_RUN_TO = 28

local purged, failed
if purging then
  local ended_age, ended_size, dead_age, dead_size, floor = string.match(ARGV[3], '(%d+) (%d+) (%d+) (%d+) (%d+)')
  local old_letter = format('%.0f', now - math.max(dead_age, floor))
  if call('ZCARD', PREFIX .. 'dead') > tonumber(dead_size) or call('ZCOUNT', PREFIX .. 'dead', '-inf', old_letter) > 0 then
    return {}
  end
  local over = call('ZCARD', ended_set) - ended_size
  purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - math.max(ended_age, floor)), 'LIMIT', 0, PURGE)
  if #purged == 0 and over > 0 then
    purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - floor), 'LIMIT', 0, math.min(PURGE, over))
  end
  local live = {scheduled = true, ready = true, parked = true, retry = true, running = true}
  for i, raw in ipairs((#purged > 0) and call('HMGET', JOBS, unpack(purged)) or purged) do
    if not raw then
      return {}
    elseif sub(raw, 1, ENDED_HEAD_SIZE) ~= ENDED_HEAD or sub(raw, PLAIN_RUN_FROM, PLAIN_RUN_TO) ~= PLAIN_RUN then
      local version, size = byte(raw, 1, 2)
      if version ~= VERSION or not size or live[sub(raw, 3, 2 + size)] then
        return {}
      end
      failed = failed or {}
      failed[#failed + 1] = purged[i]
    end
  end
end
