-- Ends successful runs of workers, and hands out the next jobs whose keys are free. It does what settle.lua and reserve.lua do
-- in these cases, and nothing in all others. A call serves one or more turns. A turn is what one worker thread ends and
-- requests. All turns of a call are one reservation, with the poller of the first turn.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    limits of the history and of dead letters, see read_limits in reservation.lua, without the first one; then '1' if each
--            freed key is published, or '0' if none is while the server has no subscriber by a pattern; separated by blanks
-- ARGV[4]    request, or '' for none: number of turns (2), number of queues (4), size of the texts of the reservation (2), these
--            texts (2 + text each): id of the request, instance; poller ('w:...', 2 + text), name (2 + text) and limit (4) of each
--            queue, number of names of jobs for which the worker has no handler (4), these names (2 + text each), then of each
--            turn the number of slots (4), 0 only in a single turn, and the texts of its runs that follow those of the
--            reservation (2 + text): thread, ''
-- ARGV[5]    runs that end, or '' for none: number of groups (2), number of runs (2). Then of each group: beginning of the
--            records of its runs, up to their key leases (2 + text), nonce of its runs (2 + text), number of queues (2), and of
--            each queue its name (1 + text), the number of its runs (2), the earliest time at which one of their jobs was
--            enqueued (6) and their minimum hold in ms (5). Runs of a queue with different minimum holds are as those of several
--            queues. The caller has the beginning from the records that were handed out, and names only runs that have stored no
--            progress
-- ARGV[6..]  ids of the runs in the order of their groups and queues, each once; names of the locks of their keys, '' for a run
--            without key lease; if one of them has a ticket until it ends, the digests of their keys, '' for a run without one
--
-- Reply: {} if nothing was done, and handover.lua, settle.lua or reserve.lua is to be called instead. Else: 1 if more is to be
--        purged, the time until something is due (at the most) or -1, the time in ms, the number of idle queues and their names,
--        then id and record of each job that is handed out. The turns get the jobs in their order, each as many as it has slots.
-- Repetition: a request and an end that are known, and a request that is older than the known one, are left to settle.lua.
-- Invariant: as of settle.lua. If there is a request, nothing is due but delayed jobs and retries, and no run lease has expired.
--            No lock that is released has the mark of a waiter. Once due jobs are ready, nothing is read after the first write
--            but what is due next.
--
-- Redis builds the functions and tables of a script anew in each call, and these cost more than the commands. So this script
-- is one sequence of steps, without functions. Tables have room for some values from the beginning, because a table that
-- grows is built again. Numbers are passed to commands as texts, because Redis prints numbers with all their digits. The
-- caller knows the runs that it ends, so their records are only compared.

-- @include layout.lua
-- @include turn/names.lua

-- Marks of locks, and new numbers of parked jobs by queue. Only handover.lua sets them.
local marks, parked_of

-- Steps that read. Each of them ends the script with {} if it finds something else than plain work.
-- @include turn/request.lua
-- @include turn/due.lua
-- @include turn/summary.lua
-- @include turn/records.lua
-- @include turn/ends.lua
-- @include turn/counters.lua
-- @include turn/queues.lua
-- @include turn/starts.lua
-- @include turn/locks.lua
-- @include turn/tokens.lua
-- @include turn/changes.lua
-- @include turn/purge.lua

-- Steps that write, and complete the reply.
-- @include turn/writes.lua
-- @include turn/next.lua

return reply
