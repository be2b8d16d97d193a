-- Returns the holder record of a queued run from the value of its lock. Writes nothing.
--
-- KEYS[1] jobs      hash   of the queue: records of jobs by id
-- ARGV[1] value     of the lock, see acquire.lua
--
-- Reply: {record, or '' if the job has no such run any more}.

return {record_of(ARGV[1], KEYS[1], '')}
