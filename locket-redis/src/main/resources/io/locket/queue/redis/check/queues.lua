-- Checks of the counters of queues.

local PLACES = {'scheduled', 'ready', 'parked', 'retry'}
local ENDS = {'succeeded', 'discarded', 'superseded', 'dead', 'cancelled', 'removed'}

-- Checks whether the counters of a queue can be read, and its last place.
local function check_counters(name)
  local counters = queue(name)
  if damaged_counters[name] then
    violation(name, 'has counters that cannot be read', function()
      touched[name] = true
    end)
  end
  local last = last_place(name)
  if counters.seq < last then
    violation(name, 'has places up to ' .. text(last) .. ', and counts ' .. text(counters.seq), function()
      count(name, 'seq', last - counters.seq)
    end)
  end
end

-- Checks whether the places of a queue hold as many jobs as are counted.
local function check_places(name)
  local counters = queue(name)
  for _, place in ipairs(PLACES) do
    local size = redis.call('ZCARD', PREFIX .. place .. ':' .. name)
    if place == 'ready' then
      -- Of a ready place, this is the number of its segments.
      size = ready_size(name, size)
    end
    local counted = counters[place] or 0
    if size and size ~= counted then
      violation(name, 'has ' .. size .. ' ' .. place .. ' jobs and counts ' .. text(counted), function()
        count(name, place, size - counted)
      end)
    end
  end
  for job, number in pairs(unknown.numbers(name)) do
    local size = redis.call('ZCARD', unknown.key(name, job))
    if size ~= number then
      violation(name, 'has set ' .. size .. ' ' .. job .. ' jobs aside and counts ' .. text(number), function()
        unknown.count(name, job, size - number)
      end)
    end
  end
  local letters = redis.call('ZCARD', PREFIX .. 'dead:' .. name)
  if letters ~= (counters.letters or 0) then
    violation(name, 'has ' .. letters .. ' dead letters and counts ' .. text(counters.letters or 0), function()
      count(name, 'letters', letters - (counters.letters or 0))
    end)
  end
end

-- Checks whether a queue is listed.
local function check_listed(name)
  local counters = queue(name)
  if not redis.call('ZSCORE', PREFIX .. 'queues', name) and (holds(counters) or not counters.unlisted) then
    violation(name, 'is not among the names of queues', function()
      counters.unlisted = nil
      touched[name] = true
      zadd(PREFIX .. 'queues', 0, name)
    end)
  end
end

-- Checks whether every job that a queue has got is counted somewhere. Places are counted as they are after their repair.
local function check_sum(name)
  local counters, total = queue(name), 0
  for _, states in ipairs({PLACES, ENDS}) do
    for _, state in ipairs(states) do
      total = total + (counters[state] or 0)
    end
  end
  total = total + (counters.running or 0) + (counters.unreadable or 0) + (counters.lost or 0) + (counters.moved_out or 0)
  local came = (counters.accepted or 0) + (counters.moved_in or 0)
  if came ~= total then
    violation(name, 'has got ' .. text(came) .. ' jobs and accounts for ' .. text(total), function()
      local lost = math.max((counters.lost or 0) + came - total, 0)
      -- Jobs that were never counted as accepted are counted now.
      count(name, 'accepted', total - came + lost - (counters.lost or 0))
      counters.lost = lost
    end)
  end
end

local function check_queue(name)
  check_counters(name)
  check_places(name)
  if not new_queues[name] then
    check_listed(name)
    check_sum(name)
  end
end

-- Maximum number of jobs that are counted at once. Above it only the sum is checked.
local COUNTED_AT_ONCE = 20000

-- Where the numbers of running jobs and of unreadable records begin among the counters of a queue, and the smallest size of all
-- of them, see counters.lua. There may be thousands of queues, so no others are read.
local COUNTED_FROM = {running = 24, unreadable = 136}
local SMALLEST = 177

