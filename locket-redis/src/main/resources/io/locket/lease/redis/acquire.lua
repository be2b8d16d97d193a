-- Acquires the lease of a key and advances the fence. If the key is held, returns its owner.
--
-- KEYS[1] lock      string <registryKey>:<digest>, '<token> <fence> <since ms> <JSON of the holder>', PX. A
--                   RedisLockRegistry takes any value for an owner. Of a queued run the value is 'run:<id>:<nonce>' alone,
--                   where the nonce is the id of the request for jobs, see holder.lua. The suffix ' w' marks a lock
--                   that may have a waiter or parked jobs. After a release with a minimum hold the token has the suffix
--                   ':rest'
-- KEYS[2] fence     string the last fencing token of the namespace
-- ARGV[1] token     made by the client before the call, new for each lease, and a space
-- ARGV[2] duration  ms
-- ARGV[3] record    JSON of the holder, with the mark if other callers of its process wait as well
-- ARGV[4] waits     '1' if the caller waits
--
-- Reply: '<fence> <since>' if the token holds the key, {remaining ms, value of the lock} if another owner does.
-- Repetition: a token that holds the key gets its first reply again.
-- Invariant: the fence grows with each lease and is written only by the script that takes the key. The mark of a waiter
--            ends with the lock.

local call = redis.call
local owner = call('GET', KEYS[1])

if not owner then
  local time = call('TIME')
  -- Time in microseconds, as digits only, so that strings compare as numbers.
  local seconds, micros = time[1], time[2]
  local fence = seconds .. (#micros == 6 and micros or string.sub('00000' .. micros, -6))
  local since = string.sub(fence, 1, -4)
  local last = call('GETSET', KEYS[2], fence)
  if last and (#last ~= #fence or last >= fence) then
    -- The clock has run back, or the fence is damaged and counts as absent.
    local number = #last <= 16 and string.find(last, '^%d+$') and tonumber(last) or 0
    if number < 9007000000000000 and number >= tonumber(fence) then
      fence = string.format('%.0f', number + 1)
      call('SET', KEYS[2], fence)
    end
  end
  local granted = fence .. ' ' .. since
  call('SET', KEYS[1], ARGV[1] .. granted .. ' ' .. ARGV[3], 'PX', ARGV[2])
  return granted
end

if string.sub(owner, 1, #ARGV[1]) == ARGV[1] then
  return string.match(owner, '^%S+ (%d+ %d+) ')
end
local remaining = call('PTTL', KEYS[1])
if ARGV[4] and string.find(owner, '^%S+ %d+ %d+ .*}$') then
  call('SET', KEYS[1], owner .. ' w', 'KEEPTTL')
end
return {remaining, owner}
