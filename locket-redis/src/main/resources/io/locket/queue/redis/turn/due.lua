-- Entries that are due soon. turn.lua makes delayed jobs and retries ready that are due. It does nothing if a run lease has
-- expired, or if something else is due.

-- @include ../due-entries.lua

-- Period in which a busy worker checks what is due next, in ms. It polls again before it has passed.
local AHEAD = 10000

-- The first entries of what is due, if any is soon, and the first end of a run lease, if that is.
local due_set, running_set, ended_set = PREFIX .. 'due', PREFIX .. 'running', PREFIX .. 'ended'
local due, expiry
-- Whether there are more due jobs than one call makes ready.
local more_due = false
if request ~= '' then
  local soon = format('%d000', (now + AHEAD) / 1000 + 1)
  if call('ZCOUNT', due_set, '-inf', soon) > 0 then
    due = call('ZRANGE', due_set, '0', LAST_HEAD, 'WITHSCORES')
  end
  if call('ZCOUNT', running_set, '-inf', soon) > 0 then
    expiry = tonumber(call('ZRANGE', running_set, '0', '0', 'WITHSCORES')[2])
  end
  if expiry and expiry <= now then
    return {}
  end
  if due and tonumber(due[2]) <= now then
    -- @include delayed.lua
  end
  -- Records that were set aside by workers of older versions, see restore_undue in reservation/due.lua.
  if VERSION > 1 and call('ZCOUNT', PREFIX .. 'unreadable', '-inf', VERSION) > 0 then
    return {}
  end
end
