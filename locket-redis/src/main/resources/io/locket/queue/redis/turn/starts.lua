-- Jobs that are handed out, if the locks of their keys are free.

-- @include fresh.lua

-- By job: its id, its place and definition, and whether it has a key lease; if its record has a head, what it keeps of that. Two
-- by job: the end of its leases, and its member among the runs.
local handed_ids, handed_rests, handed = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}, 0
local has_key_lease, leases = {nil, nil, nil, nil, nil, nil, nil, nil}, {nil, nil, nil, nil, nil, nil, nil, nil}
local heads, lease, lease_end
local from, freed = ends, lock_count
-- Locks that are taken, if there may be several: true.
local seen = (taken > 1) and {} or nil
for i = 1, requested do
  local count, name, removed_at = of_queue[10 * i - TAKEN] or 0, names[i], of_queue[10 * i - REMOVED]
  for place = 1, count do
    local id, raw, place_at = ready[i][place], raws[from + place], FRESH_PLACE_AT
    if not raw then
      return {}
    elseif byte(raw) ~= FRESH then
      local in_state = 'ready'
      -- @insert kept.lua
      if g > 0 then
        return {}
      end
      heads = heads or {}
      heads[handed + 1] = kept
    end
    -- @include ready.lua
    if leased then
      local lock = REGISTRY .. ':' .. k
      if seen and seen[lock] then
        return {}
      elseif seen then
        seen[lock] = true
      end
      lock_count = lock_count + 1
      locks[lock_count], owners[lock_count] = lock, false
    end
    if l == 'UE' or l == 'UW' then
      tickets, holders = tickets or {}, holders or {}
      tickets[#tickets + 1], holders[#holders + 1] = k, id
    end
    if x ~= lease then
      lease, lease_end = x, format('%d%03d', (now + x) / 1000, (now + x) % 1000)
    end
    handed = handed + 1
    handed_ids[handed], handed_rests[handed], has_key_lease[handed] = id, sub(raw, place_at), leased
    leases[2 * handed - 1], leases[2 * handed] = lease_end, id .. ' ' .. q
  end
  from = from + math.min(ready[i] and #ready[i] or 0, slots)
end
