-- The first byte of the record of a ready job that has not run yet, which stands for its head; number and time in the place.

local FRESH = WITHOUT_HEAD + VERSION
local PLACED = '>I6I6'
local DIGEST_SIZE = 22
-- Size of a definition before the digest.
local BEFORE_DIGEST = 12

-- The definition that was read last, if it has no options and no unusual conflict strategy, and more jobs may follow: its parts
-- before and behind the digest. Then its size, that of the digest, its fields, and whether the job has a key, and a key lease.
local usual, usual_rest, definition_size, digest_size
local l, x, q, j, c, keyed, leased
