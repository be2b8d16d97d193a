-- Runs that end: their new records, and what they free.

-- A group of runs that end, up to its queues, and one of these.
local GROUP = '>Hc0Hc0H'
local ENDS_OF_QUEUE = '>Bc0HI6I5'
-- The time at which a run began, in the beginning of its record.
local STARTED = '>I6'
local STARTED_AT = 31
-- The time at which a job has succeeded, behind the beginning of its record. The remainder begins with the size of the head, and
-- is that of the running job.
local ENDED_AT = '>I6'
local RUNNING_REMAINDER_AT = 16

local reply, records = {0, -1, now, nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
local ended, runs = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
-- Locks to read, of which each must have its owner (false if none); number of all, and of those that are freed, which are the
-- first. By lock, its owner during the rest of a minimum hold, and that rest in ms. Tickets that a job releases if it has them.
local locks, owners, lock_count = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}, 0
local rests, tickets, holders
-- Number of all queues: those of the request, then others.
local queues = requested

if ends > 0 then
  local ended_begin, now_text = SUCCEEDED_BEGIN .. pack(ENDED_AT, now), format('%d%03d', now / 1000, now % 1000)
  local has_tickets, last = #ARGV > ENDS_AT + 2 * ends, 0
  for _ = 1, groups do
    local begin, nonce, group_queues
    begin, nonce, group_queues, group_at = read(GROUP, ARGV[5], group_at)
    local begin_size = #begin
    for _ = 1, group_queues do
      local name, count, oldest, hold, of
      name, count, oldest, hold, group_at = read(ENDS_OF_QUEUE, ARGV[5], group_at)
      -- The clock may have run back since the runs began, in a fail-over.
      local rest = (hold > 0) and math.min(read(STARTED, begin, STARTED_AT) + hold - now, hold) or 0
      of = 1
      while of <= queues and names[of] ~= name do
        of = of + 1
      end
      if of > queues then
        queues, names[of] = of, name
      end
      of_queue[10 * of - ENDED_HERE] = (of_queue[10 * of - ENDED_HERE] or 0) + count
      of_queue[10 * of - OLDEST] = math.min(of_queue[10 * of - OLDEST] or oldest, oldest)
      for i = last + 1, last + count do
        local id, raw, lock = ids[i], raws[i], ARGV[ENDS_AT + ends + i]
        if not raw or sub(raw, 1, begin_size) ~= begin then
          return {}
        end
        if lock ~= '' then
          lock_count = lock_count + 1
          locks[lock_count], owners[lock_count] = lock, 'run:' .. id .. ':' .. nonce
          if rest > 0 then
            rests = rests or {}
            rests[lock] = {owners[lock_count] .. ':rest', rest}
          end
        end
        local ticket = has_tickets and ARGV[ENDS_AT + 2 * ends + i] or ''
        if ticket ~= '' then
          tickets, holders = tickets or {}, holders or {}
          tickets[#tickets + 1], holders[#holders + 1] = ticket, id
        end
        records[2 * i - 1], records[2 * i] = id, ended_begin .. sub(raw, RUNNING_REMAINDER_AT)
        ended[2 * i - 1], ended[2 * i], runs[i] = now_text, id, id .. ' ' .. name
      end
      last = last + count
    end
  end
end
