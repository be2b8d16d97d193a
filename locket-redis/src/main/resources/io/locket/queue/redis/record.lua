-- Reads and writes the records of jobs.

-- @include layout.lua
-- @include ../../lease/redis/fence.lua

-- Largest first byte of a record.
local LAST_VERSION = 8
-- Value in place of a version for a record that no version can read.
local DAMAGED = 9e15
-- Number of characters after which a readable key is cut, as in KeyText.java.
local LONGEST_KEY = 200

-- The head of a ready job that has not run, which its record leaves out.
local READY_HEAD = '\5ready\0\0\0\0\0\0\0\0\0\2\0\0'

-- Existing records that cannot be read, by id: the version that reads them, or DAMAGED.
local unreadable = {}

-- Required fields by state, beside those of each job; readers and writers of records.
local IN_STATE, has_no_head, parse, record, body_of, key_text, read_definition, set_definition

do
  local READY, DUE_LATER, ENDED_AT = {'n'}, {'d'}, {'ea'}
  IN_STATE = {scheduled = DUE_LATER, retry = DUE_LATER, ready = READY, parked = {'n', 'k'},
      running = {'n', 't', 'f', 'st', 'i', 'w'}, succeeded = ENDED_AT, discarded = ENDED_AT, superseded = ENDED_AT,
      dead = ENDED_AT, cancelled = ENDED_AT, removed = ENDED_AT}
  -- The lock strategies, and whether a job with one has a key.
  local KEYED = {UE = true, WE = true, UX = true, UW = true, UP = true, NO = false}
  local TEXT, NUMBER = 'string', 'number'
  local RARE = {er = TEXT, y = NUMBER, rp = TEXT, ib = NUMBER, wr = TEXT, rn = NUMBER, sb = TEXT, m = NUMBER, ra = NUMBER,
      pb = TEXT, sn = TEXT, pg = TEXT, as = NUMBER}

  local function number_or_nil(value)
    return value ~= 0 and value or nil
  end

  local function text_or_nil(value)
    return value ~= '' and value or nil
  end

  -- Reads the part of a run. Returns where the next part begins.
  local function read_run(job, raw, at)
    local cx, a, b, st, t, i, w, o, kl, f, next = struct.unpack(RUN_FORMAT, raw, at)
    job.cx, job.a, job.b, job.st = number_or_nil(cx), number_or_nil(a), number_or_nil(b), number_or_nil(st)
    job.t, job.i, job.w, job.o = text_or_nil(t), text_or_nil(i), text_or_nil(w), text_or_nil(o)
    job.kl, job.f = number_or_nil(kl), f
    return next
  end

  -- Reads the fields that few jobs have. Returns where the next part begins.
  local function read_rare(job, raw, at)
    local json, next = struct.unpack('>I4c0', raw, at)
    local rare = cjson.decode(json)
    for field, kind in pairs(RARE) do
      local value = rare[field]
      if value ~= nil and (type(value) ~= kind or (kind == NUMBER and not (value >= 0 and value <= LARGEST))) then
        error('no ' .. kind)
      end
      job[field] = value
    end
    if job.s == 'succeeded' then
      -- A fast path that has ended the job has kept them.
      job.er, job.y, job.rn = nil, nil, nil
    end
    for _, value in pairs(rare) do
      if type(value) == 'table' or (type(value) == NUMBER and not (math.abs(value) <= LARGEST)) then
        error('not flat')
      end
    end
    job.rare = rare
    return next
  end

  -- Reads a definition and the arguments, which are the rest.
  read_definition = function(job, raw, at)
    local size, l, x, k, q, j, c, r, next = struct.unpack(DEFINITION, raw, at)
    local ends, h, z, uf, tx, tr = at + 4 + size, 0, 0, 0, '', ''
    if next < ends then
      h, z, uf, tx, tr, next = struct.unpack(OPTIONS, raw, next)
    end
    job.l, job.c, job.r, job.x, job.h, job.z = l, text_or_nil(c), r, x, number_or_nil(h), z
    job.uf, job.j, job.q, job.k = number_or_nil(uf), j, q, text_or_nil(k)
    job.tx, job.tr = text_or_nil(tx), text_or_nil(tr)
    -- The definition as it is, until one of its fields changes; and where the arguments begin in it.
    job.definition, job.body_at = string.sub(raw, at), size + 5
    if ends < next or ends > #raw + 1 then
      error('short')
    end
  end

  local function read(raw)
    local _, s, ea, size, parts, g, at = struct.unpack(HEAD, raw)
    local ends = at - PLAIN_HEAD + size
    local n, e, d, u, definition_at = struct.unpack(PLACE, raw, ends)
    local job = {s = s, ea = number_or_nil(ea), g = (g == 1) and 1 or nil, n = number_or_nil(n), e = e,
        d = number_or_nil(d), u = number_or_nil(u)}
    if parts % 2 == 1 then
      at = read_run(job, raw, at)
    end
    if parts >= 2 then
      at = read_rare(job, raw, at)
    end
    if at > ends or parts > 3 then
      error('long')
    elseif at < ends then
      job.more = string.sub(raw, at, ends - 1)
    end
    read_definition(job, raw, definition_at)
    return job
  end

  local function is_word(value)
    return string.find(value, '^%S+$') ~= nil
  end

  -- Returns whether all required fields are present.
  local function is_whole(job)
    local required, keyed = IN_STATE[job.s], KEYED[job.l]
    if not required or keyed == nil or (keyed and not job.k) or not is_word(job.q) or (job.k and not is_word(job.k)) then
      return false
    end
    for _, field in ipairs(required) do
      if job[field] == nil then
        return false
      end
    end
    return not (job.g and not (job.n and job.k)) and not (job.as and not job.n) and not (job.kl and not job.k)
        and not (job.t and not is_word(job.t)) and (job.f or 0) < LARGEST_FENCE
        and job.r <= INTEGER and (job.a or 0) <= INTEGER and (job.b or 0) <= INTEGER and job.x > 0
  end

  -- Returns whether a record leaves out its head.
  has_no_head = function(raw)
    local first = string.byte(raw) or 0
    return first > WITHOUT_HEAD and first <= WITHOUT_HEAD + LAST_VERSION
  end

  -- A record that cannot be read counts as absent. 'unreadable' has the reason.
  parse = function(id, raw)
    if not raw then
      return false
    end
    local version = string.byte(raw) or 0
    if has_no_head(raw) then
      version = version - WITHOUT_HEAD
      raw = string.char(version) .. READY_HEAD .. string.sub(raw, 2)
    end
    if version > VERSION and version <= LAST_VERSION then
      unreadable[id] = version
      return false
    end
    local readable, job = pcall(read, raw)
    if version < 1 or version > VERSION or not readable or not is_whole(job) then
      unreadable[id] = DAMAGED
      return false
    end
    job.id = id
    return job
  end

  -- The JSON of the arguments.
  body_of = function(job)
    return string.sub(job.definition, job.body_at)
  end

  -- The readable key. If it is derived from the arguments, these are cut as KeyText.java does. A long text of other characters
  -- than ASCII is not derived.
  key_text = function(job)
    local body = job.tx or body_of(job)
    if job.tx or #body <= LONGEST_KEY or string.find(body, '[\128-\255]') then
      return body
    end
    return string.sub(body, 1, LONGEST_KEY) .. '… (' .. #body .. ' characters)'
  end

  local function sized(value)
    value = value or ''
    return #value, value
  end

  -- Writes a changed field of the definition. Fields appended by later versions are kept.
  set_definition = function(job, body)
    local size, _, _, _, _, _, _, _, known = struct.unpack(DEFINITION, job.definition)
    if known < size + 5 then
      _, _, _, _, _, known = struct.unpack(OPTIONS, job.definition, known)
    end
    local more = string.sub(job.definition, known, size + 4)
    local c_size, c = sized(job.c)
    local q_size, q = sized(job.q)
    local k_size, k = sized(job.k)
    local tx_size, tx = sized(job.tx)
    local tr_size, tr = sized(job.tr)
    local packed = struct.pack(DEFINITION, 0, job.l, job.x, k_size, k, q_size, q, #job.j, job.j, c_size, c, job.r)
    if job.h or job.z > 0 or job.uf or tx_size > 0 or tr_size > 0 or more ~= '' then
      packed = packed .. struct.pack(OPTIONS, job.h or 0, job.z, job.uf or 0, tx_size, tx, tr_size, tr)
    end
    body = body or body_of(job)
    size = #packed - 4 + #more
    job.definition, job.body_at = struct.pack('>I4', size) .. string.sub(packed, 5) .. more .. body, size + 5
  end

  local function run_of(job)
    if not (job.t or job.st or job.a or job.b or job.o or job.cx) then
      return ''
    end
    local t_size, t = sized(job.t)
    local i_size, i = sized(job.i)
    local w_size, w = sized(job.w)
    local o_size, o = sized(job.o)
    return struct.pack(RUN_FORMAT, job.cx or 0, job.a or 0, job.b or 0, job.st or 0, t_size, t, i_size, i, w_size, w, o_size, o,
        job.kl or 0, job.f or 0)
  end

  local function rare_of(job)
    local rare = job.rare
    for field in pairs(RARE) do
      if job[field] ~= nil and not rare then
        rare = {}
      end
      if rare then
        rare[field] = job[field]
      end
    end
    if not rare or next(rare) == nil then
      return ''
    end
    local json = cjson.encode(rare)
    return struct.pack('>I4', #json) .. json
  end

  record = function(job)
    local run, rare = run_of(job), rare_of(job)
    local parts = (run ~= '' and 1 or 0) + (rare ~= '' and 2 or 0)
    local more = job.more or ''
    local place = struct.pack(PLACE, job.n or 0, job.e, job.d or 0, job.u or 0) .. job.definition
    if job.s == 'ready' and parts == 0 and more == '' and not (job.ea or job.g) then
      return string.char(WITHOUT_HEAD + VERSION) .. place
    end
    local size = PLAIN_HEAD + #run + #rare + #more
    return struct.pack(HEAD, VERSION, #job.s, job.s, job.ea or 0, size, parts, job.g or 0) .. run .. rare .. more .. place
  end
end
