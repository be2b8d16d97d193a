-- The ready jobs of a queue are listed in segments, because Redis stores a small sorted set in a compact form, which takes a
-- quarter of the memory. The segment n is the sorted set 'ready:<queue> <n>': ids by place, of the ready jobs whose places are
-- SEGMENT * n to SEGMENT * n + SEGMENT - 1. The sorted set 'ready:<queue>' has the number of each segment that is not empty.
local SEGMENT = 64
