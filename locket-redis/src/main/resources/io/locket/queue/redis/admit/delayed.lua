-- The number of delayed jobs of a queue, which must be readable.

-- Format of a counter of a queue. Bytes at which the number of accepted jobs and the one behind it begin, and the number of
-- delayed jobs, the ninth counter, and the one behind it.
local COUNTER = '>i7'
local ACCEPTED_FROM = 10
local READY_FROM = 17
local DELAYED_FROM = 59
local PARKED_FROM = 66

local delayed = (numbers > 8) and read(COUNTER, raw, DELAYED_FROM)
if not delayed or delayed < LOWEST or delayed > HIGHEST then
  return {}
end
