-- Locks that are freed and taken, their marks, and the times at which contended keys are checked, as in life.lua.

-- @include ../contention.lua

-- Time by which the check of a key may be late, in ms. Two calls may compute times for the end of a lock that differ by a
-- millisecond, and to write an entry costs five times as much as to read it.
local CHECK_DELAY = 10
-- Last byte of the owner of a direct call, '}', unless the lock has a mark.
local END_OF_HOLDER = 125

-- From here on, the first locks are those that stay free, up to 'freed'. Those of the takers follow, in their order.
local of_ends, freed, marks = locks, 0, {}
locks = {}
for i = 1, lock_count do
  if not taker_of[of_ends[i]] then
    freed = freed + 1
    locks[freed] = of_ends[i]
  end
end
lock_count = freed + #takers
-- By digest: time of the next check, or false if the entry of the key stays as it is. By name: locks that others hold, with their
-- marks.
local check_times, marked = {}, {}
for lock, rest in pairs(rests or {}) do
  local digest = sub(lock, #REGISTRY + 2)
  check_times[digest] = call('ZSCORE', due_set, 'k:' .. digest) and now + rest[2] or nil
end
for i, job in ipairs(takers) do
  locks[freed + i] = job.lock
  -- Other jobs may be parked on the key of a job that was parked.
  marks[freed + i] = job.listed and WAITER or nil
  check_times[job.k] = job.follows and now + job.kind.x
end
for _, job in ipairs(parked) do
  local taker, owner = taker_of[job.lock], owner_of[job.lock]
  if taker then
    marks[freed + taker], check_times[job.k] = WAITER, now + takers[taker].kind.x
  elseif check_times[job.k] == nil then
    local is_run, is_direct = sub(owner, 1, 4) == 'run:', string.find(owner, '^%S+ %d+ %d+ ')
    local is_known, rest = is_run or is_direct, rests and rests[job.lock] and rests[job.lock][2] or ttl(job.lock)
    if is_known and REGISTRY ~= PREFIX .. 'lease' then
      -- The lock may be that of another namespace, whose release does not check for jobs that are parked here.
      local id = string.match(owner, '^run:([^: ]+)')
      is_known = id and call('HGET', JOBS, id)
    end
    local at = now + ((rest < 0 or (rest > FOREIGN_CHECK and not is_known)) and FOREIGN_CHECK or rest)
    local known_at = tonumber(call('ZSCORE', due_set, 'k:' .. job.k) or math.huge)
    check_times[job.k] = known_at > at + CHECK_DELAY and at
    -- An owner with a mark does not end like this.
    if (is_direct and byte(owner, -1) == END_OF_HOLDER) or (is_run and string.find(owner, '^run:[^: ]+:[^: ]+$')) then
      marked[job.lock] = owner .. WAITER
    end
  end
end
for _, job in ipairs(still_ready) do
  check_times[job.k] = now + PROMOTED_CHECK
end
