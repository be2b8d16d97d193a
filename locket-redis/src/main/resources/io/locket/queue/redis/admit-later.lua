-- Enqueues one job that is due later, as enqueue.lua does, or refuses a duplicate. It does nothing if its id is known, and for a
-- claim or a replacement.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    id
-- ARGV[4]    definition and arguments, see admit.lua
-- ARGV[5]    delay in ms, or ''
-- ARGV[6]    due time in ms, which counts if there is one, or ''
--
-- Reply, repetition and invariant: as of admit-one.lua.
--
-- Workers are notified if no other job of the queue is due earlier. They know when the first one is due. The reply to the
-- poll that serves it has the time of the next one.

-- @include admit/names.lua

-- Format of a counter of a queue. Bytes at which the number of accepted jobs and the one behind it begin, and the number of
-- delayed jobs, the ninth counter, and the one behind it.
local COUNTER = '>i7'
local ACCEPTED_FROM = 10
local READY_FROM = 17
local DELAYED_FROM = 59
local PARKED_FROM = 66

local id, definition = ARGV[3], ARGV[4]
local due = math.min(tonumber(ARGV[6]) or (now + tonumber(ARGV[5])), LAST)
if due <= now then
  return {}
end
-- @include admit/job.lua
if l == 'UP' then
  return {}
end
local field = 'q:' .. q
local raw = call('HGET', STATE, field)
-- @include admit/counters.lua
local delayed = (numbers > 8) and read(COUNTER, raw, DELAYED_FROM)
if not delayed or delayed < LOWEST or delayed > HIGHEST or call('HGET', JOBS, id) then
  return {}
end
local holder = ticket and call('HGET', PREFIX .. 'tickets', ticket)
if holder then
  local held = call('HGET', JOBS, holder)
  if not held then
    return {}
  end
  -- @insert admit/duplicate.lua
  return {holder, state}
end

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, id, DELAYED_HEAD .. pack(PLACE, 0, now, due, period_end) .. definition)
local index, due_text = PREFIX .. 'scheduled:' .. q, format('%.0f', due)
call('ZADD', index, due_text, id)
call('ZADD', PREFIX .. 'due', due_text, id .. ' ' .. q)
-- @include admit/ticket.lua
call('HSET', STATE, field, sub(raw, 1, ACCEPTED_FROM - 1) .. pack(COUNTER, accepted + 1)
    .. sub(raw, READY_FROM, DELAYED_FROM - 1) .. pack(COUNTER, delayed + 1) .. sub(raw, PARKED_FROM))
if paused == 0 and call('ZRANGE', index, '0', '0')[1] == id then
  redis.pcall('PUBLISH', PREFIX .. 'work', q)
end
return {due - now}
