-- Returns the revision of the schedules, and the time. Writes nothing.
--
-- KEYS[1] the hash of the schedules, see book.lua. It is the only key, so that the script is served while a slot moves
--
-- Reply: {time in ms, revision, or '' if there is none}
-- Repetition: it may be repeated.

return {string.format('%.0f', now), redis.call('HGET', KEYS[1], ':revision') or ''}