-- Returns a counter of a queue from its counters, 'raw'. A damaged one has the value that queue() has.
local function counter_of(name, raw, what_counted)
  local whole = raw and #raw >= SMALLEST and string.byte(raw) >= 1
  local number = whole and struct.unpack('>i7', raw, COUNTED_FROM[what_counted])
  if not number or number < -1e13 or number > 1e14 then
    return queue(name)[what_counted] or 0
  end
  return number
end

-- Returns two counters of each queue by its name.
local function counted_by_name(names)
  local counted = {running = {}, unreadable = {}}
  for from = 1, #names, MOST_ARGUMENTS do
    local wanted = {}
    for i = from, math.min(from + MOST_ARGUMENTS - 1, #names) do
      wanted[#wanted + 1] = 'q:' .. names[i]
    end
    for i, raw in ipairs(redis.call('HMGET', STATE, unpack(wanted))) do
      local name = names[from + i - 1]
      counted.running[name] = counter_of(name, raw, 'running')
      counted.unreadable[name] = counter_of(name, raw, 'unreadable')
    end
  end
  return counted
end

local function recount(names, what_counted, counted_of, by_queue)
  for _, name in ipairs(names) do
    local counted, number = counted_of[name], by_queue[name] or 0
    if counted ~= number then
      violation(name, 'has ' .. number .. ' ' .. what_counted .. ' jobs and counts ' .. text(counted), function()
        count(name, what_counted, number - counted)
      end)
    end
  end
end

-- Number of running jobs by queue, without those that are counted as set aside. A later version may have renewed them.
local function running_by_queue(is_aside)
  local by_queue = {}
  for _, member in ipairs(redis.call('ZRANGE', RUNNING, 0, -1)) do
    local id, name = string.match(member, '^(%S+) (%S+)$')
    if name and not is_aside[id] then
      by_queue[name] = (by_queue[name] or 0) + 1
    end
  end
  return by_queue
end

-- Number of jobs that are set aside, by queue, and the ids that are counted so.
local function unreadable_by_queue(fields_aside)
  local by_queue, is_aside = {}, {}
  for _, id in ipairs(fields_aside) do
    local name = counted_aside(id)
    if not redis.call('ZSCORE', UNREADABLE, id) then
      violation(id, 'is counted as set aside, and is not', function()
        new_fields['u:' .. id] = false
      end)
    elseif name then
      by_queue[name], is_aside[id] = (by_queue[name] or 0) + 1, true
    end
  end
  return by_queue, is_aside
end

-- For all queues that exist now, because one may have been added since the others were checked.
local function check_totals()
  local names, aside = {}, {}
  for _, field in ipairs(redis.call('HKEYS', STATE)) do
    local kind = string.sub(field, 1, 2)
    local fields_of = (kind == 'q:' and names) or (kind == 'u:' and aside)
    if fields_of then
      fields_of[#fields_of + 1] = string.sub(field, 3)
    end
  end
  local counted = counted_by_name(names)
  local unreadable_of, is_aside = unreadable_by_queue(aside)
  recount(names, 'unreadable', counted.unreadable, unreadable_of)
  local waits = redis.call('ZCOUNT', UNREADABLE, '-inf', '(' .. text(DAMAGED)) > 0
  if waits and tonumber(redis.call('ZSCORE', DUE, 'v:') or 'inf') > now + CLOCK_STEP then
    violation('v:', 'is not due soon, and records of later versions wait', function()
      zadd(DUE, now, 'v:')
    end)
  end
  local running, size = 0, redis.call('ZCARD', RUNNING)
  local by_queue = size <= COUNTED_AT_ONCE and running_by_queue(is_aside)
  if by_queue then
    recount(names, 'running', counted.running, by_queue)
    return
  end
  for _, number in pairs(counted.running) do
    running = running + number
  end
  if running ~= size then
    violation('running', size .. ' jobs run, and ' .. text(running) .. ' are counted')
  end
end
