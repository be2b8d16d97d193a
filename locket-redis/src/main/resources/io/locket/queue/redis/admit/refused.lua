-- The jobs of a call that are refused, because their ticket or claim is taken. Also reads the counters of the queues.

local reply = {{}}
local known, raw_counters = call('HMGET', JOBS, unpack(ids)), call('HMGET', STATE, unpack(fields))
for i = 1, jobs do
  if known[i] then
    return {}
  end
end
-- By queue: its last place, the time of its last removal, whether it is paused, and whether workers wait for its ready jobs.
local last, removals, is_paused, is_empty = {}, {}, {}, {}
for i = 1, queues do
  local raw = raw_counters[i]
  -- @include counters.lua
  if has_delayed and has_delayed[i] then
    -- @include delayed.lua
  end
  last[i], removals[i], is_paused[i], is_empty[i] = seq, removed_at, paused == 1, ready <= 0
end

-- By job, the id of the one that has its ticket or claim. These ids, and the numbers of the jobs that they refuse.
local holder_of, holders, refused_jobs = {}, {}, {}
for i, holder in ipairs(tickets and call('HMGET', PREFIX .. 'tickets', unpack(tickets)) or {}) do
  if holder then
    holders[#holders + 1], refused_jobs[#refused_jobs + 1], holder_of[ticket_jobs[i]] = holder, ticket_jobs[i], holder
  end
end
local taken = claims and get_all(claims)
for i = 1, claims and #claims or 0 do
  local number = claim_jobs[i]
  -- Direct calls make claims, too. They have no record of a job.
  local holder = taken[i] and (string.match(taken[i], '^run:([^: ]+):claim ') or '')
  if holder then
    holders[#holders + 1], refused_jobs[#refused_jobs + 1], holder_of[number] = holder, number, holder
  end
end

-- By job, the state of the one that refuses it.
local state_of = {}
for i, held in ipairs((#holders > 0) and call('HMGET', JOBS, unpack(holders)) or holders) do
  local number = refused_jobs[i]
  local ticket, q, removed_at = key_of[number], names[queue_of[number]], removals[queue_of[number]]
  local claims_it = claim_ends and claim_ends[number]
  if not held and (not claims_it or seen[holders[i]]) then
    return {}
  elseif not held then
    state_of[number] = ''
  else
    -- @include holder.lua
    if claims_it then
      -- @include claimed.lua
    else
      -- @include duplicate.lua
    end
    state_of[number] = state
  end
end
for i = 1, (same_as or #holders > 0) and jobs or 0 do
  local first = same_as and same_as[i]
  if first then
    local is_later = due_of and due_of[first] and due_of[first] > now
    holder_of[i] = holder_of[first] or ids[first]
    state_of[i] = state_of[first] or (is_later and 'scheduled') or 'ready'
  end
  if holder_of[i] then
    reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = i, holder_of[i], state_of[i]
  end
end
