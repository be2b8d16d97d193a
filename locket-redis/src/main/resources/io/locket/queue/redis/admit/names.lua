-- Short names of keys and functions, and what the records and counters of new jobs are made of.

-- @include ../layout.lua
-- @include ../ready/segment.lua

local STATE = KEYS[1]
local JOBS = KEYS[2]
local PREFIX = ARGV[1]

-- The first byte of the record of a ready job that has not run yet. Format of the period for which a job is unique, and its
-- offset in the options.
local FRESH = string.char(WITHOUT_HEAD + VERSION)
local PERIOD = '>I6'
local PERIOD_AT = 10
-- The first counters of a queue, see counters.lua: seq, accepted, ready, running, succeeded, removed_at, paused, unlisted. The
-- first three change, and other counters follow them at this byte.
local COUNTERS = '>i7i7i7i7i7i7i7i7'
local CHANGED_COUNTERS = '>i7i7i7'
local COUNTERS_FROM = 3
local OTHER_COUNTERS_FROM = 24
-- Format of a counter of a queue. Bytes at which the number of accepted jobs and the one behind it begin, and the number of
-- delayed jobs, the ninth counter, and the one behind it.
local COUNTER = '>i7'
local ACCEPTED_FROM = 10
local READY_FROM = 17
local DELAYED_FROM = 59
local PARKED_FROM = 66
-- Range of the counters. Others are damaged.
local LOWEST = -1e13
local HIGHEST = 1e14
-- From here on, '%d' may not print a number.
local LARGE = 2147483648
-- A field that is longer than those which Redis stores in the compact form of a small hash. It is written and deleted for one
-- of SPREAD_EVERY jobs of a queue, and for a bulk with delayed jobs. Each access to the compact form walks all tickets. The long
-- field ends that until the last ticket is deleted.
local LONG_FIELD = '-----------------------------------------------------------------'
local SPREAD_EVERY = 64

local call, format = redis.call, string.format
local read, pack, sub, byte = struct.unpack, struct.pack, string.sub, string.byte
