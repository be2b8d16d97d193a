-- Constants of contended keys, on which jobs are parked.

-- Mark of a lock that has waiters, see acquire.lua.
local WAITER = ' w'
-- Period in which a foreign lock with parked jobs is checked, in ms.
local FOREIGN_CHECK = 1000
-- Time after which a key is checked again whose parked jobs were promoted and have not run yet, in ms.
local PROMOTED_CHECK = 10000
-- Maximum number of queues whose first parked jobs on a key are promoted at once.
local MOST_QUEUES_OF_KEY = 16
-- Maximum number of parked jobs of a key that have left, as by the removal of their queue, which one check passes.
local MOST_PASSED = 32
-- Number of jobs beyond those that are handed out which one call examines in a queue.
local CHECKS = 10
