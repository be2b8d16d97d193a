-- Reads the head of a record, 'held', of a job that has a ticket or claim: its state, its parts, whether it has ended or is
-- promoted (numbers above 0), and where its place begins. Ends the script with {} if the head is damaged or of another version.

local state, parts, ended_or_promoted, place_at = 'ready', 0, 0, FRESH_PLACE_AT
if sub(held, 1, 1) ~= FRESH then
  local whole, written_by, s, ended_at, head_size, with, g, at = pcall(read, HEAD, held)
  if not whole or written_by ~= VERSION then
    return {}
  end
  state, parts, ended_or_promoted, place_at = s, with, ended_at + g, at - PLAIN_HEAD + head_size
end
