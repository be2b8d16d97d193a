-- Jobs without a handler in some worker. They are set aside by name, for workers with a handler.

-- Time in ms after which a job without a handler is dead; number of names for which a queue sets jobs aside; delay in ms of
-- jobs of further names.
local unknown = {given_up_after = 86400000, names = 32, delay = 30000}

-- Numbers of jobs that a queue has set aside, by name.
function unknown.numbers(name)
  local numbers = queue(name).as
  return type(numbers) == 'table' and numbers or {}
end

function unknown.key(name, job)
  return PREFIX .. 'unknown:' .. name .. ' ' .. job
end

function unknown.count(name, job, by)
  local numbers = unknown.numbers(name)
  local number = (tonumber(numbers[job]) or 0) + by
  numbers[job] = number > 0 and number or nil
  queue(name).as = next(numbers) and numbers or nil
  touched[name] = true
end

-- Returns when a job for which a worker has no handler is due, and whether it is to be set aside until then.
function unknown.defer(job)
  job.y = job.y or now
  local numbers, names = unknown.numbers(job.q), 0
  for _ in pairs(numbers) do
    names = names + 1
  end
  local listed = numbers[job.j] or names < unknown.names
  return listed and job.y + unknown.given_up_after or now + unknown.delay, listed
end

-- Lists a job that waits for a retry among those that are set aside.
function unknown.list(job)
  job.as = 1
  zadd(unknown.key(job.q, job.j), job.n, job.id)
  unknown.count(job.q, job.j, 1)
  save(job)
end

function unknown.unlist(job)
  job.as = nil
  zrem(unknown.key(job.q, job.j), job.id)
  unknown.count(job.q, job.j, -1)
end

function unknown.is_given_up(job)
  return job.y and now - job.y >= unknown.given_up_after
end
