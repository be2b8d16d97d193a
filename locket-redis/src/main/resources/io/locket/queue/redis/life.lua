-- State transitions of a job, and their effects on its ticket and its key.

-- @include contention.lua

local WAITING = {scheduled = true, ready = true, parked = true, retry = true}
-- The strategies that hold a ticket while the job waits, and, where the value is 'run', while it runs.
local TICKET = {UE = 'wait', UX = 'run', UW = 'wait'}
local KEY_LEASE = {WE = true, UX = true, UW = true}
local RUN = 'run:'

local followed = {}

local function set_state(job, state)
  if job.s then
    count(job.q, job.s, -1)
  end
  job.s = state
  count(job.q, state, 1)
  save(job)
end

-- Returns the time at which a job came into its current queue.
local function came_at(job)
  return job.m or job.e
end

-- A job that came into its queue before the removal of the queue never waits again.
local function is_removed(job)
  local at = queue(job.q).removed_at
  return at ~= nil and came_at(job) <= at
end

-- Returns the number of jobs that a queue has received. A removed queue has this number as 'rm', and is deleted an hour
-- later if it is empty and has received no others since.
local function arrivals(counters)
  return (counters.accepted or 0) + (counters.moved_in or 0)
end

-- Returns the time for jobs that come into a queue now. It is later than the queue's last removal.
local function arrival(name)
  local at = queue(name).removed_at
  return (at and at >= now) and at + 1 or now
end

local function token_of(job)
  return RUN .. job.id .. ':' .. job.t
end

-- Reads jobs with all that a move or an end needs: their tickets, and the counters of their queues and of the given others.
local function load_all(ids, names)
  load(ids)
  local digests = {}
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job then
      names[#names + 1] = job.q
      if TICKET[job.l] then
        digests[#digests + 1] = job.k
      end
    end
  end
  load_tickets(digests)
  load_claims_of(ids)
  load_state(names)
end

-- Tickets ------------------------------------------------------------------------------------------------------------

local function is_capped(job)
  return job.u ~= nil and now >= job.u
end

-- Returns the job that holds the ticket of a key. A ticket counts only while the record of the job confirms it.
local function ticket_holder(digest)
  local id = ticket(digest)
  local job = id and find(id)
  if not job or job.k ~= digest or is_capped(job) then
    return nil
  end
  local covers = TICKET[job.l]
  if covers and (WAITING[job.s] or (covers == 'run' and job.s == 'running')) then
    return job
  end
  return nil
end

local function free_ticket(job)
  if TICKET[job.l] and ticket(job.k) == job.id then
    set_ticket(job.k, false)
  end
end

-- Keys ---------------------------------------------------------------------------------------------------------------

local next_check

do
  -- Whether other namespaces may have leases in this lock space. Their releases do not look for jobs that are parked here.
  local SHARED = REGISTRY ~= PREFIX .. 'lease'

  -- Returns whether the release of a lock looks for jobs that are parked in this namespace.
  local function is_known(owner)
    if string.sub(owner, 1, #RUN) ~= RUN then
      return not SHARED and string.find(owner, '^%S+ %d+ %d+ ') ~= nil
    end
    local id = SHARED and (string.match(owner, '^run:([^: ]+)') or '')
    return not id or find(id) ~= false or unreadable[id] ~= nil
  end

  -- Returns the time of the next check of a leased key. A foreign lock may be released without a notification.
  next_check = function(digest, owner)
    local left = lock_ttl(digest)
    if left < 0 or (left > FOREIGN_CHECK and not is_known(owner)) then
      left = FOREIGN_CHECK
    end
    return now + left
  end
end

-- Lists a leased key for its next check. The lock of a direct call or a run gets the mark of a waiter, because release.lua and
-- handover.lua look for parked jobs only if it has one, and turn.lua ends no run whose lock has one.
local function await_owner(digest, owner)
  zadd(DUE, next_check(digest, owner), 'k:' .. digest)
  if string.find(owner, '^%S+ %d+ %d+ .*}$') or string.find(owner, '^run:[^: ]+:[^: ]+$') then
    marked[digest] = true
  end
end

-- Whether a job has ended as a dead letter that still is one.
local function is_letter(job)
  return job.s == 'dead' and not job.ra
end

local finish

local function put(job, state)
  set_state(job, state)
  if state == 'ready' then
    fresh[job.id] = job.q
  end
  zadd(place_of(job), (state == 'ready' or state == 'parked') and job.n or job.d, job.id)
  if state == 'scheduled' or state == 'retry' then
    zadd(DUE, job.d, indexed(job))
  end
end

-- @include life/places.lua
-- @include life/ends.lua
