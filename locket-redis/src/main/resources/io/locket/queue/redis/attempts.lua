-- The failed attempts of jobs: a version byte, and for each attempt, the earliest first, 1 if its error and its stack trace
-- are those of the attempt after it (1), the number of the attempt (4), when it began (6) and ended (6), and as 2 + text the
-- instance, the error and the stack trace. A job without a failed attempt has no entry.

-- Counts and keeps a failed attempt of a running job, and deletes those that are too many.
local keep_attempt

do
  local FORMAT = 1
  local LONGEST = 65535
  local most = tonumber(string.match(ARGV[3], ' (%d+)$'))

  local function bounded(value)
    value = string.sub(value or '', 1, LONGEST)
    return #value, value
  end

  local function pack(same, number, began, ended, instance, problem, trace)
    local i_size, i = bounded(instance)
    local p_size, p = bounded(problem)
    local t_size, t = bounded(trace)
    return struct.pack(ATTEMPT, same, number, began, ended, i_size, i, p_size, p, t_size, t)
  end

  -- Returns the packed attempts, and the fields of the last one.
  local function read(raw)
    local packed, last, at = {}, nil, 2
    if string.byte(raw) ~= FORMAT then
      error('no version')
    end
    while at <= #raw do
      local _, number, began, ended, instance, problem, trace, next = struct.unpack(ATTEMPT, raw, at)
      packed[#packed + 1] = string.sub(raw, at, next - 1)
      last, at = {number, began, ended, instance, problem, trace}, next
    end
    return packed, last
  end

  -- Counts a failed attempt of a queue.
  local function count_failure(name)
    local field = 'f:' .. name
    local number = tonumber(new_fields[field] or redis.call('HGET', STATE, field) or 0) or 0
    new_fields[field] = text((number >= 0 and number < LARGEST) and number + 1 or 1)
  end

  keep_attempt = function(job, problem, trace)
    count_failure(job.q)
    local raw = redis.call('HGET', PREFIX .. 'attempts', job.id)
    local version = raw and string.byte(raw) or FORMAT
    if most == 0 or (version > FORMAT and version <= LAST_VERSION) then
      return
    end
    local readable, packed, last = pcall(read, raw or string.char(FORMAT))
    if not readable then
      packed, last = {}, nil
    end
    if last and last[5] == problem and last[6] == trace then
      packed[#packed] = pack(1, last[1], last[2], last[3], last[4], '', '')
    end
    packed[#packed + 1] = pack(0, job.a, job.st or now, now, job.i, problem, trace)
    local first = math.max(#packed - most + 1, 1)
    attempts[job.id] = string.char(FORMAT) .. table.concat(packed, '', first)
  end
end
