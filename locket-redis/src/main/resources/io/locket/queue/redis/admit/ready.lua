-- Writes a job that is ready, and notifies workers if the queue had no ready job.

local place = seq + 1

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, id, FRESH .. pack(PLACE, place, now, 0, period_end) .. definition)
local form, index = (place < LARGE) and '%d' or '%.0f', PREFIX .. 'ready:' .. q
local number = format(form, (place - place % SEGMENT) / SEGMENT)
local segment = index .. ' ' .. number
call('ZADD', segment, format(form, place), id)
if call('ZCARD', segment) == 1 then
  call('ZADD', index, number, number)
end
-- @insert ticket.lua
call('HSET', STATE, field, sub(raw, 1, COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, place, accepted + 1, ready + 1)
    .. sub(raw, OTHER_COUNTERS_FROM))
if paused == 0 and ready <= 0 then
  redis.pcall('PUBLISH', PREFIX .. 'work', q)
end
