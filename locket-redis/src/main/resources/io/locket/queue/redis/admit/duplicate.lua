-- Refuses a job whose ticket another one has, 'holder'. Ends the script with the id and the state of that, or with {} if it needs
-- more than its record to know that it holds the ticket. Nothing is written.

-- The place of a job, and its definition up to the name of its queue.
local HOLDER = '>I6I6I6I6I4c2I5Bc0Bc0'
local FRESH_PLACE_AT = 2

local held, state, place_at, parts = call('HGET', JOBS, holder), 'ready', FRESH_PLACE_AT, 0
if held and sub(held, 1, 1) ~= FRESH then
  local whole, _, s, ended_at, head_size, with, g, at = pcall(read, HEAD, held)
  if byte(held) ~= VERSION or not whole or ended_at + g > 0 then
    return {}
  end
  state, place_at, parts = s, at - PLAIN_HEAD + head_size, with
end
local whole, _, e, _, u, _, strategy, _, digest, name = pcall(read, HOLDER, held or '', place_at)
if not whole or parts > 1 or digest ~= ticket or name ~= q or e <= removed_at or (u > 0 and now >= u)
    or not (strategy == 'UX' or strategy == 'UE' or strategy == 'UW')
    or not (state == 'ready' or state == 'scheduled' or state == 'parked' or (state == 'running' and strategy == 'UX')) then
  return {}
end
return {holder, state}
