-- The number of delayed jobs of a queue, which must be readable.

local delayed = (numbers > 8) and read(COUNTER, raw, DELAYED_FROM)
if not delayed or delayed < LOWEST or delayed > HIGHEST then
  return {}
end
