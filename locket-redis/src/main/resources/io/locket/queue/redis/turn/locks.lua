-- Locks of the keys.

local last_fence
if lock_count > 0 then
  if lock_count > freed then
    locks[lock_count + 1] = PREFIX .. 'fence'
  end
  local values = get_all(locks)
  for i = 1, lock_count do
    if values[i] ~= owners[i] then
      return {}
    end
  end
  last_fence = values[lock_count + 1]
end
