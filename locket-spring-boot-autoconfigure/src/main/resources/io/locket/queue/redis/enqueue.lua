-- Enqueues jobs, at most 100.
--
-- ARGV[3] how long the id of a replacement stays known, in ms
-- ARGV[4..] for each job its id, its line of JSON for scripts, its arguments, and its options as JSON:
--           dl delay ms or at time ms (absent: at once), od duplicate strategy, uf ms of uniqueness, md longest delay ms,
--           cr the record of a claim
--
-- Reply: {answers, events}; an answer is {'accepted', id}, {'duplicate', id or '', state or ''} or {'replaced', id}.
-- Repetition: an id that is known is answered as it was; nothing is enqueued twice. The id of another job is a duplicate.
-- Invariant: a job and its ticket or claim appear together; a Redis that is full gets none of the jobs.

local KNOWN_FOR = tonumber(ARGV[3])
-- The last time that records can tell, since the JSON of Redis has 14 digits.
local LAST = 99999999999999

local function accept(job, due)
  local counters = queue(job.q)
  job.e = now
  if counters.removed_at and counters.removed_at >= now then
    job.e = counters.removed_at + 1
  end
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
  holder.a, holder.b, holder.er, holder.y = nil, nil, nil, nil
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
  expiring[PREFIX .. 'replaced:' .. job.id] = {holder.id, KNOWN_FOR}
  tell('replaced', holder, job.id)
  return {'replaced', holder.id}
end

local function conflict(holder, of, job, due, options)
  if options.od == 'replace' and holder and WAITING[holder.s] and not is_removed(holder) then
    return replace(holder, job, due, options)
  end
  tell('duplicate', job, of)
  return {'duplicate', of, holder and holder.s or ''}
end

local function enqueue(job, options)
  local known = find(job.id)
  if known then
    -- The id of another job is no repetition. A job that was replaced has other arguments than it came with.
    if known.j ~= job.j or (known.body ~= job.body and known.rp ~= 1) then
      tell('duplicate', job, known.id)
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
  if TICKET[job.l] then
    local holder = rival(job.k)
    if holder then
      return conflict(holder, holder.id, job, due, options)
    end
    if options.uf then
      job.u = math.min(due + options.uf, LAST)
    end
    set_ticket(job.k, job.id)
  elseif job.l == 'UP' then
    local name = PREFIX .. 'claim:' .. job.k
    local claim = expiring[name] and expiring[name][1] or get_all({name})[1]
    if claim then
      local id = string.match(claim, '^run:([^: ]+):claim ')
      if id == job.id then
        return {'accepted', id}
      end
      return conflict(id and find(id) or nil, id or '', job, due, options)
    end
    expiring[name] = {RUN .. job.id .. ':claim 0 ' .. text(now) .. ' ' .. options.cr, due + options.uf - now}
  end
  return accept(job, due)
end

local names, ids, digests = {}, {}, {}
local new = {}
for i = 4, #ARGV, 4 do
  local job = cjson.decode(ARGV[i + 1])
  job.id, job.body = ARGV[i], ARGV[i + 2]
  new[#new + 1] = {job, cjson.decode(ARGV[i + 3])}
  ids[#ids + 1] = job.id
  names[#names + 1] = job.q
  if TICKET[job.l] then
    digests[#digests + 1] = job.k
  end
end
load(ids)
load_tickets(digests)
load_state(names)
local answers = {}
for i, one in ipairs(new) do
  answers[i] = enqueue(one[1], one[2])
end
follow()
write(true)
return {answers, events}
