-- The counter of the parked jobs of a queue, which is the tenth one, and its bytes.

local COUNTERS_TO_PARKED = 10
local PARKED_COUNTER = '>i7'
local PARKED_COUNTER_FROM = 66
local PARKED_COUNTER_TO = 72
