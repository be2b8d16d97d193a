-- Finds that a job has the ticket which another one needs, by its record, 'held', and its state. Ends the script with {} if it
-- needs more than the record to know this. Nothing is written.

local whole, held_place, e, held_due, u, held_size, strategy, _, digest, name, _, _, held_retries, held_options =
    pcall(read, PLACE_TO_OPTIONS, held, place_at)
local held_body = whole and place_at + PLACE_SIZE + SIZE_SIZE + held_size
if not whole or held_options > held_body or held_body > #held + 1 or held_retries > INTEGER
    or ((state == 'scheduled') and held_due or held_place) == 0 then
  return {}
end
if parts > 1 or ended_or_promoted > 0 or digest ~= ticket or name ~= q or e <= removed_at or (u > 0 and now >= u)
    or not (strategy == 'UX' or strategy == 'UE' or strategy == 'UW')
    or not (state == 'ready' or state == 'scheduled' or state == 'parked' or (state == 'running' and strategy == 'UX')) then
  return {}
end
