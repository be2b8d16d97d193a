-- The purge of jobs that ended longer ago than they are kept, or are too many.

-- Maximum number of jobs that one call purges of each kind.
local PURGE = 96
-- Maximum number of dead letters with unreadable records that one call purges, because all queues are searched for each.
local UNREADABLE_LETTERS = 4
local purge

do
  -- The beginning of the record of a job that has ended, up to its failed attempts.
  local ENDED_RECORD = '>BBc0I6I4BBBI4'
  local LIVE = {scheduled = true, ready = true, parked = true, retry = true, running = true}

  -- The record of a job that has not ended stays, even if it is listed here.
  local function forget_all(ids)
    local raws = redis.call('HMGET', JOBS, unpack(ids))
    for i, id in ipairs(ids) do
      zrem(ENDED, id)
      local raw = raws[i] or ''
      local readable, version, state, _, _, parts, _, _, failed = pcall(struct.unpack, ENDED_RECORD, raw)
      if not (has_no_head(raw) or (readable and LIVE[state])) then
        forget(id)
      end
      if readable and version == VERSION and parts % 2 == 1 and failed == 0 then
        attempts[id] = nil
      end
    end
  end

  -- Each dead letter is counted by its queue.
  local function forget_letters(ids)
    load(ids)
    load_queues_of(ids)
    local searched = 0
    for _, id in ipairs(ids) do
      if unreadable[id] and searched == UNREADABLE_LETTERS then
        cut = true
      elseif unreadable[id] then
        searched = searched + 1
        set_aside(id, queue_that_lists(id))
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
  end

  local function purge_from(key, max_age, max_size, floor, forgetting)
    local ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - math.max(max_age, floor)), 'LIMIT', 0, PURGE)
    local over = redis.call('ZCARD', key) - max_size
    if #ids == 0 and over > 0 then
      ids = redis.call('ZRANGEBYSCORE', key, '-inf', text(now - floor), 'LIMIT', 0, math.min(PURGE, over))
    end
    if #ids > 0 then
      forgetting(ids)
    end
    cut = cut or #ids == PURGE
  end

  -- Purges ended jobs that are too old or too many, but none that a repeated call may still request.
  purge = function(limits)
    purge_from(ENDED, limits.ha, limits.hs, limits.fl, forget_all)
    purge_from(DEAD, limits.da, limits.ds, limits.fl, forget_letters)
  end
end
