-- Constants of the jobs that follow on keys that are freed.

-- @include ../contention.lua

-- Maximum number of jobs that follow. More are left to settle.lua, and so are those of more queues of a key.
local MOST_FOLLOWERS = 500
