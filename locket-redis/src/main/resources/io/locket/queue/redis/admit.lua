-- Enqueues several jobs that are due immediately and have no conflict: no job with their id or key, no claim, no replacement.
-- In all other cases it does nothing.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3..] for each job: id, definition and arguments (see layout.lua). The caller leaves out jobs that are due later, that
--           replace others or that make a claim
--
-- Reply: {time in ms until the jobs are due} if all of them were accepted; {} if nothing was done, and enqueue.lua is to be
--        called instead.
-- Repetition: an id that is known is left to enqueue.lua.
-- Invariant: as of enqueue.lua, which does the same with these jobs.
--
-- Workers are notified of a queue that had no ready job. They take jobs until the queue has none, so those of a queue with
-- ready jobs have been notified before.
--
-- As in turn.lua, there are no functions.

-- @include admit/names.lua

-- The jobs, their queues and their keys ----------------------------------------------------------------------------------

local jobs = (#ARGV - 2) / 2
-- By job: id, place of its queue in 'names', end of its ticket. Ids and tickets of this call.
local ids, queue_of, ticket_ends, seen = {}, {}, {}, {}
-- Fields of the queues, their names, and the last one; fields of tickets, and these with the ids of their jobs.
local fields, names, queues, of = {}, {}, 0, 0
local tickets, owners

for i = 1, jobs do
  local id, definition, due = ARGV[2 * i + 1], ARGV[2 * i + 2], now
  -- @include admit/job.lua
  if seen[id] or (ticket and seen[ticket]) then
    return {}
  end
  seen[id], seen[ticket or id] = true, true
  if ticket then
    tickets, owners = tickets or {}, owners or {}
    local count = #tickets + 1
    tickets[count], owners[2 * count - 1], owners[2 * count] = ticket, ticket, id
  end
  if names[of] ~= q then
    of = 1
    while of <= queues and names[of] ~= q do
      of = of + 1
    end
    if of > queues then
      queues, names[of], fields[of] = of, q, 'q:' .. q
    end
  end
  ids[i], queue_of[i], ticket_ends[i] = id, of, ticket_end
end

-- Stored data ------------------------------------------------------------------------------------------------------------

local known, state = call('HMGET', JOBS, unpack(ids)), call('HMGET', STATE, unpack(fields))
local held = tickets and call('HMGET', PREFIX .. 'tickets', unpack(tickets)) or {}
for i = 1, jobs do
  if known[i] or held[i] then
    return {}
  end
end
-- By queue: its last place; whether its workers are notified.
local last, notified = {}, {}
for i = 1, queues do
  local raw = state[i]
  -- @include admit/counters.lua
  last[i], notified[i] = seq, paused == 0 and ready <= 0
end

-- Writes -----------------------------------------------------------------------------------------------------------------

-- Records by id. By queue: number of its jobs, the numbers of their segments, twice each, and the index of the last one. By
-- segment: its name, and places with ids.
local records, count_of, numbers, last_of, segments, places = {}, {}, {}, {}, {}, {}
local spread = false
for i = 1, jobs do
  local queue = queue_of[i]
  local place, at = last[queue] + 1, last_of[queue]
  last[queue], count_of[queue] = place, (count_of[queue] or 0) + 1
  local form = (place < LARGE) and '%d' or '%.0f'
  if not at or place % SEGMENT == 0 then
    local number, of_queue = format(form, (place - place % SEGMENT) / SEGMENT), numbers[queue] or {}
    at, numbers[queue] = #segments + 1, of_queue
    last_of[queue], of_queue[#of_queue + 1], of_queue[#of_queue + 2] = at, number, number
    segments[at], places[at] = PREFIX .. 'ready:' .. names[queue] .. ' ' .. number, {}
  end
  local list = places[at]
  local count = #list
  spread = spread or place % SPREAD_EVERY == 0
  list[count + 1], list[count + 2] = format(form, place), ids[i]
  records[2 * i - 1] = ids[i]
  records[2 * i] = FRESH .. pack(PLACE, place, now, 0, ticket_ends[i]) .. ARGV[2 * i + 2]
end
local counters = {}
for i = 1, queues do
  local raw, count = state[i], count_of[i]
  local seq, accepted, ready = read(CHANGED_COUNTERS, raw, COUNTERS_FROM)
  counters[2 * i - 1] = fields[i]
  counters[2 * i] = sub(raw, 1, COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, seq + count, accepted + count, ready + count)
      .. sub(raw, OTHER_COUNTERS_FROM)
end

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, unpack(records))
for i = 1, #segments do
  call('ZADD', segments[i], unpack(places[i]))
end
for i = 1, queues do
  call('ZADD', PREFIX .. 'ready:' .. names[i], unpack(numbers[i]))
end
if tickets then
  call('HSET', PREFIX .. 'tickets', unpack(owners))
  if spread then
    call('HSET', PREFIX .. 'tickets', LONG_FIELD, '')
    call('HDEL', PREFIX .. 'tickets', LONG_FIELD)
  end
end
call('HSET', STATE, unpack(counters))
for i = 1, queues do
  if notified[i] then
    redis.pcall('PUBLISH', PREFIX .. 'work', names[i])
  end
end
return {0}
