-- Reservations: they serve due entries of the whole namespace, and then walk the requested queues. Every loop is bounded.

-- @include due-entries.lua
-- @include holder.lua

local SLOTS = 1000

local cut = false
local wanted = 1
local latest_fence = now_us - 1
local idle, reopened = {}, {}
local handed = {}
-- Whether jobs that ended long ago are purged, although jobs are handed out.
local purging = false
-- First due entries, each a member and a time, and the expiry of the first run lease, as they were before this script; nil
-- before they are read.
local first_due, first_expiry

-- Lists a misplaced job where it belongs, unless this script has just put it there.
local function put_right(job)
  if job and not dirty[job.id] then
    index(job)
  end
end

local function read_due()
  local raw, entries = redis.call('ZRANGE', DUE, 0, HEADS_OF_DUE - 1, 'WITHSCORES'), {}
  for i = 1, #raw, 2 do
    entries[#entries + 1] = {raw[i], tonumber(raw[i + 1])}
  end
  return entries
end

local function read_expiry()
  return tonumber(redis.call('ZRANGE', RUNNING, 0, 0, 'WITHSCORES')[2] or math.huge)
end

-- @include reservation/purge.lua
-- @include reservation/due.lua
-- @include reservation/walk.lua

-- Returns whether a request is repeated or late. A repeated request is handed those of its jobs again that it still holds. One
-- that arrives after a later one gets nothing, because its poller does not wait for it. The ids of a process end with a number
-- that grows, after a hyphen.
local function replay(request)
  local last = reservation_of(fields[request.poller])
  if not last or last.r ~= request.id then
    local sender, number = string.match(request.id, '^(.*%-)(%d+)$')
    local last_sender, last_number = string.match(last and last.r or '', '^(.*%-)(%d+)$')
    return sender and sender == last_sender and tonumber(number) < tonumber(last_number)
  end
  local ids = {}
  for id in string.gmatch(last.ids, '%S+') do
    ids[#ids + 1] = id
  end
  load(ids)
  -- The first call may have been cut short, so the worker sends another request.
  cut = #ids == 0
  for _, id in ipairs(ids) do
    local job = jobs[id]
    if job and job.s == 'running' and job.t == request.id then
      local owner = (KEY_LEASE[job.l] and job.kl ~= 1) and (owner_of(job.k) or '') or false
      handed[#handed + 1] = {job, owner}
    end
  end
  return true
end

-- A reservation that hands out nothing is written from time to time, so that the worker stays listed, after an operator has
-- requested the polls, and if the clock was set back. One that was cut short is not, because its repetition has to continue. A
-- repeated request is always written, so that its first copy reserves nothing if it arrives later.
local function remember(request)
  local last = #handed == 0 and not request.again and reservation_of(fields[request.poller])
  local asked = last and tonumber(redis.call('HGET', STATE, ASKED)) or 0
  local recent = last and last.at > now - SEEN_AGAIN and last.at >= asked and last.at <= now
  if #handed == 0 and not request.again and (cut or recent) then
    return
  end
  local ids = {}
  for i, one in ipairs(handed) do
    ids[i] = one[1].id
  end
  if not fields[request.poller] then
    zadd(DUE, now + POLLER_KEPT, request.poller)
  end
  new_fields[request.poller] = reservation_record(now, request.id, request.i, table.concat(ids, ' '))
end

-- Reads the limits from ARGV: mr reclaims that make a failed attempt, followed by a blank and the number of failed attempts
-- that are kept of a job, ha, hs, da, ds largest age (ms) and number of what has ended and of dead letters, fl age (ms) up to
-- which nothing is purged.
local function read_limits(from)
  local limits = {mr = tonumber(string.match(ARGV[from], '^%d+'))}
  for i, name in ipairs({'ha', 'hs', 'da', 'ds', 'fl'}) do
    limits[name] = tonumber(ARGV[from + i])
  end
  return limits
end

-- Reads a request from ARGV: id or '' for none, poller ('w:...'), instance, thread, '1' if it may have been sent before, slots,
-- of which 1000 count, number of queues, name and limit of each, number of names of jobs for which the worker has no handler, and
-- these names. Returns it, and where the next argument is. 'older' is set by settle.lua.
local function read_request(from)
  if ARGV[from] == '' then
    return nil, from + 1
  end
  local request = {id = ARGV[from], poller = ARGV[from + 1], i = ARGV[from + 2], w = ARGV[from + 3],
      again = ARGV[from + 4] == '1', n = math.min(tonumber(ARGV[from + 5]), SLOTS), q = {}, leaves_out = {}, older = {}}
  local at = from + 7
  for i = 1, tonumber(ARGV[from + 6]) do
    request.q[i] = {ARGV[at], tonumber(ARGV[at + 1])}
    at = at + 2
  end
  for i = at + 1, at + tonumber(ARGV[at]) do
    request.leaves_out[ARGV[i]] = true
  end
  return request, at + 1 + tonumber(ARGV[at])
end

local function reserve(request, limits)
  wanted = math.max(request.n, 1)
  if replay(request) then
    return
  end
  serve(limits)
  if #request.q > 0 and request.n > 0 then
    for _, one in ipairs(request.q) do
      if walk(one[1], one[2], request) then
        break
      end
    end
  end
  follow()
  if purging or #handed == 0 then
    purge(limits)
  end
  remember(request)
end

local function names_of(request)
  local names = {}
  for i, one in ipairs(request.q) do
    names[i] = one[1]
  end
  return names
end

-- Returns the time of the next poll, for the next due entry or expired run lease. Pollers, queues and marks to be deleted
-- count only if there are so many of them that the entries after them have not been read.
local function next_poll_at()
  local entries, expiry = first_due, first_expiry
  if not entries or added[DUE] or removed[DUE] then
    entries = read_due()
  end
  -- A worker that received all requested jobs polls again soon, so other ended runs need not be reported.
  if not expiry or expiry <= now or (#handed < wanted and (added[RUNNING] or removed[RUNNING])) then
    expiry = read_expiry()
  end
  for i, entry in ipairs(entries) do
    if i == HEADS_OF_DUE or not string.find(entry[1], '^[wqi]:') then
      return math.min(entry[2], expiry)
    end
  end
  return expiry
end

-- Returns the reply to a reservation, after all writes.
local function reserved()
  local out, conflicts = {}, {}
  for i, one in ipairs(handed) do
    local job, owner = one[1], one[2]
    out[2 * i - 1], out[2 * i] = job.id, record(job)
    if owner then
      local left, holder = '', ''
      if owner ~= '' then
        local ms = lock_ttl(job.k)
        left = (ms >= 0) and text(ms) or ''
        holder = holder_record(owner, find, owner)
      end
      for _, part in ipairs({i - 1, owner, holder, left}) do
        conflicts[#conflicts + 1] = part
      end
    end
  end
  local at = next_poll_at()
  local next = (at < math.huge) and text(math.max(at - now, 0)) or ''
  return {out, conflicts, cut and 1 or 0, idle, next}
end
