-- Enqueues at most 100 jobs.
--
-- ARGV[3] time for which the id of a replacement stays known, in ms
-- ARGV[4..] for each job seven arguments, see read_new in entry.lua
--
-- Reply: {results, events}; a result is {'accepted', id}, {'duplicate', id or '', state or ''} or {'replaced', id}.
-- Repetition: a known id gets its first result again; nothing is enqueued twice. The id of another job is a duplicate.
-- Invariant: a job and its ticket or claim appear together; a full Redis accepts none of the jobs.

known_for = tonumber(ARGV[3])
local names, ids, digests = {}, {}, {}
local new = {}
for i = 4, #ARGV, 7 do
  local job, options = read_new(i)
  new[#new + 1] = {job, options}
  ids[#ids + 1] = job.id
  names[#names + 1] = job.q
  if TICKET[job.l] then
    digests[#digests + 1] = job.k
  end
end
load(ids)
load_tickets(digests)
load_state(names)
local results = {}
for i, one in ipairs(new) do
  results[i] = enqueue(one[1], one[2])
end
follow()
write(true)
return {results, events}
