-- Enqueues jobs that are due immediately and have no conflict: no job with their id or key, no claim, no replacement. In all
-- other cases it does nothing.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3..] for each job: id, definition and arguments (see layout.lua). The caller leaves out jobs that are due later, that
--           replace others or that make a claim
--
-- Reply: {1} if all of the jobs were accepted; {} if nothing was done, and enqueue.lua is to be called instead.
-- Repetition: an id that is known is left to enqueue.lua.
-- Invariant: as of enqueue.lua, which does the same with these jobs.
--
-- As in turn.lua, there are no functions, and tables have room for one job from the beginning.

-- @include layout.lua

local STATE = KEYS[1]
local JOBS = KEYS[2]
local PREFIX = ARGV[1]

-- The first byte of the record of a ready job that has not run yet. Format of the period for which a job is unique, and its
-- offset in the options.
local FRESH = string.char(WITHOUT_HEAD + VERSION)
local PERIOD = '>I6'
local PERIOD_AT = 10
-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted. The
-- first three change.
local COUNTERS = '>i7i7i7i7i7i7i7i7'
local CHANGED_COUNTERS = '>i7i7i7'
local COUNTERS_FROM = 3
-- Range of the counters. Others are damaged.
local LOWEST = -1e13
local HIGHEST = 1e14
-- Latest time that records can store.
local LAST = 99999999999999
-- From here on, '%d' may not print a number.
local LARGE = 2147483648
-- A field that is longer than those which Redis stores in the compact form of a small hash. It is written and deleted when the
-- place of a job is a multiple of SPREAD_EVERY.
local LONG_FIELD = '-----------------------------------------------------------------'
local SPREAD_EVERY = 64

local call, format = redis.call, string.format
local read, pack, sub, byte = struct.unpack, struct.pack, string.sub, string.byte

-- The jobs, their queues and their keys ----------------------------------------------------------------------------------

local jobs = (#ARGV - 2) / 2
-- By job: id, place of its queue in 'names', end of its ticket. Ids and tickets of this call, if there may be several.
local ids, queue_of, ticket_ends = {nil}, {nil}, {nil}
local seen = (jobs > 1) and {} or nil
-- Fields of the queues, their names, and the last one; fields of tickets, and these with the ids of their jobs.
local fields, names, queues, of = {nil}, {nil}, 0, 0
local tickets, owners

for i = 1, jobs do
  local id = ARGV[2 * i + 1]
  local definition = ARGV[2 * i + 2]
  local size, l, _, k, q, _, _, _, options = read(DEFINITION, definition)
  local ticket = (l == 'UE' or l == 'UX' or l == 'UW') and k
  if not ticket and l ~= 'WE' and l ~= 'NO' then
    return {}
  end
  if seen and (seen[id] or (ticket and seen[ticket])) then
    return {}
  elseif seen then
    seen[id], seen[ticket or id] = true, true
  end
  if ticket then
    tickets, owners = tickets or {nil}, owners or {nil, nil}
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
  local uf = (ticket and options < size + 5) and read(PERIOD, definition, options + PERIOD_AT) or 0
  ids[i], queue_of[i], ticket_ends[i] = id, of, (uf > 0) and math.min(now + uf, LAST) or 0
end

-- Stored data ------------------------------------------------------------------------------------------------------------

local known, state = call('HMGET', JOBS, unpack(ids)), call('HMGET', STATE, unpack(fields))
local held = tickets and call('HMGET', PREFIX .. 'tickets', unpack(tickets)) or ids
for i = 1, jobs do
  if known[i] or (tickets and held[i]) then
    return {}
  end
end
-- By queue: its last place, and the place of its first job in this call; paused or not.
local last, paused = {nil}, {nil}
for i = 1, queues do
  local raw = state[i]
  local version, numbers = byte(raw or '', 1, 2)
  -- Names of jobs that are set aside follow the numbers.
  if version ~= 1 or numbers < 8 or #raw ~= 2 + 7 * numbers then
    return {}
  end
  local seq, accepted, ready, running, succeeded, removed_at, is_paused, unlisted = read(COUNTERS, raw, COUNTERS_FROM)
  if seq < LOWEST or seq > HIGHEST or accepted < LOWEST or accepted > HIGHEST or ready < LOWEST or ready > HIGHEST
      or running < LOWEST or running > HIGHEST or succeeded < LOWEST or succeeded > HIGHEST or removed_at < LOWEST
      or removed_at >= now or is_paused < LOWEST or is_paused > 1 or unlisted ~= 0 then
    return {}
  end
  last[i], paused[i] = seq, is_paused ~= 0
end

-- Writes -----------------------------------------------------------------------------------------------------------------

-- Records by id; by queue, places with ids.
local records, places = {nil, nil}, {nil}
local spread = false
for i = 1, jobs do
  local queue = queue_of[i]
  local place, list = last[queue] + 1, places[queue] or {nil, nil}
  last[queue], places[queue] = place, list
  local count = #list
  spread = spread or place % SPREAD_EVERY == 0
  list[count + 1], list[count + 2] = format((place < LARGE) and '%d' or '%.0f', place), ids[i]
  records[2 * i - 1] = ids[i]
  records[2 * i] = FRESH .. pack(PLACE, place, now, 0, ticket_ends[i]) .. ARGV[2 * i + 2]
end
local counters = {nil, nil}
for i = 1, queues do
  local raw, count = state[i], #places[i] / 2
  local seq, accepted, ready = read(CHANGED_COUNTERS, raw, COUNTERS_FROM)
  counters[2 * i - 1] = fields[i]
  counters[2 * i] = sub(raw, 1, 2) .. pack(CHANGED_COUNTERS, seq + count, accepted + count, ready + count) .. sub(raw, 24)
end

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, unpack(records))
for i = 1, queues do
  call('ZADD', PREFIX .. 'ready:' .. names[i], unpack(places[i]))
end
if tickets then
  call('HSET', PREFIX .. 'tickets', unpack(owners))
  if spread then
    -- Each access to the compact form walks all tickets. A long field ends that until the last ticket is deleted.
    call('HSET', PREFIX .. 'tickets', LONG_FIELD, '')
    call('HDEL', PREFIX .. 'tickets', LONG_FIELD)
  end
end
call('HSET', STATE, unpack(counters))
for i = 1, queues do
  if not paused[i] then
    redis.pcall('PUBLISH', PREFIX .. 'work', names[i])
  end
end
return {1}
