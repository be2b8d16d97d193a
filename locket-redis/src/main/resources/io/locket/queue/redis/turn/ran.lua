-- Reads the head of a job that has run, and is in the state 'in_state', from its record, 'raw': its parts, the number of failed
-- attempts, and where the size of the head ('size_at'), the ends of its runs, the fields of few jobs and its place ('place_at')
-- begin. Other heads are left to the general scripts: those of jobs that were cancelled, reclaimed, moved or deferred, or have
-- progress or a later field.

local size_at = SIZE_AT_LEAST + #in_state
local whole, size, parts, g, cx, failed, reclaims, _, _, _, _, ends_at = pcall(read, RAN, raw, size_at)
if not whole or sub(raw, 1, size_at - 1) ~= RAN_VERSION .. string.char(#in_state) .. in_state .. NOT_ENDED or parts % 2 == 0
    or g + cx + reclaims > 0 then
  return {}
end
place_at = size_at + SIZE_SIZE + size
local rare_at
whole, _, _, _, rare_at = pcall(read, RAN_ENDS, raw, ends_at)
if not whole or rare_at > place_at or (rare_at < place_at and (parts ~= 3 or failed == 0)) then
  return {}
end
if rare_at < place_at then
  -- The last error, and the reason of the last wait. JSON is not decoded, because that costs more. It is whole if the error has no
  -- quote, backslash or control character but those of escapes. A job with a claim also has the number 1, which no text contains
  -- with these quotes.
  local json, after
  whole, json, after = pcall(read, '>I4c0', raw, rare_at)
  if whole and string.find(json, '"rn":1', 1, true) then
    json = string.gsub(string.gsub(json, '^{"rn":1,', '{'), ',"rn":1', '', 1)
  end
  local problem = whole and after == place_at
      and (string.match(json, '^{"er":"(.*)","wr":"failed"}$') or string.match(json, '^{"wr":"failed","er":"(.*)"}$'))
  if problem and string.find(problem, '\\', 1, true) then
    problem = string.gsub(string.gsub(string.gsub(problem, '\\\\', ''), '\\u%x%x%x%x', ''), '\\["/bfnrt]', '')
  end
  if not problem or string.find(problem, '["\\%c]') then
    return {}
  end
end
