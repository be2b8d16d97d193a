-- Reads a ready job of a queue, 'name', which was removed last at 'removed_at', from its record, 'raw', whose place is at
-- 'place_at'. All jobs of other kinds are left to the general scripts. They set damaged records aside.

local definition_at = place_at + PLACE_SIZE
local digest_at = definition_at + BEFORE_DIGEST
local n, e, k
-- The definitions of most jobs of a call differ only in the digests of their keys.
if usual and sub(raw, definition_at, digest_at - 1) == usual
    and sub(raw, digest_at + digest_size, definition_at + definition_size - 1) == usual_rest then
  n, e = read(PLACED, raw, place_at)
  k = sub(raw, digest_at, digest_at + digest_size - 1)
else
  local whole, r, options_at, next, _
  whole, n, e, _, _, definition_size, l, x, k, q, j, c, r, options_at = pcall(read, PLACE_TO_OPTIONS, raw, place_at)
  if not whole or x == 0 or r > INTEGER then
    return {}
  end
  definition_size, next = definition_size + SIZE_SIZE, options_at
  if options_at < definition_at + definition_size then
    whole, _, _, _, _, _, next = pcall(read, OPTIONS, raw, options_at)
  end
  if not whole or definition_at + definition_size < next or definition_at + definition_size > #raw + 1 then
    return {}
  end
  keyed, leased = l ~= 'NO', l == 'WE' or l == 'UX' or l == 'UW'
  digest_size = keyed and DIGEST_SIZE or 0
  if #k ~= digest_size or (keyed and not leased and l ~= 'UE' and l ~= 'UP') then
    return {}
  end
  usual = (most > 2 and c == '' and next == options_at) and sub(raw, definition_at, digest_at - 1) or nil
  usual_rest = usual and sub(raw, digest_at + digest_size, definition_at + definition_size - 1)
end
if n == 0 or q ~= name or e <= removed_at or (left_out and left_out[j]) then
  return {}
end
