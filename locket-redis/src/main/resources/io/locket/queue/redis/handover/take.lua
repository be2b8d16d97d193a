-- Hands out a job, 'job', whose key is free, or that needs none.

local lock_strategy, lease_for = job.kind.l, job.kind.x
if lock_strategy == 'UE' or lock_strategy == 'UW' then
  tickets, holders = tickets or {}, holders or {}
  tickets[#tickets + 1], holders[#holders + 1] = job.k, job.id
end
if lease_for ~= lease then
  lease, lease_end = lease_for, format('%d%03d', (now + lease_for) / 1000, (now + lease_for) % 1000)
end
handed = handed + 1
handed_ids[handed], handed_rests[handed], has_key_lease[handed], heads[handed] = job.id, job.rest, job.lock, job.head
leases[2 * handed - 1], leases[2 * handed] = lease_end, job.id .. ' ' .. name
if job.lock then
  takers[#takers + 1] = job
  taker_of[job.lock], owner_of[job.lock] = #takers, 'run:' .. job.id .. ':' .. request
end
if job.listed then
  unlisted[#unlisted + 1] = job
end
