-- Reads the head of a job from its record, 'raw', which has one, if the job is in the state 'in_state': its parts, and if it
-- has run, the number of failed attempts ('failed') and where the ends of its runs begin ('ends_at'). Also where the size of
-- the head ('size_at'), the fields of few jobs ('rare_at') and the place ('place_at') begin. Of the fields of few jobs it
-- accepts those in 'text_fields' and 'number_fields', each between two blanks. Other heads are left to the general scripts:
-- those of jobs that were cancelled or reclaimed, or have other fields. The inserting step declares 'place_at', and decides on
-- jobs that are listed among the parked of their key ('g').

local size_at = SIZE_AT_LEAST + #in_state
local whole, size, parts, g = pcall(read, HEAD_SIZE, raw, size_at)
if not whole or sub(raw, 1, size_at - 1) ~= HEAD_VERSION .. string.char(#in_state) .. in_state .. NOT_ENDED or parts < 1
    or parts > 3 then
  return {}
end
place_at = size_at + SIZE_SIZE + size
local rare_at = size_at + SIZE_SIZE + PLAIN_HEAD
local failed, ends_at
if parts ~= 2 then
  local cx, reclaims, _
  whole, _, _, _, cx, failed, reclaims, _, _, _, _, ends_at = pcall(read, RAN, raw, size_at)
  if not whole or cx + reclaims > 0 or failed > INTEGER then
    return {}
  end
  whole, _, _, _, rare_at = pcall(read, RAN_ENDS, raw, ends_at)
  if not whole then
    return {}
  end
end
if parts == 1 and rare_at ~= place_at then
  return {}
elseif parts > 1 then
  -- JSON is not decoded, because that costs more. It is whole if it has only fields once the escapes of its texts are removed,
  -- and then the texts. JSON that a script has written has no control characters, so these stand for texts and fields.
  local json, after
  whole, json, after = pcall(read, '>I4c0', raw, rare_at)
  if not whole or after ~= place_at then
    return {}
  end
  if string.find(json, '\\', 1, true) then
    json = string.gsub(string.gsub(string.gsub(json, '\\\\', ''), '\\u%x%x%x%x', ''), '\\["/bfnrt]', '')
  end
  if string.find(json, '%c') then
    return {}
  end
  json = string.gsub(json, ':"[^"\\]*"', ':' .. ANY_TEXT)
  for field, value in string.gmatch(json, FIELD) do
    local known = (value == ANY_TEXT) and text_fields or string.find(value, NUMBER_OF_FIELD) and number_fields or ''
    if not string.find(known, ' ' .. field .. ' ', 1, true) or #value > LONGEST_NUMBER then
      return {}
    end
  end
  if string.gsub(string.gsub(json, FIELD, ANY_FIELD), ANY_FIELD .. ',', '') ~= '{' .. ANY_FIELD .. '}' then
    return {}
  end
end
