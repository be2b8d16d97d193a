-- Requeues at most 100 dead letters. Each is enqueued as a new job into the queue in which it died.
--
-- ARGV[3..] for each letter its id, and the id of the job that it becomes
--
-- Reply: {results, events}; a result is {'accepted', id} or {'duplicate', id or '', state or ''}.
-- Repetition: a dead letter stores the id of its new job, and gets its first result again.
-- Invariant: a dead letter becomes one job. Its own claim does not refuse that job, and passes on to it.

-- Fields of a job that a requeue takes from the dead letter.
local MADE_OF = {'j', 'q', 'k', 'tx', 'l', 'c', 'x', 'h', 'r', 'z', 'tr', 'uf', 'definition', 'body_at'}

local function duplicate(id)
  local job = find(id)
  return {'duplicate', id, job and job.s or ''}
end

local function again(letter, id)
  local job = {id = id}
  for _, field in ipairs(MADE_OF) do
    job[field] = letter[field]
  end
  return job
end

-- A claim contains its holder after the token of the job.
local function pass_on(claim, job)
  set_claim(job.k, RUN .. job.id .. ':claim ' .. (string.match(claim, '^%S+ (.*)$') or '0 0 {}'), ttl(claim_name(job.k)))
end

local function requeue(id, new_id)
  local letter = find(id)
  local known_id = letter and letter.pb
  if known_id == new_id then
    return {'accepted', new_id}
  end
  if not letter or not (known_id or is_letter(letter)) then
    return duplicate(id)
  end
  -- Before the known id, because the result of a repetition must not depend on whether the letter has become a job since.
  if find(new_id) or unreadable[new_id] then
    return duplicate(new_id)
  end
  if known_id then
    return duplicate(known_id)
  end
  local job = again(letter, new_id)
  local claim = own_claim(letter)
  local result
  if claim then
    -- The run of the dead letter has used the period.
    job.rn = letter.rn
    pass_on(claim, job)
    result = accept(job, now)
  else
    local cr = cjson.encode({job = job.j, key = key_text(job), instance = 'queue', thread = job.q})
    result = admit(job, now, {od = 'reject', cr = cr})
  end
  if result[1] == 'accepted' then
    letter.pb = new_id
    dismiss(letter)
  end
  return result
end

local ids = {}
for i = 3, #ARGV do
  ids[#ids + 1] = ARGV[i]
end
load_all(ids, {})
local results = {}
for i = 3, #ARGV, 2 do
  results[#results + 1] = requeue(ARGV[i], ARGV[i + 1])
end
follow()
write(true)
return {results, events}
