-- The request of turn.lua.

-- Maximum numbers of queues and slots, because Lua limits the number of arguments of a function. The caller bounds the ends.
local MOST_QUEUES = 1000
local MOST_SLOTS = 1000
-- The request up to its id, the place of the texts of the reservation, one of the queues, and one of the turns.
local REQUEST = '>HI4HHc0'
local RESERVATION_AT = 9
local REQUESTED_QUEUE = '>Hc0I4'
local TURN = '>I4Hc0'
local NAME = '>Hc0'
-- Places of what is known of a queue in 'of_queue', before the end of its ten: limit, number of runs that end, the earliest
-- time at which one of their jobs was enqueued; its counters with the changes of this script; 0 unless it is paused, time of
-- the last removal; number of jobs that are handed out, and how many of the first ready jobs are ready no more.
local LIMIT = 9
local ENDED_HERE = 8
local OLDEST = 7
local READY = 6
local RUNNING = 5
local SUCCEEDED = 4
local PAUSED = 3
local REMOVED = 2
local TAKEN = 1
local GONE = 0

-- Id of the request, poller, and the texts of its reservation. By turn: number of slots, and the texts of its runs that follow
-- those of the reservation.
local request, poller_field, reservation = '', nil, nil
local slots_of, texts_of = {nil, nil, nil, nil}, {nil, nil, nil, nil}
-- Number of turns with a request, of queues, and of all slots.
local turns, requested, slots = 0, 0, 0
local names, left_out = {nil}, nil
-- By place in 'names', see the places above.
local of_queue = {nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}
if ARGV[4] ~= '' then
  local raw = ARGV[4]
  local size, at
  turns, requested, size, request = read(REQUEST, raw)
  if requested > MOST_QUEUES then
    return {}
  end
  reservation = sub(raw, RESERVATION_AT, RESERVATION_AT - 1 + size)
  poller_field, at = read(NAME, raw, RESERVATION_AT + size)
  for i = 1, requested do
    names[i], of_queue[10 * i - LIMIT], at = read(REQUESTED_QUEUE, raw, at)
  end
  local count
  count, at = read('>I4', raw, at)
  for _ = 1, count do
    local name
    name, at = read(NAME, raw, at)
    left_out = left_out or {}
    left_out[name] = true
  end
  for t = 1, turns do
    slots_of[t], texts_of[t], at = read(TURN, raw, at)
    slots = math.min(slots + slots_of[t], MOST_SLOTS)
  end
end
