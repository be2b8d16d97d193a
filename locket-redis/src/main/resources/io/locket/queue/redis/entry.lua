-- Enqueuing of jobs, together with their ticket or claim.

-- Time for which the id of a replacement stays known, in ms.
local known_for

-- Reads a new job from ARGV: id, definition and arguments as records have them, delay in ms or '', due time in ms or '',
-- duplicate strategy, longest delay in ms or '', record of a claim or ''. Returns it, and its options.
local function read_new(at)
  local job = {id = ARGV[at]}
  read_definition(job, ARGV[at + 1], 1)
  return job, {dl = tonumber(ARGV[at + 2]), at = tonumber(ARGV[at + 3]), od = ARGV[at + 4], md = tonumber(ARGV[at + 5]),
      cr = ARGV[at + 6]}
end

local function accept(job, due)
  job.e = arrival(job.q)
  count(job.q, 'accepted', 1)
  if due > now then
    job.d = due
    notified[job.q] = true
    put(job, 'scheduled')
  else
    job.n = next_place(job.q)
    put(job, 'ready')
  end
  add_event('enqueued', job, text(math.max(due - now, 0)))
  return {'accepted', job.id}
end

-- Names a call that enqueues a job: its repetition has the same name and arguments.
local function call_of(job)
  return redis.sha1hex(job.j .. '\n' .. body_of(job))
end

-- Moves the end of a ticket or claim with the due time from which it counts.
local function move_period(holder)
  if not holder.uf then
    return
  end
  local ends_at = math.min(math.max(holder.d, now) + holder.uf, LATEST)
  local claim = own_claim(holder)
  if claim then
    set_claim(holder.k, claim, ends_at - now)
  elseif holder.u then
    holder.u = ends_at
  end
end

-- Replaces the due time of a scheduled job within its bounds. A job that waits for a retry takes only an earlier one.
local function replace_due(holder, due, options)
  if holder.s == 'scheduled' then
    if options.md then
      due = math.min(due, holder.e + options.md)
    end
    set_due(holder, math.min(due, holder.ib or due))
    move_period(holder)
  elseif holder.s == 'retry' and due < holder.d then
    set_due(holder, due)
  end
end

local function replace(holder, job, due, options)
  holder.rp = holder.rp or redis.sha1hex(body_of(holder))
  holder.tx, holder.tr = job.tx, job.tr
  set_definition(holder, body_of(job))
  if holder.a then
    attempts[holder.id] = false
  end
  holder.a, holder.b, holder.er, holder.y, holder.pg, holder.wr = nil, nil, nil, nil, nil, nil
  replace_due(holder, due, options)
  save(holder)
  expiring[PREFIX .. 'replaced:' .. job.id] = {holder.id .. ' ' .. call_of(job), known_for}
  add_event('replaced', holder, job.id)
  return {'replaced', holder.id}
end

local function conflict(holder, of, job, due, options)
  if options.od == 'replace' and holder and WAITING[holder.s] and not is_removed(holder) then
    return replace(holder, job, due, options)
  end
  add_event('duplicate', job, of, options.od)
  return {'duplicate', of, holder and holder.s or ''}
end

-- Returns the claim that refuses a job. The claim of a job whose queue was removed before it ran is released.
local function refusing_claim(digest)
  local claim = claim_of(digest)
  local id = claim and claimant(claim)
  local holder = id and find(id)
  if holder and WAITING[holder.s] and is_removed(holder) then
    finish(holder, 'removed')
  end
  return claim_of(digest)
end

-- Accepts a job if its key is free. The job takes its ticket, or claims its period.
local function admit(job, due, options)
  if TICKET[job.l] then
    local holder = rival(job.k)
    if holder then
      return conflict(holder, holder.id, job, due, options)
    end
    local later = later_holder(job.k)
    if later then
      return conflict(nil, later, job, due, options)
    end
    if job.uf then
      job.u = math.min(due + job.uf, LATEST)
    end
    set_ticket(job.k, job.id)
  elseif job.l == 'UP' then
    local claim = refusing_claim(job.k)
    if claim then
      local id = claimant(claim)
      if id == job.id then
        return {'accepted', id}
      end
      return conflict(id and find(id) or nil, id or '', job, due, options)
    end
    if job.uf then
      set_claim(job.k, RUN .. job.id .. ':claim 0 ' .. text(now) .. ' ' .. options.cr, due + job.uf - now)
    end
  end
  return accept(job, due)
end

-- Returns whether a stored job is the one that was enqueued with this id. A replaced job has other arguments than at first.
local function is_repetition(known, job)
  if known.j ~= job.j then
    return false
  end
  if not known.rp then
    return body_of(known) == body_of(job)
  end
  return known.rp == redis.sha1hex(body_of(job))
end

local function replaced_by(job)
  local name = PREFIX .. 'replaced:' .. job.id
  local known = expiring[name] and expiring[name][1] or get_all({name})[1]
  if known then
    return string.match(known, '^(%S+) ?(%S*)$')
  end
end

local function enqueue(job, options)
  local known = find(job.id)
  if known then
    -- The id of another job is no repetition.
    if not is_repetition(known, job) then
      add_event('duplicate', job, known.id, options.od)
      return {'duplicate', known.id, known.s}
    end
    return {'accepted', job.id}
  end
  if unreadable[job.id] and unreadable[job.id] ~= DAMAGED then
    return {'accepted', job.id}
  elseif unreadable[job.id] then
    add_event('duplicate', job, job.id, options.od)
    return {'duplicate', job.id, ''}
  end
  if options.od == 'replace' then
    local id, call = replaced_by(job)
    if id and call ~= '' and call ~= call_of(job) then
      local holder = find(id)
      add_event('duplicate', job, id, options.od)
      return {'duplicate', id, holder and holder.s or ''}
    elseif id then
      return {'replaced', id}
    end
  end
  local due = math.min(math.max(options.at or (now + (options.dl or 0)), now), LATEST)
  return admit(job, due, options)
end
