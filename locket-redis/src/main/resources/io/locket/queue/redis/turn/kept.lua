-- Reads the part of a head that a job keeps when it is handed out ('kept'): its parts while it runs, the number of its failed
-- attempts, the ends of its runs, and the fields of few jobs. The inserting step declares the state of the job, 'in_state'.

local text_fields, number_fields = KEPT_TEXTS, KEPT_NUMBERS
-- @insert head.lua
local kept = {(parts == 2) and 3 or parts, failed or 0,
    ends_at and sub(raw, ends_at, rare_at - KEY_LEASE_SIZE - 1) or NO_ENDS, sub(raw, rare_at, place_at - 1)}
