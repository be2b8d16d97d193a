-- Returns the counters of all queues, and the times for which their jobs wait. Writes nothing.
--
-- ARGV[3] maximum number of queues
--
-- Reply: {now ms, name, counters, ms that a job has waited or '', name, counters, ms...}, by name.
-- Repetition: it may be repeated.
-- Invariant: reads at most two jobs of each returned queue, and nothing of other queues, regardless of the number of jobs.

-- Number of records that are read at once.
local READ = 10

-- @include ready/read.lua

local names = redis.call('ZRANGE', PREFIX .. 'queues', 0, tonumber(ARGV[3]) - 1)
for from = 1, #names, MOST_ARGUMENTS do
  load_state({unpack(names, from, math.min(from + MOST_ARGUMENTS - 1, #names))})
end
-- The first ready job and the first parked job of each queue, and the earliest due time.
local firsts, due = {}, {}
local places = {'ready', 'parked'}
if #redis.call('ZRANGEBYSCORE', DUE, '-inf', text(now), 'LIMIT', 0, 1) > 0 then
  places = {'ready', 'parked', 'scheduled', 'retry'}
end

local function read_queue(name)
  for _, place in ipairs(places) do
    if (queues[name][place] or 0) > 0 then
      local first = (place == 'ready') and read_ready(name, '-inf', 1)
          or redis.call('ZRANGE', PREFIX .. place .. ':' .. name, 0, 0, 'WITHSCORES')
      if place == 'ready' or place == 'parked' then
        firsts[#firsts + 1] = first[1]
      elseif first[2] and tonumber(first[2]) <= now then
        due[name] = math.min(due[name] or now, tonumber(first[2]))
      end
    end
  end
end

local function wait_since(job)
  if (job.s == 'ready' or job.s == 'parked') and not is_removed(job) then
    due[job.q] = math.min(due[job.q] or now, math.max(job.e, job.d or 0))
  end
end

for _, name in ipairs(names) do
  read_queue(name)
end
for from = 1, #firsts, READ do
  local ids = {unpack(firsts, from, math.min(from + READ - 1, #firsts))}
  load(ids)
  for _, id in ipairs(ids) do
    if jobs[id] then
      wait_since(jobs[id])
      jobs[id] = false
    end
  end
end
local reply = {text(now)}
for _, name in ipairs(names) do
  reply[#reply + 1] = name
  reply[#reply + 1] = counters_record(queues[name])
  reply[#reply + 1] = due[name] and text(now - due[name]) or ''
end
return reply
