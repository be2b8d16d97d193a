-- The runs: their new records, and what they free.

-- The due time in the place, and what follows it.
local DUE_AT = 12
local TICKET_END_AT = 18
-- The beginning of a dead letter up to the size of its head, and what follows the number of failed attempts in a head.
local DEAD_NOW = DEAD_BEGIN .. pack('>I6', now)
local NEW_NUMBERS = '>I4BBBI4'
local NEW_NUMBERS_SIZE = 7
local AFTER_FAILED = 11
-- The part of a run without its key lease, before the fencing token, and the size of that.
local NO_LEASE = '\0'
local FENCE_SIZE = 7
-- The lock strategies, and whether a job takes its ticket back before its retry, or has kept it.
local STRATEGIES = {WE = 'none', UX = 'kept', NO = 'none', UP = 'none', UE = 'taken', UW = 'taken'}
-- The fields of few jobs that the end of a failed run replaces or deletes.
local REPLACED_TEXTS = ' er wr '
local REPLACED_NUMBERS = ' y rn '
-- Number of ends that a record keeps.
local ENDS_KNOWN = 8

local now_text = format('%d%03d', now / 1000, now % 1000)
local ids, seen = {}, {}
for at = ARGUMENTS_AT, #ARGV, ARGUMENTS do
  local id = ARGV[at]
  if seen[id] then
    return {}
  end
  ids[#ids + 1], seen[id] = id, true
end

-- Their locks with the owners, and those that they free. By lock, its owner during the rest of a minimum hold, and that rest in
-- ms. Digests of the tickets that jobs take back, or release as dead letters ('dying', false for the others), and the tickets
-- that are taken back. Entries among the runs, among what is due, and among the dead letters, and new records; of each run its
-- failed attempt. By queue: the number of its runs, and what is added to its retries and to its dead letters.
local freed, rests = {}, {}
local locks, owners, digests, dying, tickets = {}, {}, {}, {}, {}
local runs, due, letters, changed, failures, reply = {}, {}, {}, {}, {}, {}
local queues, queue_of, fields = {}, {}, {}
for i, raw in ipairs(call('HMGET', JOBS, unpack(ids))) do
  local at, id = ARGUMENTS_AT + ARGUMENTS * (i - 1), ids[i]
  local in_state, text_fields, number_fields = 'running', REPLACED_TEXTS, REPLACED_NUMBERS
  local nonce, place_at = ARGV[at + 1]
  if not raw then
    return {}
  end
  -- @insert ../turn/head.lua
  if parts == 2 or g > 0 then
    return {}
  end
  local _, _, _, _, _, _, started, t, instance = read(RAN, raw, size_at)
  local placed, _, e, _, u, definition_size, l, x, k, q, j, _, r, options_at = pcall(read, PLACE_TO_OPTIONS, raw, place_at)
  local definition_ends, hold, options_end = placed and place_at + PLACE_SIZE + SIZE_SIZE + definition_size, 0, options_at
  if placed and options_at < definition_ends then
    placed, hold, _, _, _, _, options_end = pcall(read, OPTIONS, raw, options_at)
  end
  if not placed or t ~= nonce or x == 0 or r > INTEGER or not STRATEGIES[l] or options_end > definition_ends
      or definition_ends > #raw + 1 then
    return {}
  end
  local dies = ARGV[at + 2] == '' or failed + 1 > r
  if STRATEGIES[l] ~= 'none' and (dies or (STRATEGIES[l] == 'taken' and (u == 0 or now < u))) then
    if seen[k] then
      return {}
    end
    digests[#digests + 1], dying[#digests + 1], seen[k] = k, dies and id, true
    if not dies then
      tickets[#tickets + 1], tickets[#tickets + 2] = k, id
    end
  end
  if byte(raw, rare_at - KEY_LEASE_SIZE) == 1 then
    local lock = REGISTRY .. ':' .. k
    locks[#locks + 1], owners[#owners + 1] = lock, 'run:' .. id .. ':' .. nonce
    -- The clock may have run back since the run began, in a fail-over.
    local rest = math.min(started + hold - now, hold)
    if rest > 0 then
      rests[lock] = {owners[#owners] .. ':rest', rest}
    else
      freed[#freed + 1] = lock
    end
  end
  -- @insert queue.lua
  local lasted = math.max(now - started, 0)
  local place
  of.count, of.oldest, runs[#runs + 1] = of.count + 1, math.min(of.oldest, e), id .. ' ' .. q
  if dies then
    of.letters = of.letters or {}
    of.letters[#of.letters + 1], of.letters[#of.letters + 2] = now_text, id
    letters[#letters + 1], letters[#letters + 2] = now_text, id
    place = sub(raw, place_at)
  else
    local retry_at = format('%.0f', math.min(now + tonumber(ARGV[at + 2]), LATEST))
    of.retries[#of.retries + 1], of.retries[#of.retries + 2] = retry_at, id
    due[#due + 1], due[#due + 2] = retry_at, id .. ' ' .. q
    place = sub(raw, place_at, place_at + DUE_AT - 1) .. pack('>I6', tonumber(retry_at)) .. sub(raw, place_at + TICKET_END_AT)
  end

  local ends, number = nonce .. (dies and '=1dead' or '=1retry:' .. format('%.0f', lasted)), 1
  for old in string.gmatch(sub(raw, ends_at + 2, rare_at - KEY_LEASE_SIZE - 1), '%S+') do
    if number < ENDS_KNOWN then
      ends, number = ends .. ' ' .. old, number + 1
    end
  end
  -- A dead letter keeps the reason of its last wait. The quotes of a text in the JSON are escaped, so only a field matches.
  local reason = dies and string.match(sub(raw, rare_at, place_at - 1), '"wr":"(%l+)"') or (not dies and 'failed')
  local rare = '{"er":' .. ARGV[at + 5] .. ((l == 'UP') and ',"rn":1' or '')
      .. (reason and ',"wr":"' .. reason .. '"' or '') .. '}'
  local run = sub(raw, size_at + AFTER_FAILED, ends_at - 1) .. pack('>Hc0', #ends, ends) .. NO_LEASE
      .. sub(raw, rare_at - FENCE_SIZE, rare_at - 1) .. pack('>I4', #rare) .. rare
  changed[2 * i - 1] = id
  changed[2 * i] = (dies and DEAD_NOW or RETRY_BEGIN) .. pack(NEW_NUMBERS, NEW_NUMBERS_SIZE + #run, 3, 0, 0, failed + 1)
      .. run .. place
  failures[i] = {failed + 1, started, #instance, instance}
  reply[4 * i - 3], reply[4 * i - 2], reply[4 * i - 1], reply[4 * i] = j, q, dies and 0 or failed + 1, lasted
end
