-- An idle reservation that ends no run. Ends the script with {} if the poll is to be recorded, which is left to reserve.lua,
-- and purges what has been too old or too many for a while, see purge.lua.

-- Time for which records are too old or too many before an idle reservation purges them, in ms. So one purge removes many.
local PURGED_AFTER = 30000

-- The poll is recorded, so that the worker stays listed, or because an operator lists the workers, see request-polls.lua.
if polled_at <= now - SEEN_AGAIN or polled_at < (tonumber(call('HGET', STATE, ASKED)) or 0) then
  return {}
end
-- Largest age and number of what has ended, largest age and number of dead letters, and the age up to which nothing is purged.
local limit = {string.match(ARGV[3], '(%d+) (%d+) (%d+) (%d+) (%d+)')}
for i, set in ipairs({ended_set, PREFIX .. 'dead'}) do
  -- The time at which the first surplus one ended. Since then there are too many.
  local added_at = call('ZRANGE', set, limit[2 * i], limit[2 * i], 'WITHSCORES')[2]
  local too_many = added_at and tonumber(added_at) <= now - PURGED_AFTER
  local age = too_many and limit[5] or math.max(limit[2 * i - 1], limit[5])
  purging = purging or call('ZCOUNT', set, '-inf', format('%.0f', now - PURGED_AFTER - age)) > 0
end
