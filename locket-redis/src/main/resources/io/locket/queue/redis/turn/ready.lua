-- Reads a ready job of a queue, 'name', which was removed last at 'removed_at', from its record, 'raw', whose place is at
-- 'place_at'. All jobs of other kinds are left to the general scripts. They set damaged records aside.

local whole, n, e, _, _, size, l, x, k, q, j, c, r, next = pcall(read, READY_REST, raw, place_at)
if not whole or x == 0 or n == 0 or r > INTEGER or q ~= name or e <= removed_at or (left_out and left_out[j]) then
  return {}
end
local definition_ends = place_at + PLACE_SIZE + 4 + size
if next < definition_ends then
  whole, _, _, _, _, _, next = pcall(read, OPTIONS, raw, next)
end
if not whole or definition_ends < next or definition_ends > #raw + 1 then
  return {}
end
local keyed, leased = l ~= 'NO', l == 'WE' or l == 'UX' or l == 'UW'
if #k ~= (keyed and DIGEST_SIZE or 0) or (keyed and not leased and l ~= 'UE') then
  return {}
end
