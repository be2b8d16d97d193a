-- Serves what is due, and hands out jobs with their leases taken.
--
-- ARGV[3..8] limits, see read_limits in reservation.lua
-- ARGV[9..]  request, see read_request in reservation.lua
--
-- Reply: {{jobs, conflicts, cut short 1 or 0, idle queues, ms until something is due or ''}, events}; jobs are id and record
-- of each, conflicts the index of a job that is to fail since its key is held, the owner of that, its holder record, and ms left
-- or ''.
-- Repetition: the last recorded request of a poller returns those of its jobs that it still holds, and changes nothing. Each
-- request that hands out jobs is recorded. One that is not recorded is served again, unless a later one is recorded.
-- Invariant: a job that is handed out is running, with a run lease, and with a key lease if its strategy has one, unless the job
-- is to fail because its key is held.

local limits, request = read_limits(3), read_request(9)
load_state(names_of(request), request.poller)
reserve(request, limits)
write()
return {reserved(), events}
