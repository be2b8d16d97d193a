-- Pauses or resumes a queue.
--
-- ARGV[3] queue
-- ARGV[4] 1 to pause, 0 to resume

local counters = queue(ARGV[3])
counters.paused = ARGV[4] == '1' and 1 or nil
touched[ARGV[3]] = true
if not counters.paused then
  notified[ARGV[3]] = true
end
write()
return 1
