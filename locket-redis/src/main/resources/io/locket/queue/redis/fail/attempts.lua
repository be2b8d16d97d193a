-- The failed attempts that are kept of the jobs, as in attempts.lua.

-- The first byte of the failed attempts of a job, and the longest text there.
local ATTEMPTS_VERSION = 1
local LONGEST_TEXT = 65535

local attempts = {}
for i, raw in ipairs((kept ~= '0') and call('HMGET', PREFIX .. 'attempts', unpack(ids)) or {}) do
  local at, kept_here, last = ARGUMENTS_AT + ARGUMENTS * (i - 1), {}, nil
  local problem, trace, failure = ARGV[at + 3], ARGV[at + 4], failures[i]
  if #problem > LONGEST_TEXT or #trace > LONGEST_TEXT or (raw and byte(raw) ~= ATTEMPTS_VERSION) then
    return {}
  end
  local from = 2
  while raw and from <= #raw do
    local whole, _, number, began, ended, on, p, t, after = pcall(read, ATTEMPT, raw, from)
    if not whole then
      return {}
    end
    kept_here[#kept_here + 1], last = sub(raw, from, after - 1), {number, began, ended, #on, on}
    last.same, from = p == problem and t == trace, after
  end
  if last and last.same then
    kept_here[#kept_here] = pack(ATTEMPT, 1, last[1], last[2], last[3], last[4], last[5], 0, '', 0, '')
  end
  kept_here[#kept_here + 1] = pack(ATTEMPT, 0, failure[1], failure[2], now, failure[3], failure[4], #problem, problem, #trace,
      trace)
  attempts[2 * i - 1], attempts[2 * i] = ids[i], string.char(ATTEMPTS_VERSION)
      .. table.concat(kept_here, '', math.max(#kept_here - kept + 1, 1))
end
