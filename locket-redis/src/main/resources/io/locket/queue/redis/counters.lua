-- The counters of a queue: a version byte, how many numbers there are (1), as many signed numbers of 7 bytes, and the JSON
-- of 'as' if that is not empty. Later numbers are appended; scripts keep them. The version stays 1: each script needs the
-- counters, so what an earlier version would misread gets a field of its own.

local counters_of, counters_record, last_place
-- The queues whose counters could not be read.
local damaged_counters = {}

do
  -- seq the last place; accepted, moved_in and moved_out numbers of jobs that arrived and left; number of jobs in each
  -- state; letters number of dead letters; unreadable number of records that are set aside; lost; removed_at time of the
  -- last removal; rm how many jobs had come until then; removal its id, removing how many its steps have removed, swept how
  -- many others have since its last step; unlisted 1 if overviews leave the queue out. as has the number of jobs that are
  -- set aside by name.
  local COUNTERS = {'seq', 'accepted', 'ready', 'running', 'succeeded', 'removed_at', 'paused', 'unlisted', 'scheduled',
      'parked', 'retry', 'discarded', 'superseded', 'dead', 'cancelled', 'removed', 'letters', 'moved_in', 'moved_out',
      'unreadable', 'lost', 'rm', 'removal', 'removing', 'swept'}
  local NUMBERS = '>BBi7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7i7'
  local NUMBERS_FROM, SIZE = 3, 7

  -- The highest place of the jobs of a queue.
  last_place = function(name)
    local last, number = 0, redis.call('ZRANGE', ready_set(name), -1, -1)[1]
    for _, set in ipairs({PREFIX .. 'parked:' .. name, number and ready_set(name, number)}) do
      local score = redis.call('ZRANGE', set, -1, -1, 'WITHSCORES')[2]
      last = math.max(last, tonumber(score or 0))
    end
    return math.min(last, 1e13)
  end

  local function is_by_name(value)
    if type(value) ~= 'table' or next(value) == nil then
      return false
    end
    for name, number in pairs(value) do
      if type(name) ~= 'string' or type(number) ~= 'number' or not (number >= 1 and number <= 1e13)
          or number ~= math.floor(number) then
        return false
      end
    end
    return true
  end

  local function read(raw)
    local values = {struct.unpack(NUMBERS, raw)}
    if values[1] < 1 then
      error('no version')
    end
    return values
  end

  -- Reads the numbers. Returns whether any of them was damaged.
  local function read_numbers(kept, values)
    local damaged = false
    for i, field in ipairs(COUNTERS) do
      local value = values[i + 2]
      if value < -1e13 or value > 1e14 or (field == 'paused' and value > 1) then
        damaged = true
      elseif value ~= 0 or field == 'seq' then
        kept[field] = value
      end
    end
    return damaged
  end

  -- Reads counters. Unreadable numbers count as zero, and new places follow those in use.
  counters_of = function(name, raw)
    local kept = {}
    local readable, values = pcall(read, raw)
    local damaged = not readable or read_numbers(kept, values)
    if readable then
      local ends = NUMBERS_FROM + SIZE * math.max(values[2], #COUNTERS)
      if values[2] > #COUNTERS then
        kept.more = string.sub(raw, NUMBERS_FROM + SIZE * #COUNTERS, ends - 1)
      end
      if #raw >= ends then
        local json, by_name = pcall(cjson.decode, string.sub(raw, ends))
        damaged = damaged or not (json and is_by_name(by_name))
        kept.as = json and is_by_name(by_name) and by_name or nil
      end
    end
    if not kept.seq then
      kept.seq, damaged = last_place(name), true
    end
    damaged_counters[name] = damaged or nil
    return kept
  end

  counters_record = function(counters)
    local values, more = {}, counters.more or ''
    for i, field in ipairs(COUNTERS) do
      values[i] = counters[field] or 0
    end
    return struct.pack(NUMBERS, 1, #COUNTERS + #more / SIZE, unpack(values)) .. more
        .. (counters.as and cjson.encode(counters.as) or '')
  end
end
