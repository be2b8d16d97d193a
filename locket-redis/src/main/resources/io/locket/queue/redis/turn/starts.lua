-- Jobs that are handed out, if the locks of their keys are free.

-- The head of a ready job that has not run yet, which is always the same; its place and definition; and where these begin.
local READY_HEAD = '\1\5ready\0\0\0\0\0\0\0\0\0\2\0\0'
local READY_HEAD_SIZE = 19
local READY_REST_AT = 20
local READY_REST = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4I5I5I6I4c0I4c0'
local READY_DEFINITION_AT = 44
local DIGEST_SIZE = 64
-- Largest number of retries.
local INTEGER = 2147483647

-- By job: its id and its record until now; the time for which it has a key lease, or false. Two by job: the end of its run
-- lease, and its member there.
local handed_ids, handed_raws, handed = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}, 0
local lease_times, leases = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
local lease, lease_end
local from, freed = ends, lock_count
-- Locks that are taken, if there may be several: true.
local seen = (taken > 1) and {} or nil
for i = 1, asked do
  local count, name, removed_at = of_queue[5 * i - TAKEN] or 0, names[i], of_queue[5 * i - REMOVED]
  for place = 1, count do
    local id, raw = ready[i][place], raws[from + place]
    if not raw or sub(raw, 1, READY_HEAD_SIZE) ~= READY_HEAD then
      return {}
    end
    local whole, n, e, _, _, size, l, x, k, q, j, _, r, _, _, _, _, _, next = pcall(read, READY_REST, raw, READY_REST_AT)
    if not whole or x == 0 or n == 0 or r > INTEGER or q ~= name or e <= removed_at or (left_out and left_out[j]) then
      return {}
    end
    -- A damaged record is left to the scripts that set it aside.
    local definition_ends = READY_DEFINITION_AT + 4 + size
    if definition_ends < next or definition_ends > #raw + 1 then
      return {}
    end
    local keyed, leased = l ~= 'NO', l == 'WE' or l == 'UX' or l == 'UW'
    if #k ~= (keyed and DIGEST_SIZE or 0) then
      return {}
    elseif leased then
      local lock = REGISTRY .. ':' .. k
      if seen and seen[lock] then
        return {}
      elseif seen then
        seen[lock] = true
      end
      lock_count = lock_count + 1
      locks[lock_count], owners[lock_count] = lock, false
    elseif keyed and l ~= 'UE' then
      return {}
    end
    if l == 'UE' or l == 'UW' then
      tickets, holders = tickets or {}, holders or {}
      tickets[#tickets + 1], holders[#holders + 1] = sub(k, -32), id
    end
    if x ~= lease then
      lease, lease_end = x, format('%d%03d', (now + x) / 1000, (now + x) % 1000)
    end
    handed = handed + 1
    handed_ids[handed], handed_raws[handed], lease_times[handed] = id, raw, leased and x
    leases[2 * handed - 1], leases[2 * handed] = lease_end, id .. ' ' .. q
  end
  from = from + math.min(ready[i] and #ready[i] or 0, slots)
end
