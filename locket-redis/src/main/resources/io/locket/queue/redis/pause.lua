-- Pauses or resumes a queue.
--
-- ARGV[3] queue
-- ARGV[4] 1 to pause, 0 to resume
--
-- Reply: 1
-- Repetition: changes nothing.
-- Invariant: an unknown queue can be paused, and stays unknown if it is resumed.

local counters = queue(ARGV[3])
if new_queues[ARGV[3]] and ARGV[4] ~= '1' then
  return 1
end
counters.paused = ARGV[4] == '1' and 1 or nil
touched[ARGV[3]] = true
if not counters.paused then
  notified[ARGV[3]] = true
end
write()
return 1
