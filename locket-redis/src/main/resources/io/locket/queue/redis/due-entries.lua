-- Constants of the due entries of the whole namespace.

-- Maximum number of due entries, and of expired run leases, that one call serves.
local DUE_AT_ONCE = 20
-- Number of entries that are read to find the next due time, because the first ones may be irrelevant to workers, and the index
-- of the last one.
local HEADS_OF_DUE = 4
local LAST_HEAD = '3'
-- Time after which a removed queue is deleted if it is empty, in ms.
local REMOVED_QUEUE_KEPT = 3600000
