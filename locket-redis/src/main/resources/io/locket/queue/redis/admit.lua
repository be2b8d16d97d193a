-- Enqueues jobs that are due immediately, or refuses those that are duplicates. It does nothing if an id is known, and leaves
-- replacements to enqueue.lua.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3..]  for each job: id, definition and arguments (see layout.lua), record of a claim or ''. The caller leaves out jobs
--            that are due later or that replace others
--
-- Reply: {time in ms until the jobs are due, then for each job that is refused: its number, from 1, the id of the job that has
--        the ticket or claim, or '' if a direct call has it, and the state of that job or ''}; {} if nothing was done, and
--        enqueue.lua is to be called instead.
-- Repetition: an id that is known is left to enqueue.lua.
-- Invariant: as of enqueue.lua, which does the same with these jobs.
--
-- Workers are notified of a queue that had no ready job. They take jobs until the queue has none, so those of a queue with
-- ready jobs have been notified before.
--
-- As in turn.lua, there are no functions but those of the clock.

-- @include admit/names.lua
-- @include admit/jobs.lua
-- @include admit/refused.lua
if #reply == 1 + 3 * jobs then
  return reply
end

-- Writes -----------------------------------------------------------------------------------------------------------------

-- Records by id, tickets with their ids, claims with their values, and the indexes of the latter. By queue: number of its jobs,
-- the numbers of their segments, twice each, and the index of the last one. By segment: its name, and places with ids.
local records, owners, claimed, claiming = {}, {}, {}, {}
local count_of, numbers, last_of, segments, places = {}, {}, {}, {}, {}
local spread = false
for i = 1, jobs do
  if not holder_of[i] then
    local queue, id, key = queue_of[i], ids[i], key_of[i]
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
    list[count + 1], list[count + 2] = format(form, place), id
    count = #records
    records[count + 1] = id
    records[count + 2] = FRESH .. pack(PLACE, place, now, 0, ticket_ends[i]) .. ARGV[3 * i + 1]
    if key and claim_ends and claim_ends[i] then
      count = #claimed
      claimed[count + 1] = key
      claimed[count + 2] = 'run:' .. id .. ':claim 0 ' .. format('%.0f', now) .. ' ' .. ARGV[3 * i + 2]
      claiming[#claiming + 1] = i
    elseif key then
      count = #owners
      owners[count + 1], owners[count + 2] = key, id
    end
  end
end

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, unpack(records))
for i = 1, #segments do
  call('ZADD', segments[i], unpack(places[i]))
end
if #owners > 0 then
  call('HSET', PREFIX .. 'tickets', unpack(owners))
  if spread then
    call('HSET', PREFIX .. 'tickets', LONG_FIELD, '')
    call('HDEL', PREFIX .. 'tickets', LONG_FIELD)
  end
end
if #claiming > 0 then
  call('MSET', unpack(claimed))
  for _, i in ipairs(claiming) do
    expire_at(key_of[i], format('%.0f', claim_ends[i]))
  end
end
local counters = {}
for i = 1, queues do
  local raw, count = raw_counters[i], count_of[i]
  if count then
    local seq, accepted, ready = read(CHANGED_COUNTERS, raw, COUNTERS_FROM)
    call('ZADD', PREFIX .. 'ready:' .. names[i], unpack(numbers[i]))
    counters[#counters + 1] = fields[i]
    counters[#counters + 1] = sub(raw, 1, COUNTERS_FROM - 1)
        .. pack(CHANGED_COUNTERS, seq + count, accepted + count, ready + count) .. sub(raw, OTHER_COUNTERS_FROM)
  end
end
call('HSET', STATE, unpack(counters))
for i = 1, queues do
  if notified[i] and count_of[i] then
    redis.pcall('PUBLISH', PREFIX .. 'work', names[i])
  end
end
return reply
