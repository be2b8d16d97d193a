-- Ends of jobs, and their return to a place where they wait.

-- Promotes the successors of jobs that have left without taking their key.
local function follow()
  local digest = next(followed)
  while digest do
    followed[digest] = nil
    promote(digest)
    digest = next(followed)
  end
end

local function add_letter(job)
  zadd(DEAD, now, job.id)
  zadd(letters_of(job), now, job.id)
  count(job.q, 'letters', 1)
end

local function remove_letter(job)
  zrem(DEAD, job.id)
  zrem(letters_of(job), job.id)
  count(job.q, 'letters', -1)
end

-- Keeps a job that is no longer a dead letter among the other ended jobs from now on.
local function dismiss(letter)
  remove_letter(letter)
  letter.ra = now
  zadd(ENDED, now, letter.id)
  save(letter)
end

-- Returns the duration in ms of a current run, or of one that ends in this script.
local function ran(job)
  return text(math.max(now - (job.st or now), 0))
end

-- A job that ended before its body ran has not used its period.
local function give_claim_back(job)
  if not job.rn and own_claim(job) then
    set_claim(job.k, false)
  end
end

finish = function(job, state)
  local run = (job.s == 'running') and job.t or nil
  local lasted = run and ran(job) or ''
  leave(job)
  free_ticket(job)
  if state == 'cancelled' or state == 'removed' then
    give_claim_back(job)
  end
  if state == 'removed' and not run then
    -- The next step of the queue's removal counts it.
    count(job.q, 'swept', 1)
  end
  release(job)
  job.ea, job.ra = now, nil
  set_state(job, state)
  if state == 'dead' then
    add_letter(job)
  else
    zadd(ENDED, now, job.id)
  end
  add_event(state, job, lasted, job.er, nil, run)
end

-- Returns the id of the job that holds the ticket of a key if only a later version can read its record.
local function later_holder(digest)
  local id = ticket(digest)
  return id and not find(id) and unreadable[id] and unreadable[id] ~= DAMAGED and id or nil
end

-- Returns the job that blocks a ticket. A job whose queue was removed does not block it.
local function rival(digest)
  local holder = ticket_holder(digest)
  if holder and WAITING[holder.s] and is_removed(holder) then
    finish(holder, 'removed')
    return nil
  end
  return holder
end

-- Bounds the due time of a waiting job by that of the job that it supersedes, now and after replacements.
local function inherit(holder, due)
  if holder.s ~= 'scheduled' and holder.s ~= 'retry' then
    return
  end
  local earlier = due < holder.d
  if earlier and due <= now then
    leave(holder)
    holder.d = due
    holder.n = next_place(holder.q)
    put(holder, 'ready')
    return
  end
  holder.ib = (holder.s == 'scheduled') and math.min(due, holder.ib or due) or nil
  save(holder)
  if earlier then
    set_due(holder, due)
  end
end

-- Lets a job wait again after its run, unless it was cancelled, removed or superseded meanwhile. A retry is due at the given
-- time. The superseding job inherits another time if one is given, or else the time at which this job would be due.
local function come_back(job, state, due, inherited)
  if job.cx == 1 then
    finish(job, 'cancelled')
    return false
  end
  if is_removed(job) then
    finish(job, 'removed')
    return false
  end
  if TICKET[job.l] == 'wait' and not is_capped(job) then
    local holder = rival(job.k)
    if holder and holder.id ~= job.id then
      job.sb = holder.id
      inherit(holder, inherited or due or now)
      finish(job, 'superseded')
      return false
    end
    local later = not holder and later_holder(job.k)
    if later then
      job.sb = later
      finish(job, 'superseded')
      return false
    end
    set_ticket(job.k, job.id)
  end
  leave(job)
  release(job)
  job.d = due or job.d
  put(job, state)
  return true
end
