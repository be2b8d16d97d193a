-- Finds the state of a job that has made a claim, by its record, 'held'. Ends the script with {} if it needs more than the
-- record to know that the claim still counts: that of a job which waits in a removed queue does not.

local whole, _, e, _, _, _, _, _, _, name = pcall(read, PLACE_TO_QUEUE, held, place_at)
if not whole or (ended_or_promoted == 0 and state ~= 'running' and (parts > 1 or name ~= q or e <= removed_at)) then
  return {}
end
