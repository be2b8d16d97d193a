-- Follows acquire.lua and runs.lua if another owner has the key. Returns the holder, and marks its lease for a caller that
-- waits. The mark ends with the lease.
--
-- Reply: {remaining ms, owner, holder or ''}.

local remaining = call('PTTL', KEYS[1])
local holder = record_of(owner, KEYS[3], owner)
if ARGV[4] and string.find(owner, '^%S+ %d+ %d+ .*}$') then
  call('SET', KEYS[1], owner .. ' w', 'KEEPTTL')
end
return {remaining, owner, holder}
