-- Writes a job that is due later. Notifies workers if no other job of the queue is due earlier. They know when the first one is
-- due. The reply to the poll that serves it has the time of the next one.

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, id, DELAYED_HEAD .. pack(PLACE, 0, now, due, period_end) .. definition)
local index, due_text = PREFIX .. 'scheduled:' .. q, format('%.0f', due)
call('ZADD', index, due_text, id)
call('ZADD', PREFIX .. 'due', due_text, id .. ' ' .. q)
-- @insert ticket.lua
call('HSET', STATE, field, sub(raw, 1, ACCEPTED_FROM - 1) .. pack(COUNTER, accepted + 1)
    .. sub(raw, READY_FROM, DELAYED_FROM - 1) .. pack(COUNTER, delayed + 1) .. sub(raw, PARKED_FROM))
if paused == 0 and call('ZRANGE', index, '0', '0')[1] == id then
  redis.pcall('PUBLISH', PREFIX .. 'work', q)
end
