-- Enqueues jobs, at most 100.
--
-- ARGV[3] how long the id of a replacement stays known, in ms
-- ARGV[4..] for each job its id, its line of JSON for scripts, its arguments, and its options as JSON:
--           dl delay ms or at time ms (absent: at once), od duplicate strategy, uf ms of uniqueness, md longest delay ms,
--           cr the record of a claim
--
-- Reply: {answers, events}; an answer is {'accepted', id}, {'duplicate', id or '', state or ''} or {'replaced', id}.
-- Repetition: an id that is known is answered as it was; nothing is enqueued twice. The id of another job is a duplicate.
-- Invariant: a job and its ticket or claim appear together; a Redis that is full gets none of the jobs.

known_for = tonumber(ARGV[3])
local names, ids, digests = {}, {}, {}
local new = {}
for i = 4, #ARGV, 4 do
  local job = cjson.decode(ARGV[i + 1])
  job.id, job.body = ARGV[i], ARGV[i + 2]
  new[#new + 1] = {job, cjson.decode(ARGV[i + 3])}
  ids[#ids + 1] = job.id
  names[#names + 1] = job.q
  if TICKET[job.l] then
    digests[#digests + 1] = job.k
  end
end
load(ids)
load_tickets(digests)
load_state(names)
local answers = {}
for i, one in ipairs(new) do
  answers[i] = enqueue(one[1], one[2])
end
follow()
write(true)
return {answers, events}
