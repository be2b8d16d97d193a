-- A definition: the key of its ticket, or false if it takes none, its queue, and the time at which its period ends, or 0. The
-- period of a ticket or claim begins when the job is due, at 'due'.

local size, l, _, k, q, _, _, _, options = read(DEFINITION, definition)
local ticket = (l == 'UE' or l == 'UX' or l == 'UW') and k
if not ticket and l ~= 'WE' and l ~= 'NO' and l ~= 'UP' then
  return {}
end
local uf = ((ticket or l == 'UP') and options < size + 5) and read(PERIOD, definition, options + PERIOD_AT) or 0
local period_end = (uf > 0) and math.min(due + uf, LATEST) or 0
