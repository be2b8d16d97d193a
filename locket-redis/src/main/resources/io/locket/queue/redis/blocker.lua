-- Finds the job or holder that blocks a key. Writes nothing.
--
-- ARGV[3] digest
-- ARGV[4] 1 if each claim counts, 0 if only that of a job that waits or runs does
--
-- Reply: {} if the key is free, else {id or '', state or '', queue or '', how many jobs go before it or -1, owner of the
-- lock or claim or '', its holder record or ''}.

-- @include holder.lua
-- @include ready/size.lua

-- Number of parked jobs of a key that are checked. More than one is read only if some are stale.
local LISTED = 10

local digest = ARGV[3]
local owner = owner_of(digest)

-- Returns the holder record of the owner of the key, or false if it is free.
local function owner_record()
  return owner and holder_record(owner, find, owner)
end

local function is_given_up(job)
  return WAITING[job.s] and is_removed(job)
end

-- Returns the number of jobs that go before a ready job, or nil if it is unknown.
local function jobs_before(job)
  local number = text(math.floor(job.n / SEGMENT))
  local segment = redis.call('ZRANK', ready_set(job.q), number)
  local size, rank = segment and ready_size(job.q, segment), redis.call('ZRANK', place_of(job), job.id)
  return size and rank and size + rank
end

local function reply(job, id, keeper, holder)
  local before = job and job.s == 'ready' and jobs_before(job)
  return {id, job and job.s or '', job and job.q or '', before or -1, keeper or '', holder or ''}
end

local function reply_of(job)
  return reply(job, job.id, owner, owner_record())
end

-- Returns the job whose run holds the lock, or has left the rest of its minimum hold there.
local function runner()
  local id, nonce = string.match(owner or '', '^run:([^:]+):([^:]+)')
  local job = id and find(id)
  return job and job.t == nonce and job
end

local function first_parked()
  local members = redis.call('ZRANGE', PREFIX .. 'parked-on:' .. digest, 0, LISTED - 1)
  local ids = {}
  for i, member in ipairs(members) do
    ids[i] = id_of(member)
  end
  if #ids > 0 then
    load(ids)
  end
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job and job.k == digest and (job.s == 'parked' or job.g == 1) and not is_given_up(job) then
      return job
    end
  end
end

local holder, later = ticket_holder(digest), later_holder(digest)
if holder and is_given_up(holder) then
  holder = nil
end
local job = holder or runner() or first_parked()
if job then
  return reply_of(job)
end
if later then
  return reply(nil, later, owner, owner_record())
end
local claim = get_all({PREFIX .. 'claim:' .. digest})[1]
local id = claim and claimant(claim)
local claiming = id and find(id)
if claim and (ARGV[4] == '1' or (claiming and not claiming.ea)) then
  if id then
    return reply(claiming, id, nil, nil)
  end
  return reply(nil, '', string.match(claim, '^%S+'), claim)
end
if owner then
  return reply(nil, '', owner, owner_record())
end
return {}
