-- How jobs come into a queue: with their ticket or claim, or not at all.

-- How long the id of a replacement stays known, in ms.
local known_for

-- The last time that records can tell, since the JSON of Redis has 14 digits.
local LAST = 99999999999999

local function accept(job, due)
  job.e = arrival(job.q)
  count(job.q, 'accepted', 1)
  if due > now then
    job.d = due
    news[job.q] = true
    put(job, 'scheduled')
  else
    job.n = next_place(job.q)
    put(job, 'ready')
  end
  tell('enqueued', job, text(math.max(due - now, 0)))
  return {'accepted', job.id}
end

local function replace(holder, job, due, options)
  holder.body, holder.tx, holder.tr = job.body, job.tx, job.tr
  holder.a, holder.b, holder.er, holder.y, holder.pg = nil, nil, nil, nil, nil
  holder.rp = 1
  if holder.s == 'scheduled' then
    if options.md then
      due = math.min(due, holder.e + options.md)
    end
    leave(holder)
    holder.d = due
    news[holder.q] = true
    put(holder, 'scheduled')
  end
  save(holder)
  expiring[PREFIX .. 'replaced:' .. job.id] = {holder.id, known_for}
  tell('replaced', holder, job.id)
  return {'replaced', holder.id}
end

local function conflict(holder, of, job, due, options)
  if options.od == 'replace' and holder and WAITING[holder.s] and not is_removed(holder) then
    return replace(holder, job, due, options)
  end
  tell('duplicate', job, of, options.od)
  return {'duplicate', of, holder and holder.s or ''}
end

local function claim_of(digest)
  local name = PREFIX .. 'claim:' .. digest
  return expiring[name] and expiring[name][1] or get_all({name})[1]
end

local function set_claim(digest, claim, ms)
  expiring[PREFIX .. 'claim:' .. digest] = {claim, ms}
end

-- The id of the job that has made a claim, or nil if that was a direct call.
local function claimant(claim)
  return string.match(claim, '^run:([^: ]+):claim ')
end

-- Lets a job in if it has its key for itself: it takes its ticket, or claims its period.
local function admit(job, due, options)
  if TICKET[job.l] then
    local holder = rival(job.k)
    if holder then
      return conflict(holder, holder.id, job, due, options)
    end
    if job.uf then
      job.u = math.min(due + job.uf, LAST)
    end
    set_ticket(job.k, job.id)
  elseif job.l == 'UP' then
    local claim = claim_of(job.k)
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

local function enqueue(job, options)
  local known = find(job.id)
  if known then
    -- The id of another job is no repetition. A job that was replaced has other arguments than it came with.
    if known.j ~= job.j or (known.body ~= job.body and known.rp ~= 1) then
      tell('duplicate', job, known.id, options.od)
      return {'duplicate', known.id, known.s}
    end
    return {'accepted', job.id}
  end
  if options.od == 'replace' then
    local name = PREFIX .. 'replaced:' .. job.id
    local known = expiring[name] and expiring[name][1] or get_all({name})[1]
    if known then
      return {'replaced', known}
    end
  end
  local due = math.min(math.max(options.at or (now + (options.dl or 0)), now), LAST)
  job.uf = options.uf
  return admit(job, due, options)
end
