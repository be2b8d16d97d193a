-- Serves what is due, and hands out jobs with their leases taken.
--
-- ARGV[3] limits as JSON: mr reclaims that make a failed attempt, ha, hs, da, ds largest age (ms) and number of what has
--         ended and of dead letters, fl age (ms) up to which nothing is forgotten
-- ARGV[4] request as JSON, see work.lua
--
-- Reply: {{jobs, cut short 1 or 0, idle queues, ms until something is due or ''}, events}; a job is {id, record, token,
-- fence, 1 if it has a key lease, owner of its key, holder record, ms left, 1 if it is to fail for that owner}.
-- Repetition: with the same request id it answers with those of its jobs that are still its own, and does nothing.
-- Invariant: a job that is handed out is running, with a run lease, and with a key lease if its strategy has one.

local limits, request = cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
load_state(names_of(request), request.lane)
reserve(request, limits)
write()
return {reserved(), events}
