-- Finds that a job has the ticket which another one needs, by its record, 'held', and its state. Ends the script with {} if it
-- needs more than the record to know this. Nothing is written.

local whole, _, e, _, u, _, strategy, _, digest, name = pcall(read, PLACE_TO_QUEUE, held, place_at)
if not whole or parts > 1 or ended_or_promoted > 0 or digest ~= ticket or name ~= q or e <= removed_at or (u > 0 and now >= u)
    or not (strategy == 'UX' or strategy == 'UE' or strategy == 'UW')
    or not (state == 'ready' or state == 'scheduled' or state == 'parked' or (state == 'running' and strategy == 'UX')) then
  return {}
end
