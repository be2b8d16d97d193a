-- The first byte of the record of a ready job that has not run yet, which stands for its head; its place and definition without
-- options; where these begin; size of the place.

local FRESH = WITHOUT_HEAD + VERSION
local READY_REST = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4'
local FRESH_PLACE_AT = 2
local PLACE_SIZE = 24
local DIGEST_SIZE = 22
-- Largest number of retries.
local INTEGER = 2147483647
