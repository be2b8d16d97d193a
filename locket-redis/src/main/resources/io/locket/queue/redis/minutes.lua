-- Stores the counts of a minute, or returns those of the last ones.
--
-- ARGV[3] 'store', or 'read'
-- ARGV[4] 'read': the number of minutes
--
-- Reply: 'store': {1 if this call has stored them, else 0, ms until the next minute begins}; 'read': {now ms, sample...}.
-- Repetition: the counts of a minute are stored once, by the first call in the next minute.
-- Invariant: each end of a job is in one sample at most. There are at most KEPT samples, of at most QUEUES queues each.
--
-- The hash '<prefix>minutes' has the field 'last', the counters at the last call that has stored something, and a sample in
-- the field of the number of its minute modulo KEPT. Both are a version byte and a time (6), in a sample the time at which it
-- begins (6), and for each queue its name (1 + text) and numbers: in 'last' its number of jobs at its last removal and the
-- counters (6 each), in a sample the differences (4 each). The queue '' of a sample stands for those that are too many. The
-- queue '' of 'last' states that queues which existed may be missing there.

local FORMAT = 1
local KEPT = 240
local QUEUES = 100
local MOST_QUEUES = 1000
local MINUTE = 60000
local MINUTES = PREFIX .. 'minutes'
local FIELDS = {'accepted', 'succeeded', 'failed', 'dead', 'discarded', 'superseded', 'cancelled', 'removed'}
local LAST = '>Bc0I6I6I6I6I6I6I6I6I6'
local SAMPLE = '>Bc0I4I4I4I4I4I4I4I4'
local LARGEST_COUNT = 4294967295

local function minute_of(at)
  return math.floor(at / MINUTE)
end

-- Returns the counters of queues by name, and their time.
local function read_last(raw)
  local known, version, at, from = {}, struct.unpack('>BI6', raw)
  if version ~= FORMAT then
    error('no version')
  end
  while from <= #raw do
    local values = {struct.unpack(LAST, raw, from)}
    known[values[1]] = values
    from = table.remove(values)
  end
  return known, at
end

