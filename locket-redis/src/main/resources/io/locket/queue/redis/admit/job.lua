-- A definition: the key of its ticket, or false if it takes none, its queue, and the time at which its ticket ends, or 0.
-- The period of the ticket begins when the job is due, at 'due'.

local size, l, _, k, q, _, _, _, options = read(DEFINITION, definition)
local ticket = (l == 'UE' or l == 'UX' or l == 'UW') and k
if not ticket and l ~= 'WE' and l ~= 'NO' then
  return {}
end
local uf = (ticket and options < size + 5) and read(PERIOD, definition, options + PERIOD_AT) or 0
local ticket_end = (uf > 0) and math.min(due + uf, LAST) or 0
