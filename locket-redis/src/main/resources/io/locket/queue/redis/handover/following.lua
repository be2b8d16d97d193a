-- Constants of the jobs that follow on keys that are freed.

-- @include ../contention.lua

-- Maximum number of jobs that follow. More are left to settle.lua, and so are those of more queues of a key.
local MOST_FOLLOWERS = 500
-- The head of a parked job that has not run yet, and its size; the beginning of the record of a promoted job, up to its state.
local PARKED_HEAD = '\1\6parked\0\0\0\0\0\0\0\0\0\2\0\0'
local PARKED_HEAD_SIZE = 20
local PROMOTED_BEGIN = '\1\5ready'
