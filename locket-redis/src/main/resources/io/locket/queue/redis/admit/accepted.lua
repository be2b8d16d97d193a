-- The jobs of a call that are accepted: their records, places, tickets and claims.

-- Records by id, tickets with their ids, claims with their values, and the indexes of the latter. By queue: number of its ready
-- jobs, the numbers of their segments, twice each, and the index of the last one; due times and ids of its delayed jobs. By
-- segment: its name, and places with ids. What is added to the index of all due times.
local records, owners, claimed, claiming = {}, {}, {}, {}
local count_of, numbers, last_of, delayed_of, segments, places, dues = {}, {}, {}, {}, {}, {}, {}
local spread = false
for i = 1, jobs do
  if not holder_of[i] then
    local queue, id, key, due = queue_of[i], ids[i], key_of[i], due_of and due_of[i]
    local begin
    if due then
      local delays = reply[1]
      delays[#delays + 1] = due - now
    end
    if due and due > now then
      local list, due_text = delayed_of[queue] or {}, format('%.0f', due)
      delayed_of[queue], list[#list + 1], list[#list + 2] = list, due_text, id
      dues[#dues + 1], dues[#dues + 2] = due_text, id .. ' ' .. names[queue]
      begin, spread = DELAYED_HEAD .. pack(PLACE, 0, now, due, ticket_ends[i]), true
    else
      local place, at = last[queue] + 1, last_of[queue]
      last[queue], count_of[queue] = place, (count_of[queue] or 0) + 1
      local form = (place < LARGE) and '%d' or '%.0f'
      if not at or place % SEGMENT == 0 then
        local number, of_queue = format(form, (place - place % SEGMENT) / SEGMENT), numbers[queue] or {}
        at, numbers[queue] = #segments + 1, of_queue
        last_of[queue], of_queue[#of_queue + 1], of_queue[#of_queue + 2] = at, number, number
        segments[at], places[at] = PREFIX .. 'ready:' .. names[queue] .. ' ' .. number, {}
      end
      local list = places[at]
      local count = #list
      list[count + 1], list[count + 2] = format(form, place), id
      begin, spread = FRESH .. pack(PLACE, place, now, 0, ticket_ends[i]), spread or place % SPREAD_EVERY == 0
    end
    local count = #records
    records[count + 1], records[count + 2] = id, begin .. ARGV[3 * i + 2]
    if key and claim_ends and claim_ends[i] then
      count = #claimed
      claimed[count + 1] = key
      claimed[count + 2] = 'run:' .. id .. ':claim 0 ' .. format('%.0f', now) .. ' ' .. ARGV[3 * i + 3]
      claiming[#claiming + 1] = i
    elseif key then
      count = #owners
      owners[count + 1], owners[count + 2] = key, id
    end
  end
end
