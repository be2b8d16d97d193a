-- Writes of turn.lua, and the jobs of its reply. All reads are done, so the records and counters are only written.

-- The head of a running job from its size up to the texts of its run; and what follows these: whether it has a key lease, and
-- its fencing token. The size counts what follows it, without the texts.
local RUNNING_NUMBERS = '>I4BBBI4I4I6'
local RUNNING_SIZE = 25
local KEY_LEASE = '>BI7'
local NO_KEY_LEASE = '\0\0\0\0\0\0\0\0'
-- A member that is longer than those which Redis stores in the compact form of a small set.
local LONG_MEMBER = '-----------------------------------------------------------------'

-- Removals, which come first, because a full Redis permits them and all writes after them ----------------------------------

if ends > 0 then
  call('ZREM', running_set, unpack(runs))
end
if freed > 0 then
  call('DEL', unpack(locks, 1, freed))
end
if rests then
  -- If jobs are parked on such a key, handover.lua also changes the time of its next check.
  for lock, rest in pairs(rests) do
    call('SET', lock, rest[1])
    expire_at(lock, format('%.0f', now + rest[2]))
  end
end
if purged and #purged > 0 then
  call('ZREM', ended_set, unpack(purged))
  call('HDEL', JOBS, unpack(purged))
  if failed then
    call('HDEL', PREFIX .. 'attempts', unpack(failed))
  end
end
-- The jobs that leave are the first ones of their queues.
for i = 1, requested do
  local left, index, numbers, emptied = of_queue[10 * i - GONE] or 0, PREFIX .. 'ready:' .. names[i], segments_of[i], 0
  while left > 0 do
    local segment, size = index .. ' ' .. numbers[emptied + 1], sizes_of[i][emptied + 1]
    if left < size then
      call('ZREMRANGEBYRANK', segment, '0', format('%d', left - 1))
    else
      call('DEL', segment)
      emptied = emptied + 1
    end
    left = left - size
  end
  if emptied > 0 then
    call('ZREM', index, unpack(numbers, 1, emptied))
  end
end
if own and #own > 0 then
  call('HDEL', PREFIX .. 'tickets', unpack(own))
end

-- The jobs that are handed out get their fencing tokens and locks, and are in the reply -----------------------------------
local at = 4
reply[at] = idle and #idle or 0
for i = 1, reply[at] do
  reply[at + i] = idle[i]
end
at = at + reply[at]
-- Names and values of the locks, and the fence with its new value.
local taken_locks = {nil, nil, nil, nil, nil, nil, nil, nil}
local job, lock_at, nonce_of = 0, freed, ':' .. request
for t = 1, turns do
  local last = math.min(job + slots_of[t], taken)
  if last == job then
    break
  end
  local run_texts = reservation .. texts_of[t]
  local begin = RUNNING_BEGIN .. pack(RUNNING_NUMBERS, RUNNING_SIZE + #run_texts, 1, 0, 0, 0, 0, now) .. run_texts
  for i = job + 1, last do
    local id, key_lease = handed_ids[i], NO_KEY_LEASE
    if has_key_lease[i] then
      fence, lock_at = fence + 1, lock_at + 1
      key_lease = pack(KEY_LEASE, 1, fence)
      taken_locks[#taken_locks + 1] = locks[lock_at]
      taken_locks[#taken_locks + 1] = 'run:' .. id .. nonce_of .. (marks and marks[lock_at] or '')
    end
    local head, record = heads and heads[i]
    if head then
      -- The texts of a run end with the ends of earlier runs, which are empty for a job that has not run before.
      local failed_before, ends_of_runs, rare = head[2], head[3], head[4]
      record = RUNNING_BEGIN .. pack(RUNNING_NUMBERS, RUNNING_SIZE + #run_texts - #NO_ENDS + #ends_of_runs + #rare, head[1], 0, 0,
          failed_before, 0, now) .. sub(run_texts, 1, -#NO_ENDS - 1) .. ends_of_runs .. key_lease .. rare .. handed_rests[i]
    else
      record = begin .. key_lease .. handed_rests[i]
    end
    records[2 * (ends + i) - 1], records[2 * (ends + i)] = id, record
    reply[at + 2 * i - 1], reply[at + 2 * i] = id, record
  end
  job = last
end

-- One command sets all locks, because each SET of a script costs a table for its reply.
if lock_count > freed then
  taken_locks[#taken_locks + 1] = PREFIX .. 'fence'
  taken_locks[#taken_locks + 1] = format('%d%06d', fence / 1000000, fence % 1000000)
  call('MSET', unpack(taken_locks))
  lock_at = freed
  for i = 1, taken do
    if has_key_lease[i] then
      lock_at = lock_at + 1
      expire_at(locks[lock_at], leases[2 * i - 1])
    end
  end
end
if ends + taken > 0 then
  call('HSET', JOBS, unpack(records))
  if ends > 0 then
    call('ZADD', ended_set, unpack(ended))
  end
  if taken > 0 then
    call('ZADD', running_set, unpack(leases))
    if purging then
      -- Redis stores a small set in a form in which each insertion walks all members. A long member ends that for good.
      call('ZADD', running_set, 0, LONG_MEMBER)
      call('ZREM', running_set, LONG_MEMBER)
    end
    counters[#counters + 1] = poller_field
    counters[#counters + 1] = pack(POLLER_BEGIN, 1, now) .. reservation .. table.concat(handed_ids, ' ')
    if not poller then
      call('ZADD', due_set, format('%.0f', now + POLLER_KEPT), poller_field)
    end
  end
  -- All that wait for a key subscribe by a pattern. They learn that a minimum hold ends sooner than the lease, too.
  if freed > 0 and (sub(ARGV[3], -1) == '1' or redis.pcall('PUBSUB', 'NUMPAT') ~= 0) then
    for i = 1, freed do
      redis.pcall('PUBLISH', REGISTRY .. '-channel:' .. locks[i], locks[i])
    end
  end
  for i = 1, woken and #woken or 0 do
    redis.pcall('PUBLISH', PREFIX .. 'work', woken[i])
  end
end
if #counters > 0 then
  call('HSET', STATE, unpack(counters))
end
