-- Ends successful runs, hands their keys over to the jobs that are parked on them, hands out the next jobs, and parks jobs whose
-- keys are held. It does what settle.lua and reserve.lua do in these cases, and nothing in all others. turn.lua serves calls in
-- which no key is contended, with fewer commands.
--
-- KEYS, ARGV as of turn.lua
--
-- Reply: {} if nothing was done, and settle.lua or reserve.lua is to be called instead. Else: {reply as of turn.lua, whose first
--        number is also 1 if jobs remain to be examined; events: 'parked' or 'promoted', queue and name of jobs, separated by
--        blanks, then the id of each of these jobs, and so on}. A list for each event, as in store.lua, costs much more.
-- Repetition: a request and an end that are known are left to settle.lua.
-- Invariant: as of settle.lua. If there is a request, nothing is due but delayed jobs and retries, and no run lease has expired.
--            Once due jobs are ready, nothing is read after the first write but what is due next. Each job that is parked, or
--            promoted and not running, is listed for its key, and the key is among the due entries. The lock of a run or direct
--            call that holds the key has the mark of a waiter, unless the first of these jobs in each queue is ready.
--
-- The steps of turn.lua that do not depend on locks are the same.

-- @include layout.lua
-- @include ready/segment.lua
-- @include turn/names.lua

-- Steps that read. Each of them ends the script with {} if it finds something else than plain work or contended keys.
-- @include turn/request.lua
-- @include turn/due.lua
-- @include turn/summary.lua
local raws = (ends > 0) and call('HMGET', JOBS, unpack(ids)) or ids
-- @include turn/ends.lua
-- @include handover/followers.lua
-- @include turn/counters.lua
-- @include handover/parked.lua
-- @include handover/walk.lua
-- @include handover/keys.lua
-- @include handover/moves.lua
-- @include turn/tokens.lua
-- @include turn/changes.lua
-- @include turn/purge.lua

-- Steps that write, and complete the reply.
-- @include turn/writes.lua
-- @include handover/writes.lua
-- @include turn/next.lua

if cut then
  reply[1] = 1
end
return {reply, events}
