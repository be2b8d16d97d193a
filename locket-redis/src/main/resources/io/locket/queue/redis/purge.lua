-- Bounds of the purges, which read records with all their arguments.

-- Maximum number of records that one call purges of each kind.
local PURGE = 96
-- Number of records that are read first, then twice as many, and so on, until these bytes have been read.
local PURGED_FIRST = 8
local PURGED_BYTES = 1000000
