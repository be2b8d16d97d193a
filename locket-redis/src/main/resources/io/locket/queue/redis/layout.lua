-- The record of a job: its head, which scripts read and write, then its place and times, and behind them the definition and
-- the JSON of the arguments, which they hand through. Numbers are unsigned and big-endian; a text stands behind its length.
-- Version 1:
--
-- 1 byte      version, 1 to 8; or 128 more, if the job is ready, has not run, and all other fields of the head are absent. Then
--             the head is left out
-- head        s state (1 + text), ea ended at (6), size of the rest of the head (4), parts (1), g 1 while the job is ready but
--             listed among the parked of its key (1)
--   parts 1   the run: cx 1 if cancelled (1), a failed attempts (4), b reclaims (4), st started at (6), as 2 + text:
--             t nonce, the id of the request that handed the job out, i instance, w thread, o ends of runs, except the one
--             by which the job has succeeded; then kl 1 while it has a key lease, or if a fast path has ended it with one (1),
--             f fencing token (7)
--   parts 2   fields of few jobs, as JSON (4 + text): er last error, y first deferred at, rp the SHA-1 of the arguments that
--             the job came with if it was replaced, ib latest due time that it has inherited, wr reason of its last wait
--             for a retry: 'failed', 'rescheduled' or 'deferred', rn 1 if a body may have run (only with a claim), sb
--             superseded by, m moved to its queue at, ra no dead letter any more since, pb put back as, sn the last steps
--             that have updated it, pg progress of its last run: 'at done total message', as 1 while it waits for a retry
--             because it was set aside. er, y and rn do not count once the job has succeeded, because fast paths keep them
-- place       n place (6), e enqueued at (6), d due at (6), u end of the ticket (6)
-- definition  size (4), l lock strategy (2 letters), x lease (5), k digest (1 + text), q queue (1 + text), j job (2 + text),
--             c conflict strategy (1 + text), r retries (4); then, unless all of them are absent, h minimum hold (5), z delay
--             of a rescheduling (5), uf period for which it is unique (6), tx readable key, unless that is the JSON of the
--             arguments, cut after LONGEST_KEY characters (4 + text), tr trace context (4 + text)
--
-- Fields that change together are neighbours, so that turn.lua writes the new beginning of a record and copies the remainder.
--
-- Times and periods are in ms. 0 and the empty text stand for absent values. A later field of version 1 is appended to the
-- head, which is then not left out, or behind the options, which are then all there, or is a field of the JSON; scripts keep it.
-- A change that earlier readers would get wrong raises the version. A record that does not begin with a version is damaged.

-- The version of records that this code writes. It reads older ones, too.
local VERSION = 1
-- Largest time and period of a record, and the latest time that is stored, because the JSON of Redis has 14 digits.
local LARGEST = 281474976710655
local LATEST = 99999999999999

local HEAD = '>BBc0I6I4BB'
local RUN_FORMAT = '>BI4I4I6Hc0Hc0Hc0Hc0BI7'
local PLACE = '>I6I6I6I6'
local PLACE_SIZE = 24
local DEFINITION = '>I4c2I5Bc0Bc0Hc0Bc0I4'
local OPTIONS = '>I5I5I6I4c0I4c0'
-- A place, and the definition up to the name of its queue; or up to its options.
local PLACE_TO_QUEUE = '>I6I6I6I6I4c2I5Bc0Bc0'
local PLACE_TO_OPTIONS = '>I6I6I6I6I4c2I5Bc0Bc0Hc0Bc0I4'
-- Size of the head after its own size, without its parts.
local PLAIN_HEAD = 2
-- Added to the version in the first byte of a record without a head, and where the place begins there.
local WITHOUT_HEAD = 128
local FRESH_PLACE_AT = 2
-- The head of a job that has not ended: before its state, behind it, its size and what follows in each head. The size begins at
-- this byte, and as many bytes later as the state has.
local HEAD_VERSION = '\1'
local NOT_ENDED = '\0\0\0\0\0\0'
local SIZE_AT_LEAST = 9
local HEAD_SIZE = '>I4BB'
-- The head of a job that has run, from its size up to the thread of the run, and the remainder of the run. The ends of runs of a
-- job that has not run before.
local RAN = '>I4BBBI4I4I6Hc0Hc0Hc0'
local RAN_ENDS = '>Hc0BI7'
local KEY_LEASE_SIZE = 8
local NO_ENDS = '\0\0'
-- The check of the JSON in a record, see turn/head.lua: placeholders of a text and of a field, a field with its name and its text
-- or number, a number, and the maximum number of its digits.
local ANY_TEXT = '\1'
local ANY_FIELD = '\2'
local FIELD = '"(%l+)":([\1%d]+)'
local NUMBER_OF_FIELD = '^[1-9]%d*$'
local LONGEST_NUMBER = 14
-- Largest number of failed attempts, and of retries.
local INTEGER = 2147483647
-- The fields of few jobs that a job keeps when it is handed out.
local KEPT_TEXTS = ' er rp wr sn '
local KEPT_NUMBERS = ' y ib rn m '
-- Size of the size of a head, and of a definition.
local SIZE_SIZE = 4
-- The heads of jobs that have not run and have no other fields there, and the sizes of these heads: of delayed jobs, of parked
-- jobs, and of promoted ones, which are still listed for their keys.
local DELAYED_HEAD = '\1\9scheduled\0\0\0\0\0\0\0\0\0\2\0\0'
local DELAYED_HEAD_SIZE = 23
local PARKED_HEAD = '\1\6parked\0\0\0\0\0\0\0\0\0\2\0\0'
local PARKED_HEAD_SIZE = 20
local PROMOTED_HEAD = '\1\5ready\0\0\0\0\0\0\0\0\0\2\0\1'
local PROMOTED_HEAD_SIZE = 19
-- The beginnings of other heads. Those of jobs that have ended are followed by the time of the end.
local READY_BEGIN = '\1\5ready'
local PARKED_BEGIN = '\1\6parked'
local RUNNING_BEGIN = '\1\7running\0\0\0\0\0\0'
local RETRY_BEGIN = '\1\5retry\0\0\0\0\0\0'
local SUCCEEDED_BEGIN = '\1\9succeeded'
local SUCCEEDED_BEGIN_SIZE = 11
local DEAD_BEGIN = '\1\4dead'
-- A failed attempt, see attempts.lua.
local ATTEMPT = '>BI4I6I6Hc0Hc0Hc0'
