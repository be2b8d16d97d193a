-- The request of turn.lua.

-- Maximum numbers of queues and slots, because Lua limits the number of arguments of a function. The caller bounds the ends.
local MOST_QUEUES = 1000
local MOST_SLOTS = 1000
-- A request up to its texts, where these begin, and one of its queues.
local REQUEST = '>HHI4I4Hc0'
local REQUEST_TEXTS_AT = 13
local REQUESTED_QUEUE = '>Hc0I4'
local NAME = '>Hc0'
-- Places of what is known of a queue in 'of_queue', before the end of its five: limit, number of runs that end, the earliest
-- time at which one of their jobs was enqueued, number of jobs that are handed out, time of the last removal.
local LIMIT = 4
local ENDED_HERE = 3
local OLDEST = 2
local TAKEN = 1
local REMOVED = 0

-- Id of the request, poller, texts of a run, and the beginning of these that the last reservation of the poller has.
local request, poller_field, reservation, run_texts = '', nil, nil, nil
local names, left_out, asked, slots = {nil}, nil, 0, 0
-- By place in 'names', see the places above.
local of_queue = {nil, nil, nil, nil, nil}
if ARGV[4] ~= '' then
  local raw = ARGV[4]
  local texts_size, reservation_size, at
  texts_size, reservation_size, slots, asked, request = read(REQUEST, raw)
  if asked > MOST_QUEUES then
    return {}
  elseif slots > MOST_SLOTS then
    slots = MOST_SLOTS
  end
  run_texts = sub(raw, REQUEST_TEXTS_AT, REQUEST_TEXTS_AT - 1 + texts_size)
  reservation = sub(raw, REQUEST_TEXTS_AT, REQUEST_TEXTS_AT - 1 + reservation_size)
  poller_field, at = read(NAME, raw, REQUEST_TEXTS_AT + texts_size)
  for i = 1, asked do
    names[i], of_queue[5 * i - LIMIT], at = read(REQUESTED_QUEUE, raw, at)
  end
  local count
  count, at = read('>I4', raw, at)
  for _ = 1, count do
    local name
    name, at = read(NAME, raw, at)
    left_out = left_out or {}
    left_out[name] = true
  end
end
