-- The head of a ready job that has not run yet, which is always the same; its place and definition; and where these begin.

local READY_HEAD = '\1\5ready\0\0\0\0\0\0\0\0\0\2\0\0'
local READY_HEAD_SIZE = 19
local READY_REST_AT = 20
local READY_REST = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4I5I5I6I4c0I4c0'
local READY_DEFINITION_AT = 44
local DIGEST_SIZE = 32
-- Largest number of retries.
local INTEGER = 2147483647
