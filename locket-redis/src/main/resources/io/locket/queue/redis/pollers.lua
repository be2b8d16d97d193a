-- Constants of the last reservations of pollers, each in a field 'w:<poller>' of the state.

-- A reservation: a version byte, its time (6), the id of the request and the instance (2 + text each), and the ids of the jobs
-- that were handed out. Then its beginning up to the id of the request, and before this id.
local POLLER = '>BI6Hc0Hc0'
local LAST_REQUEST = '>BI6Hc0'
local POLLER_BEGIN = '>BI6'
-- Time after which a reservation is deleted, in ms.
local POLLER_KEPT = 3600000
-- Time after which a reservation that hands out nothing is written again, in ms.
local SEEN_AGAIN = 1800000
-- The field of the state with the time at which idle workers were requested to record their polls, see request-polls.lua.
local ASKED = 'asked'