-- Returns the names of the queues that are listed, and of those that have been, and whether these are all.
local function names_of(known)
  local names, seen = redis.call('ZRANGE', PREFIX .. 'queues', 0, MOST_QUEUES - 1), {[''] = true}
  for _, name in ipairs(names) do
    seen[name] = true
  end
  local all = #names < MOST_QUEUES
  for name in pairs(known) do
    if not seen[name] and #names < MOST_QUEUES then
      names[#names + 1] = name
    elseif not seen[name] then
      all = false
    end
  end
  return names, all
end

-- Returns the current counters of a queue in the order of FIELDS, behind its name and its number of jobs at its last
-- removal.
local function values_of(name, failed)
  local counters = queues[name]
  local values = {name, math.min(math.max(counters.rm or 0, 0), LARGEST)}
  for i, field in ipairs(FIELDS) do
    local value = (field == 'failed') and tonumber(failed or 0) or counters[field] or 0
    values[i + 2] = math.min(math.max(value or 0, 0), LARGEST)
  end
  return values
end

-- Returns whether a queue was deleted meanwhile, so that its counters have begun at zero. Neither number decreases otherwise.
local function is_anew(values, before)
  return values[2] < before[2] or values[3] < before[3]
end

-- Returns the counters from which those of an unknown queue have grown. A new queue has begun at zero. One that was unlisted
-- was empty, and its jobs have come since its removal. Otherwise the time of its jobs is unknown, and it counts from now on.
local function origin_of(values, all_known)
  local counters, origin = queues[values[1]], {unpack(values)}
  if all_known and not counters.rm then
    for i = 3, #origin do
      origin[i] = 0
    end
  elseif all_known then
    origin[3] = math.max(values[3] - math.max(arrivals(counters) - counters.rm, 0), 0)
  end
  return origin
end

-- Returns how much the counters of a queue have grown, and their sum.
local function growth(values, before)
  local grown, sum, anew = {}, 0, is_anew(values, before)
  for i = 1, #FIELDS do
    local by = math.max(values[i + 2] - (anew and 0 or before[i + 2]), 0)
    grown[i] = math.min(by, LARGEST_COUNT)
    sum = sum + by
  end
  return {name = values[1], grown = grown, sum = sum}
end

local function pack_sample(name, grown)
  return struct.pack(SAMPLE, #name, name, unpack(grown))
end

-- Packs the queues with the most counts, and the sum of the others.
local function packed(busy)
  table.sort(busy, function(one, other)
    return one.sum > other.sum or (one.sum == other.sum and one.name < other.name)
  end)
  local parts, others = {}, nil
  for at, one in ipairs(busy) do
    if at <= QUEUES then
      parts[at] = pack_sample(one.name, one.grown)
    else
      others = others or {0, 0, 0, 0, 0, 0, 0, 0}
      for i in ipairs(FIELDS) do
        others[i] = math.min(others[i] + one.grown[i], LARGEST_COUNT)
      end
    end
  end
  if others then
    parts[#parts + 1] = pack_sample('', others)
  end
  return table.concat(parts)
end

local function pack_last(values)
  return struct.pack(LAST, #values[1], unpack(values))
end

-- Reads the counters of all queues. Returns them packed, and those that have grown. Counters that cannot be read stay as
-- they were.
local function read_counters(known)
  local names, all = names_of(known)
  local all_known, wanted, stored, busy = not known[''], {}, {}, {}
  if #names > 0 then
    load_state(names)
  end
  for i, name in ipairs(names) do
    wanted[i] = 'f:' .. name
  end
  local failures = (#wanted > 0) and read_fields(STATE, wanted) or {}
  for i, name in ipairs(names) do
    if not new_queues[name] then
      local values = damaged_counters[name] and known[name] or values_of(name, failures[i])
      local one = growth(values, known[name] or origin_of(values, all_known))
      stored[#stored + 1] = pack_last(values)
      if one.sum > 0 then
        busy[#busy + 1] = one
      end
    end
  end
  if not all then
    stored[#stored + 1] = pack_last({'', 0, 0, 0, 0, 0, 0, 0, 0, 0})
  end
  return table.concat(stored), busy
end

local function store()
  local left = MINUTE - now % MINUTE
  local raw = redis.call('HGET', MINUTES, 'last')
  local version = raw and string.byte(raw) or FORMAT
  if version > FORMAT and version <= LAST_VERSION then
    return {0, left}
  end
  local readable, known, at = pcall(read_last, raw or '')
  -- The clock may step back a little at any time, and far in a fail-over.
  if readable and (minute_of(at) == minute_of(now) or (at > now and at - now < MINUTE)) then
    return {0, left}
  end
  local head = struct.pack('>BI6', FORMAT, now)
  if readable and at > now then
    redis.call('HSET', MINUTES, 'last', head .. string.sub(raw, #head + 1))
    return {1, left}
  end
  local counters, busy = read_counters(readable and known or {})
  if readable then
    local sample = head .. struct.pack('>I6', at) .. packed(busy)
    redis.call('HSET', MINUTES, 'last', head .. counters, tostring(minute_of(now) % KEPT), sample)
  else
    redis.call('HSET', MINUTES, 'last', head .. counters)
  end
  return {1, left}
end

local function read(number)
  local slots, reply = {}, {text(now)}
  for i = 1, math.min(number, KEPT) do
    slots[i] = tostring((minute_of(now) - i + 1) % KEPT)
  end
  for _, sample in ipairs(redis.call('HMGET', MINUTES, unpack(slots))) do
    if sample then
      reply[#reply + 1] = sample
    end
  end
  return reply
end

if ARGV[3] == 'store' then
  return store()
end
return read(tonumber(ARGV[4]))
