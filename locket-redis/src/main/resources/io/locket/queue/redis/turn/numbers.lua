-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted,
-- scheduled, parked, retry. Bytes at which some of them begin, and those that follow the last one. Range of the counters, beyond
-- which they are damaged.

local NUMBERS = '>i7i7i7i7i7i7i7i7i7i7i7'
local MOST_NUMBERS = 11
local NUMBER = '>i7'
local NUMBERS_FROM = 3
local ACCEPTED_FROM = 10
local READY_FROM = 17
local RUNNING_FROM = 24
local DELAYED_FROM = 59
local PARKED_FROM = 66
local RETRY_FROM = 73
local OTHERS_FROM = 80
local LOWEST = -1e13
local HIGHEST = 1e14
