-- Makes delayed jobs and retries ready that are due. Ends the script with {} if something else is due, or the request is known or
-- older than the known one, which is left to reserve.lua. These steps are complete, with all that they read before their first
-- write. So they also count if a later step ends the script.

-- @include ../pollers.lua
-- @include ../ready/segment.lua
-- @include numbers.lua

-- The place begins with its number. This is the size of it.
local AFTER_NUMBER = 6
-- The record of a ready job that has not run before its place.
local FRESH_BEGIN = string.char(WITHOUT_HEAD + VERSION)
local SCHEDULED = 'scheduled'
local COLON = 58

local now_text = format('%d%03d', now / 1000, now % 1000)
local count = call('ZCOUNT', due_set, '-inf', now_text)
if count > DUE_AT_ONCE then
  -- A backlog of due jobs does not delay the jobs that are parked on a freed key.
  local latest = format('%.0f', math.max(count - DUE_AT_ONCE, DUE_AT_ONCE))
  for _, member in ipairs(call('ZRANGE', due_set, latest, format('%.0f', count - 1))) do
    if string.find(member, '^[kp]:') then
      return {}
    end
  end
  count, more_due = DUE_AT_ONCE, true
end
local members = call('ZRANGE', due_set, '0', format('%d', count - 1))
local due_ids, names_of, place_of_name, queue_fields = {}, {}, {}, {}
for i = 1, count do
  local id, name = string.match(members[i], '^(%S+) (%S+)$')
  if not id or byte(id, 2) == COLON then
    return {}
  end
  due_ids[i], names_of[i] = id, name
  if not place_of_name[name] then
    queue_fields[#queue_fields + 1] = 'q:' .. name
    place_of_name[name] = #queue_fields
  end
end

local raws_of = call('HMGET', STATE, poller_field, unpack(queue_fields))
local last = table.remove(raws_of, 1)
if last then
  local whole, version, _, known = pcall(read, LAST_REQUEST, last)
  if not whole or version ~= 1 or known >= request then
    return {}
  end
end

-- By queue: its counters, and its jobs.
local queues_of = {}
for i, raw in ipairs(raws_of) do
  local version, numbers = byte(raw or '', 1, 2)
  -- Names of jobs that are set aside follow the numbers.
  if version ~= 1 or not numbers or numbers < MOST_NUMBERS or #raw ~= 2 + 7 * numbers then
    return {}
  end
  local seq, _, ready_now, _, _, removed_at, paused, unlisted, delayed, _, retries = read(NUMBERS, raw, NUMBERS_FROM)
  if seq < LOWEST or seq > HIGHEST or ready_now < LOWEST or ready_now > HIGHEST or removed_at < LOWEST or removed_at > HIGHEST
      or paused < LOWEST or paused > 1 or unlisted ~= 0 or delayed < LOWEST or delayed > HIGHEST or retries < LOWEST
      or retries > HIGHEST then
    return {}
  end
  queues_of[i] = {raw = raw, seq = seq, ready = ready_now, removed_at = removed_at, paused = paused, delayed = delayed,
      retries = retries, ids = {}, delayed_ids = {}, retry_ids = {}}
end

local changed = {}
for i, raw in ipairs(call('HMGET', JOBS, unpack(due_ids))) do
  local of, id, place_at, begin = queues_of[place_of_name[names_of[i]]], due_ids[i], DELAYED_HEAD_SIZE + 1, FRESH_BEGIN
  if not raw then
    return {}
  elseif sub(raw, 1, DELAYED_HEAD_SIZE) == DELAYED_HEAD then
    of.delayed_ids[#of.delayed_ids + 1] = id
  else
    local in_state, text_fields, number_fields = (byte(raw, 2) == #SCHEDULED) and SCHEDULED or 'retry', KEPT_TEXTS, KEPT_NUMBERS
    -- @insert head.lua
    if g > 0 then
      return {}
    end
    local same = (in_state == SCHEDULED) and of.delayed_ids or of.retry_ids
    same[#same + 1], begin = id, READY_BEGIN .. sub(raw, #HEAD_VERSION + 2 + #in_state, place_at - 1)
  end
  local whole, _, e, d, _, _, _, _, _, q = pcall(read, PLACE_TO_QUEUE, raw, place_at)
  if not whole or q ~= names_of[i] or e <= of.removed_at or d == 0 or d > now then
    return {}
  end
  of.ids[#of.ids + 1] = id
  changed[2 * i - 1], changed[2 * i] = id, begin .. pack('>I6', of.seq + #of.ids) .. sub(raw, place_at + AFTER_NUMBER)
end

-- Removals come first, because a full Redis permits them and all writes after them.
call('ZREM', due_set, unpack(members, 1, count))
call('HSET', JOBS, unpack(changed))
for name, place in pairs(place_of_name) do
  local of, index, from = queues_of[place], PREFIX .. 'ready:' .. name, 1
  local raw, seq, ids = of.raw, of.seq, of.ids
  if #of.delayed_ids > 0 then
    call('ZREM', PREFIX .. 'scheduled:' .. name, unpack(of.delayed_ids))
  end
  if #of.retry_ids > 0 then
    call('ZREM', PREFIX .. 'retry:' .. name, unpack(of.retry_ids))
  end
  while from <= #ids do
    local number, listed = math.floor((seq + from) / SEGMENT), {}
    local to = math.min(#ids, (number + 1) * SEGMENT - 1 - seq)
    for i = from, to do
      listed[#listed + 1], listed[#listed + 2] = format('%.0f', seq + i), ids[i]
    end
    number, from = format('%.0f', number), to + 1
    call('ZADD', index .. ' ' .. number, unpack(listed))
    call('ZADD', index, number, number)
  end
  call('HSET', STATE, queue_fields[place], sub(raw, 1, NUMBERS_FROM - 1) .. pack(NUMBER, seq + #ids)
      .. sub(raw, ACCEPTED_FROM, ACCEPTED_FROM + 6) .. pack(NUMBER, of.ready + #ids)
      .. sub(raw, RUNNING_FROM, DELAYED_FROM - 1) .. pack(NUMBER, of.delayed - #of.delayed_ids)
      .. sub(raw, PARKED_FROM, RETRY_FROM - 1) .. pack(NUMBER, of.retries - #of.retry_ids) .. sub(raw, OTHERS_FROM))
  -- Other workers are notified, unless the request is for this queue alone, leaves no jobs out, and has slots for all of its
  -- ready jobs.
  if of.paused == 0 and not (requested == 1 and name == names[1] and not left_out and of.ready + #ids <= slots) then
    redis.pcall('PUBLISH', PREFIX .. 'work', name)
  end
end
due = call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
