-- Lists jobs in pages. Writes nothing.
--
-- ARGV[3] state
-- ARGV[4] queue, '' for all of them
-- ARGV[5] job name, '' for any
-- ARGV[6] digest, '' for any
-- ARGV[7] maximum number of jobs of a page
-- ARGV[8] cursor, '' for the first page: '<score> <id>' of the last job that was read; of running jobs, the cursor of the
--         scan and the ids that it has found but not returned
-- ARGV[9] the earliest due time in ms, ARGV[10] that from which on no job is listed, '' for any: of jobs that are
--         scheduled or wait for a retry
--
-- Reply: {cursor or '' after the last page, id, record, id, record...}.
-- Invariant: a job that stays where it is all the time is on one page. A job that waits or has ended has a rank there, which
--            a page begins behind. A running job is renewed and would go on before a page that follows the times of
--            leases, so these are scanned: Redis returns all members that stay, however their scores change.

-- @include ready/read.lua

-- Maximum number of records of a call. More take longer than 5 ms.
local READS = 500
local CHUNK = 100
-- Number of records read at once, and limit on their bytes, so that a page of large records takes no longer.
local READ = 10
local BYTES = 1000000

local state, limit, cursor = ARGV[3], tonumber(ARGV[7]), ARGV[8]
local wanted = {s = state, q = ARGV[4] ~= '' and ARGV[4] or nil, j = ARGV[5] ~= '' and ARGV[5] or nil,
    k = ARGV[6] ~= '' and ARGV[6] or nil}
local page, found, bytes = {}, 0, 0

local function fits(id, raw)
  local job = parse(id, raw)
  if not job then
    return false
  end
  for field, value in pairs(wanted) do
    if job[field] ~= value then
      return false
    end
  end
  return true
end

-- Adds a job if it fits. Returns whether the page is full.
local function add(id, raw)
  if fits(id, raw) then
    page[#page + 1], page[#page + 2] = id, raw
    found = found + 1
    return found == limit
  end
  return false
end

-- Adds the jobs that match. Returns the index of the last one that was checked.
local function read_page(ids)
  local most, at = math.min(#ids, READS), 0
  while at < most and bytes < BYTES do
    for _, raw in ipairs(redis.call('HMGET', JOBS, unpack(ids, at + 1, math.min(at + READ, most)))) do
      at = at + 1
      bytes = bytes + (raw and #raw or 0)
      if add(ids[at], raw) then
        return at
      end
    end
  end
  return at
end

-- Redis orders by bytes; Lua may order as its locale has it.
local function is_less(one, other)
  for i = 1, math.min(#one, #other) do
    local left, right = string.byte(one, i), string.byte(other, i)
    if left ~= right then
      return left < right
    end
  end
  return #one < #other
end

-- Returns the number of members of a set up to and including the given one.
local function rank_behind(key, score, member)
  if tonumber(redis.call('ZSCORE', key, member) or 'nan') == tonumber(score) then
    return redis.call('ZRANK', key, member) + 1
  end
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local there = redis.call('ZRANGE', key, middle, middle)[1]
    if there and is_less(there, member) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- Returns the number of members of a set before a score.
local function rank_of(key, score)
  return redis.call('ZCOUNT', key, '-inf', '(' .. score)
end

-- Fills the page with entries, ids and scores in turn. A function returns those that follow the number of entries which were read,
-- of which the last one is known, too. Returns the cursor of the next page.
local function fill(next_entries)
  local last, read = cursor, 0
  while read < READS and found < limit and bytes < BYTES do
    local raw = next_entries(read, last)
    local ids = {}
    for i = 1, #raw, 2 do
      ids[#ids + 1] = raw[i]
    end
    local at = read_page(ids)
    if at > 0 then
      last = raw[2 * at] .. ' ' .. raw[2 * at - 1]
    end
    if at == #ids and #ids < CHUNK then
      return ''
    end
    read = read + at
  end
  return last
end

local function walk(key, backwards)
  local from, to = 0, math.huge
  if ARGV[9] ~= '' then
    from = rank_of(key, ARGV[9])
  end
  if ARGV[10] ~= '' then
    to = rank_of(key, ARGV[10])
  end
  if cursor ~= '' then
    local score, member = string.match(cursor, '^(%S+) (%S+)$')
    from = math.max(from, rank_behind(key, score, member))
    if backwards then
      local stays = tonumber(redis.call('ZSCORE', key, member) or 'nan') == tonumber(score)
      from = redis.call('ZCARD', key) - from + (stays and 1 or 0)
    end
  end
  return fill(function(read)
    local first = from + read
    local size = math.min(CHUNK, to - first)
    if size <= 0 then
      return {}
    end
    return redis.call('ZRANGE', key, first, first + size - 1, 'WITHSCORES', unpack(backwards and {'REV'} or {}))
  end)
end

-- Walks over the ready jobs of a queue. Their segments have no common ranks, so each read begins behind a place.
local function walk_ready()
  return fill(function(_, last)
    local place, id = string.match(last, '^(%S+) (%S+)$')
    local entries, behind = read_ready(ARGV[4], place or '-inf', CHUNK + 1), {}
    for i = 1, #entries, 2 do
      if #behind < 2 * CHUNK and not (entries[i + 1] == place and not is_less(id, entries[i])) then
        behind[#behind + 1], behind[#behind + 2] = entries[i], entries[i + 1]
      end
    end
    return behind
  end)
end

local function scan()
  local at, left = string.match(cursor, '^(%d+) ?(.*)$')
  local ids = {}
  for id in string.gmatch(left or '', '%S+') do
    ids[#ids + 1] = id
  end
  local read = 0
  while true do
    local checked = read_page(ids)
    read = read + checked
    if checked < #ids then
      return (at or '0') .. ' ' .. table.concat(ids, ' ', checked + 1)
    end
    if at == '0' then
      return ''
    end
    if read >= READS or found >= limit or bytes >= BYTES then
      return at or ''
    end
    local reply = redis.call('ZSCAN', RUNNING, at or '0', 'COUNT', math.min(CHUNK, limit - found))
    at, ids = reply[1], {}
    for i = 1, #reply[2], 2 do
      ids[#ids + 1] = indexed_id(reply[2][i])
    end
  end
end

local next
if state == 'running' then
  next = scan()
elseif state == 'ready' then
  next = walk_ready()
elseif WAITING[state] then
  next = walk(PREFIX .. state .. ':' .. ARGV[4], false)
else
  next = walk(state == 'dead' and (ARGV[4] ~= '' and PREFIX .. 'dead:' .. ARGV[4] or DEAD) or ENDED, true)
end
table.insert(page, 1, next)
return page
