-- Lets idle workers record their next polls, and notifies all workers. An idle worker does not record its polls otherwise.
--
-- ARGV[3] time in ms at which the process was last seen that has not been seen for longest
--
-- Reply: {time of the request in ms, time of the request before or 0}, or {} if all processes were seen, or the last request was
--        made, a short time ago.
-- Repetition: makes no second request.

-- Time for which a process that was seen counts as alive, and between two requests, in ms. Java and the page on
-- administration name it as well.
local SEEN_FOR = 30000

local asked = tonumber(redis.call('HGET', STATE, ASKED)) or 0
-- If the clock was set back, the last request may be later than now.
if tonumber(ARGV[3]) > now - SEEN_FOR or (asked > now - SEEN_FOR and asked <= now) then
  return {}
end
new_fields[ASKED] = text(now)
-- All workers poll.
notified[''] = true
write()
return {text(now), text(asked)}
