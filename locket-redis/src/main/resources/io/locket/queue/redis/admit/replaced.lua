-- The new record of a waiting job that is replaced, from its record, 'held': its place with the due time and the end of its
-- ticket, and the JSON with the SHA-1 of the arguments that it came with. The new definition takes the place of the old one,
-- which may differ only in the readable key and the trace context. Other jobs are left to enqueue.lua, such as those that have
-- run.

-- Size of the options before the readable key, and these bytes if there are no options.
local FIXED_OPTIONS = 16
local NO_OPTIONS = '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'

local whole, n, e, d, u, held_size, _, _, _, _, job, _, _, held_options = pcall(read, PLACE_TO_OPTIONS, held, place_at)
if not whole or ended_or_promoted > 0 or e <= removed_at or (u > 0 and now >= u)
    or not ((state == 'ready' and n > 0) or (state == 'scheduled' and d > 0)) then
  return {}
end
local held_definition = place_at + PLACE_SIZE
local held_body = held_definition + SIZE_SIZE + held_size
if held_options > held_body or held_body > #held + 1
    or sub(held, held_definition + SIZE_SIZE, held_options - 1) ~= sub(definition, 1 + SIZE_SIZE, options - 1) then
  return {}
end
local fixed, held_fixed = NO_OPTIONS, NO_OPTIONS
if options < size + 5 then
  fixed = sub(definition, options, options + FIXED_OPTIONS - 1)
end
if held_options < held_body then
  local whole_options, _, _, _, _, _, options_end = pcall(read, OPTIONS, held, held_options)
  if not whole_options or options_end ~= held_body then
    return {}
  end
  held_fixed = sub(held, held_options, held_options + FIXED_OPTIONS - 1)
end
if fixed ~= held_fixed then
  return {}
end
local json = '{"rp":"' .. redis.sha1hex(sub(held, held_body)) .. '"}'
local parts_end = (place_at == FRESH_PLACE_AT) and place_at or SIZE_AT_LEAST + #state + SIZE_SIZE + PLAIN_HEAD
if parts == 2 and place_at == parts_end + SIZE_SIZE + #json then
  local json_size = pack('>I4', #json)
  json = sub(held, parts_end + SIZE_SIZE, place_at - 1)
  if sub(held, parts_end, parts_end + SIZE_SIZE - 1) ~= json_size or not string.find(json, '^{"rp":"%x+"}$') then
    return {}
  end
elseif parts > 0 or place_at ~= parts_end then
  return {}
end
-- Names the call, as call_of in entry.lua does.
local call_name = redis.sha1hex(job .. '\n' .. sub(definition, 1 + SIZE_SIZE + size))
if state == 'scheduled' then
  d = math.min(due, (ARGV[7] ~= '') and e + ARGV[7] or due)
  u = (u > 0 and uf > 0) and math.min(math.max(d, now) + uf, LATEST) or u
end
