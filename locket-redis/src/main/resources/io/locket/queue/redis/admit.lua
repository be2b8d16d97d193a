-- Enqueues jobs, or refuses those that are duplicates. It does nothing if an id is known, and leaves replacements to enqueue.lua.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    '' if all jobs are due now; else of each job, separated by blanks: '-' if it is due now, its delay in ms, or '@' and
--            its due time in ms
-- ARGV[4..]  of each job: id, definition and arguments (see layout.lua), record of a claim or ''. The caller leaves out jobs that
--            replace others
--
-- Reply: {{time in ms until a job is due, of each job with a delay or due time that is not refused}, then for each job that is
--        refused: its number, from 1, the id of the job that has the ticket or claim, or '' if a direct call has it, and the
--        state of that job or ''}; {} if nothing was done, and enqueue.lua is to be called instead.
-- Repetition: an id that is known is left to enqueue.lua.
-- Invariant: as of enqueue.lua, which does the same with these jobs.
--
-- Workers are notified of a queue that had no ready job, and of one whose first delayed job is a new one. They take jobs until
-- the queue has none, so those of a queue with ready jobs have been notified before.
--
-- As in turn.lua, there are no functions but those of the clock.

-- @include admit/names.lua
-- @include admit/jobs.lua
-- @include admit/refused.lua
if #reply == 1 + 3 * jobs then
  return reply
end

-- @include admit/accepted.lua

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, unpack(records))
for i = 1, #segments do
  call('ZADD', segments[i], unpack(places[i]))
end
if #dues > 0 then
  call('ZADD', PREFIX .. 'due', unpack(dues))
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
  local raw, count, delayed_jobs = raw_counters[i], count_of[i], delayed_of[i]
  if count then
    local seq, accepted, ready = read(CHANGED_COUNTERS, raw, COUNTERS_FROM)
    call('ZADD', PREFIX .. 'ready:' .. names[i], unpack(numbers[i]))
    raw = sub(raw, 1, COUNTERS_FROM - 1) .. pack(CHANGED_COUNTERS, seq + count, accepted + count, ready + count)
        .. sub(raw, OTHER_COUNTERS_FROM)
  end
  if delayed_jobs then
    local accepted, delayed, added = read(COUNTER, raw, ACCEPTED_FROM), read(COUNTER, raw, DELAYED_FROM), #delayed_jobs / 2
    call('ZADD', PREFIX .. 'scheduled:' .. names[i], unpack(delayed_jobs))
    raw = sub(raw, 1, ACCEPTED_FROM - 1) .. pack(COUNTER, accepted + added) .. sub(raw, READY_FROM, DELAYED_FROM - 1)
        .. pack(COUNTER, delayed + added) .. sub(raw, PARKED_FROM)
  end
  if count or delayed_jobs then
    counters[#counters + 1], counters[#counters + 2] = fields[i], raw
  end
end
call('HSET', STATE, unpack(counters))
for i = 1, queues do
  -- Workers know when the first delayed job of the queue was due before.
  if not is_paused[i] and ((is_empty[i] and count_of[i])
      or (delayed_of[i] and seen[call('ZRANGE', PREFIX .. 'scheduled:' .. names[i], '0', '0')[1]])) then
    redis.pcall('PUBLISH', PREFIX .. 'work', names[i])
  end
end
return reply
