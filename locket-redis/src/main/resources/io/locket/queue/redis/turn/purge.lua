-- Jobs that ended longer ago than they are kept, or are too many, unless a repeated call may still need them. Dead letters
-- that are too old or too many are left to settle.lua. While runs end, few of them wait for the next failed job instead.

-- @include ../purge.lua
-- Number of dead letters, and time in ms, by which they may be too many or too old while runs end.
local LETTERS_OVER = 96
local LETTERS_LATE = 60000
-- The bytes of the record of a job that has succeeded, from its parts to its failed attempts, if it has no rare fields and was
-- not cancelled.
local PLAIN_RUN = '\1\0\0\0\0\0\0'
local PLAIN_RUN_FROM = 22
local PLAIN_RUN_TO = 28

local purged, failed
-- Whether there is more to purge, and the number of records that have been read.
local more_ended, read_ended = false, 0
if purging then
  local ended_age, ended_size, dead_age, dead_size, floor = string.match(ARGV[3], '(%d+) (%d+) (%d+) (%d+) (%d+)')
  local letters, late = dead_size + (ends > 0 and LETTERS_OVER or 0), math.max(dead_age, floor) + (ends > 0 and LETTERS_LATE or 0)
  if call('ZCARD', PREFIX .. 'dead') > letters or call('ZCOUNT', PREFIX .. 'dead', '-inf', format('%.0f', now - late)) > 0 then
    return {}
  end
  local over = call('ZCARD', ended_set) - ended_size
  purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - math.max(ended_age, floor)), 'LIMIT', 0, PURGE)
  if #purged == 0 and over > 0 then
    purged = call('ZRANGEBYSCORE', ended_set, '-inf', format('%.0f', now - floor), 'LIMIT', 0, math.min(PURGE, over))
  end
  more_ended = #purged == PURGE
end
local live = purged and {scheduled = true, ready = true, parked = true, retry = true, running = true}
local bytes_left, step = PURGED_BYTES, PURGED_FIRST
while purged and read_ended < #purged do
  local read_before = read_ended
  read_ended, step = math.min(read_ended + step, #purged), 2 * step
  for i, raw in ipairs(call('HMGET', JOBS, unpack(purged, read_before + 1, read_ended))) do
    if not raw then
      return {}
    elseif sub(raw, 1, SUCCEEDED_BEGIN_SIZE) ~= SUCCEEDED_BEGIN or sub(raw, PLAIN_RUN_FROM, PLAIN_RUN_TO) ~= PLAIN_RUN then
      local version, size = byte(raw, 1, 2)
      if version ~= VERSION or not size or live[sub(raw, 3, 2 + size)] then
        return {}
      end
      failed = failed or {}
      failed[#failed + 1] = purged[read_before + i]
    end
    bytes_left = bytes_left - #raw
  end
  for i = #purged, bytes_left > 0 and #purged + 1 or read_ended + 1, -1 do
    purged[i], more_ended = nil, true
  end
end
