-- Ends the script with {} if the record of a job that has made a claim, 'held', does not show that the claim still counts. The
-- claim of a job which waits in a removed queue does not.

local whole, _, e, _, _, _, _, _, _, name = pcall(read, PLACE_TO_QUEUE, held, place_at)
if not whole or (ended_or_promoted == 0 and state ~= 'running' and (parts > 1 or name ~= q or e <= removed_at)) then
  return {}
end
