-- Description of the holder of a key, for a caller that it refuses.

-- Returns the holder record of the owner of a key. For a lease it is part of the lock.
local function holder_of(owner)
  local id, nonce = string.match(owner, '^run:([^:]+):([^:]+)')
  local job = id and find(id)
  if job and job.t == nonce then
    return owner .. ' ' .. text(job.f) .. ' ' .. text(job.st) .. ' '
        .. cjson.encode({job = job.j, key = key_text(job), instance = job.i, thread = job.w})
  end
  return owner
end
