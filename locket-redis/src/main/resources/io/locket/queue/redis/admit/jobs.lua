-- The jobs of a call, their queues, and their keys.

-- The first character of a due time among the starts.
local AT = string.byte('@')

local jobs = (#ARGV - 3) / 3
local starts = (ARGV[3] ~= '') and string.gmatch(ARGV[3], '%S+')
-- By job: id, place of its queue in 'names', end of its ticket; name of its ticket or claim, and number of an earlier job of
-- the call with the same one. By job that comes with a start time, when it is due.
local ids, queue_of, ticket_ends, key_of, same_as, due_of = {}, {}, {}, {}, nil, nil
-- Fields of the queues, their names, the last one, and which of them have jobs that are due later. Tickets, and the numbers of
-- their jobs. Names of claims, the numbers of their jobs, and when the claims end.
local fields, names, queues, of, has_delayed = {}, {}, 0, 0, nil
local tickets, ticket_jobs, claims, claim_jobs, claim_ends
-- Ids of the call: true. The number of the first job by the name of its ticket or claim.
local seen, first_of = {}, {}

for i = 1, jobs do
  local id, definition, due, start = ARGV[3 * i + 1], ARGV[3 * i + 2], now, starts and starts()
  if start and start ~= '-' then
    due = (byte(start) == AT) and tonumber(sub(start, 2)) or (now + start)
    due = math.min(math.max(due, now), LATEST)
    due_of = due_of or {}
    due_of[i] = due
  end
  -- @include job.lua
  if seen[id] then
    return {}
  end
  local key = ticket or (l == 'UP') and PREFIX .. 'claim:' .. k
  local first = key and first_of[key]
  seen[id] = true
  if first then
    same_as = same_as or {}
    same_as[i] = first
  elseif ticket then
    tickets, ticket_jobs = tickets or {}, ticket_jobs or {}
    local count = #tickets + 1
    tickets[count], ticket_jobs[count], first_of[key] = ticket, i, i
  elseif key then
    if period_end == 0 then
      return {}
    end
    claims, claim_jobs, claim_ends = claims or {}, claim_jobs or {}, claim_ends or {}
    local count = #claims + 1
    claims[count], claim_jobs[count], claim_ends[i], first_of[key] = key, i, period_end, i
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
  if due > now then
    has_delayed = has_delayed or {}
    has_delayed[of] = true
  end
  ids[i], queue_of[i], ticket_ends[i], key_of[i] = id, of, ticket and period_end or 0, key
end
