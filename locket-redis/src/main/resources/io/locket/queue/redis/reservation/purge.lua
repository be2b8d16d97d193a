-- The purge of jobs that ended longer ago than they are kept, or are too many.

-- @include ../purge.lua
-- Maximum number of dead letters with unreadable records that one call purges, because all queues are searched for each.
local UNREADABLE_LETTERS = 4
local purge

do
  -- The beginning of the record of a job that has ended, up to its failed attempts.
  local ENDED_RECORD = '>BBc0I6I4BBBI4'
  -- Number of unreadable dead letters whose queues have been searched.
  local searched = 0
  local LIVE = {scheduled = true, ready = true, parked = true, retry = true, running = true}

  -- The record of a job that has not ended stays, even if it is listed here. Returns the number of bytes that were read.
  local function forget_all(ids)
    local raws, bytes = redis.call('HMGET', JOBS, unpack(ids)), 0
    for i, id in ipairs(ids) do
      zrem(ENDED, id)
      local raw = raws[i] or ''
      bytes = bytes + #raw
      local readable, version, state, _, _, parts, _, _, failed = pcall(struct.unpack, ENDED_RECORD, raw)
      if not (has_no_head(raw) or (readable and LIVE[state])) then
        forget(id)
      end
      if readable and version == VERSION and parts % 2 == 1 and failed == 0 then
        attempts[id] = nil
      end
    end
    return bytes
  end

  -- Returns the queue that lists a dead letter with an unreadable record, or nil.
  local function queue_of_letter(id)
    for _, name in ipairs(redis.call('ZRANGE', PREFIX .. 'queues', 0, SEARCHED - 1)) do
      if redis.call('ZSCORE', PREFIX .. 'dead:' .. name, id) then
        return name
      end
    end
  end

  -- Each dead letter is counted by its queue. Returns the number of bytes that were read.
  local function forget_letters(ids)
    local raws, bytes = redis.call('HMGET', JOBS, unpack(ids)), 0
    for i, id in ipairs(ids) do
      if jobs[id] == nil then
        jobs[id] = parse(id, raws[i])
      end
      bytes = bytes + #(raws[i] or '')
    end
    load_queues_of(ids)
    for _, id in ipairs(ids) do
      if unreadable[id] and searched == UNREADABLE_LETTERS then
        cut = true
      elseif unreadable[id] then
        searched = searched + 1
        set_aside(id, queue_of_letter(id))
        forget(id)
        take_back(id)
        zrem(DEAD, id)
      else
        if jobs[id] and is_letter(jobs[id]) then
          remove_letter(jobs[id])
          forget(id)
        end
        zrem(DEAD, id)
      end
    end
    return bytes
  end

  local function purge_from(key, max_age, max_size, floor, forgetting)
    local ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - math.max(max_age, floor)), 'LIMIT', 0, PURGE)
    local over = redis.call('ZCARD', key) - max_size
    if #ids == 0 and over > 0 then
      ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - floor), 'LIMIT', 0, math.min(PURGE, over))
    end
    local to, step, bytes = 0, PURGED_FIRST, 0
    while to < #ids and bytes < PURGED_BYTES do
      local from = to + 1
      to, step = math.min(to + step, #ids), 2 * step
      bytes = bytes + forgetting({unpack(ids, from, to)})
    end
    cut = cut or to < #ids or #ids == PURGE
  end

  -- Purges ended jobs that are too old or too many, but none that a repeated call may still request.
  purge = function(limits)
    purge_from(ENDED, limits.ha, limits.hs, limits.fl, forget_all)
    purge_from(DEAD, limits.da, limits.ds, limits.fl, forget_letters)
  end
end
