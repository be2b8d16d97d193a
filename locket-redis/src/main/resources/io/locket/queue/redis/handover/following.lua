-- Constants of keys that jobs wait for, and of the jobs that follow on them.

-- Mark of a lock that has waiters, see acquire.lua.
local WAITER = ' w'
-- Maximum number of queues with jobs that are parked on a key, and of all jobs that follow. More are left to settle.lua.
local MOST_QUEUES_OF_KEY = 16
local MOST_FOLLOWERS = 500
-- Time after which a key is checked again whose jobs were promoted and have not run yet, in ms.
local PROMOTED_LOOK = 10000
-- The head of a parked job that has not run yet, and its size; the beginning of the record of a promoted job, up to its state.
local PARKED_HEAD = '\1\6parked\0\0\0\0\0\0\0\0\0\2\0\0'
local PARKED_HEAD_SIZE = 20
local PROMOTED_BEGIN = '\1\5ready'
