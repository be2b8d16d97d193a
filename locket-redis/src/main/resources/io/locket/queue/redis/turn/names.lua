-- Short names of keys, arguments and functions.

local STATE = KEYS[1]
local JOBS = KEYS[2]
local PREFIX = ARGV[1]
local REGISTRY = ARGV[2]

local call, format = redis.call, string.format
local read, pack, sub, byte = struct.unpack, struct.pack, string.sub, string.byte
