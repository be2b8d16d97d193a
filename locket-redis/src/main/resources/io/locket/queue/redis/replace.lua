-- Enqueues one job, or lets it replace the waiting job that has its ticket, as enqueue.lua does. It does nothing if its id is
-- known.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    id
-- ARGV[4]    definition and arguments, see admit.lua
-- ARGV[5]    delay in ms, or ''
-- ARGV[6]    due time in ms, which counts if there is one, or ''
-- ARGV[7]    longest delay in ms of a job that is replaced, from when it was enqueued, or ''
-- ARGV[8]    time for which the id of a replacement stays known, in ms
--
-- Reply: {'accepted', id, time in ms until the job is due}, {'duplicate', id of the running job that has the ticket, its state}
--        or {'replaced', id of the job that was replaced}; {} if nothing was done, and enqueue.lua is to be called instead.
-- Repetition: an id that is known, or that has replaced a job, is left to enqueue.lua.
-- Invariant: as of enqueue.lua.

-- @include admit/names.lua

local id, definition = ARGV[3], ARGV[4]
local due = math.min(math.max(tonumber(ARGV[6]) or (now + (tonumber(ARGV[5]) or 0)), now), LATEST)
-- @include admit/job.lua
if not ticket then
  return {}
end
local field = 'q:' .. q
local raw = call('HGET', STATE, field)
-- @include admit/counters.lua
-- @include admit/delayed.lua
local replaced_by = PREFIX .. 'replaced:' .. id
if call('HGET', JOBS, id) or call('GET', replaced_by) then
  return {}
end
local holder = call('HGET', PREFIX .. 'tickets', ticket)
if not holder then
  if due > now then
    -- @include admit/later.lua
  else
    -- @include admit/ready.lua
  end
  return {'accepted', id, due - now}
end

local held = call('HGET', JOBS, holder)
if not held then
  return {}
end
-- @include admit/holder.lua
if state == 'running' then
  -- @include admit/duplicate.lua
  return {'duplicate', holder, state}
end
-- @include admit/replaced.lua

-- A full Redis refuses the first write, and then nothing is written.
call('HSET', JOBS, holder, '\1' .. string.char(#state) .. state .. NOT_ENDED
    .. pack('>I4BBI4', PLAIN_HEAD + SIZE_SIZE + #json, 2, 0, #json) .. json .. pack(PLACE, n, e, d, u) .. definition)
if state == 'scheduled' then
  local index, due_text = PREFIX .. 'scheduled:' .. q, format('%.0f', d)
  call('ZADD', index, due_text, holder)
  call('ZADD', PREFIX .. 'due', due_text, holder .. ' ' .. q)
  -- Workers know when the first job of the queue was due before.
  if paused == 0 and call('ZRANGE', index, '0', '0')[1] == holder then
    redis.pcall('PUBLISH', PREFIX .. 'work', q)
  end
end
call('SET', replaced_by, holder .. ' ' .. call_name)
expire_at(replaced_by, format('%.0f', now + ARGV[8]))
return {'replaced', holder}
