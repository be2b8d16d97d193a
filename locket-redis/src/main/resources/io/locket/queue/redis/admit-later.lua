-- Enqueues one job with a start time, as enqueue.lua does, or refuses a duplicate. It does nothing if its id is known.
--
-- KEYS       state, jobs, absent, see store.lua. Other names are derived, because each declared key costs time
-- ARGV[3]    id
-- ARGV[4]    definition and arguments, see admit.lua
-- ARGV[5]    delay in ms, or ''
-- ARGV[6]    due time in ms, which counts if there is one, or ''
--
-- Reply, repetition and invariant: as of admit-one.lua.

-- @include admit/names.lua

local id, definition = ARGV[3], ARGV[4]
local due = math.min(math.max(tonumber(ARGV[6]) or (now + tonumber(ARGV[5])), now), LATEST)
-- @include admit/single.lua
-- @include admit/delayed.lua
if due > now then
  -- @include admit/later.lua
else
  -- @include admit/ready.lua
end
return {due - now}
