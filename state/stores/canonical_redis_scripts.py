"""What the Redis server does in one step. Each script runs alone, checks everything first, and only then writes.

A script that meets a foreign value stops before its first write. The first write is one the server refuses when it
is full, read-only or told to stop writing, so no script is left half done. Only commands of Redis 6 are used, every
key is declared, and all keys of one call belong to one run and so to one slot of a cluster.

``KEYS[1]`` is the hash of the run: ``epoch`` (the fence), ``stands`` (expiry of this hash), ``count`` (records
begun), ``masked`` (expiry of the placeholder map) and, for each record, ``call:ID`` = "number expiry". It names what
must be there, so that a key which somebody deleted or evicted is a loss and not an absence. All times are milliseconds
of the server's clock; a key lives while ``now <= expiry``.

Replies begin with a verdict: DONE; THERE (begun before: the record); CHANGED (not the record expected); FENCED (a
higher epoch holds the run); LATE (expired before it could be kept); LOST (the keys contradict each other).
"""

from dataclasses import dataclass
from hashlib import sha1

_PRELUDE = """
local run, time = KEYS[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(field)
  local text = redis.call('HGET', run, field)
  if not text then return nil end
  return assert(tonumber(text), 'not a number')
end
local fence, stands, count, masked = number('epoch'), number('stands'), number('count'), number('masked')
assert((fence and stands) or redis.call('EXISTS', run) == 0, 'not a run')
fence, stands = fence or -1, stands or 0
-- True if a key is gone before its time, or there without being named.
local function lost(expiry, there)
  if not expiry then return there end
  return not there and assert(tonumber(expiry), 'not a number') >= now
end
local function lost_record(call, key, record)
  local entry = redis.call('HGET', run, call)
  local there = redis.call('EXISTS', key) == 1
  return lost(entry and assert(string.match(entry, '^%d+ (%d+)$'), 'not an entry'), there) or (there and not record)
end
local function lost_map(map)
  return lost(masked, redis.call('HLEN', map) > 0)
end
-- The first write of every script. The run's hash outlives `at` and, when the fence goes up, the whole TTL.
local function claim(epoch, ttl, at)
  local last = math.max(stands, at, fence < epoch and now + ttl or 0)
  redis.call('HSET', run, 'epoch', math.max(fence, epoch), 'stands', last)
  redis.call('PEXPIREAT', run, last)
end
local function keep_map(map, at)
  if at > (masked or 0) then
    redis.call('HSET', run, 'masked', at)
    redis.call('PEXPIREAT', map, at)
  end
end
local function insert(call, key, at, record, raw)
  count = (count or 0) + 1
  redis.call('HSET', run, 'count', count, call, count .. ' ' .. at)
  redis.call('HSET', key, 'record', record)
  if raw and raw ~= '' then redis.call('HSET', key, 'raw', raw) end
  redis.call('PEXPIREAT', key, at)
end
"""


@dataclass(frozen=True)
class Script:
    """One script by its text and the SHA-1 under which the server keeps it."""

    text: str
    sha1: str


def _script(body: str) -> Script:
    text = _PRELUDE + body
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


RAISE_FENCE = _script("""
claim(tonumber(ARGV[1]), tonumber(ARGV[2]), now + ARGV[2])
return {'DONE'}
""")
"""KEYS run. ARGV epoch, ttl."""

READ = _script("""
if ARGV[1] ~= '' and fence > tonumber(ARGV[1]) then return {'FENCED'} end
local found = {}
for i = 2, #KEYS do
  local seen = redis.call('HMGET', KEYS[i], 'record', ARGV[2])
  found[i - 1] = {redis.call('EXISTS', KEYS[i]), seen[1], seen[2]}
end
return {'DONE', now, redis.call('HGETALL', run), found}
""")
"""KEYS run, records. ARGV epoch that must be able to write or "", second field to read. Writes nothing."""

READ_MAP = _script("""
if lost_map(KEYS[2]) then return {'LOST'} end
return {'DONE', masked or 0, redis.call('HGETALL', KEYS[2])}
""")
"""KEYS run, placeholders. Replies the expiry of the map and its content. Writes nothing."""

BEGIN = _script("""
local epoch, ttl, call, at = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
if fence > epoch then return {'FENCED'} end
local there = redis.call('HGET', KEYS[2], 'record')
if lost_record(call, KEYS[2], there) or lost_map(KEYS[3]) then return {'LOST'} end
if there then
  if fence < epoch then claim(epoch, ttl, 0) end
  return {'THERE', there}
end
if at <= now then return {'LATE'} end
claim(epoch, ttl, at)
insert(call, KEYS[2], ARGV[4], ARGV[5])
if redis.call('HLEN', KEYS[3]) > 0 then keep_map(KEYS[3], at) end
return {'DONE'}
""")
"""KEYS run, record, placeholders. ARGV epoch, ttl, call field, expiry, record."""

REPLACE = _script("""
local epoch = tonumber(ARGV[1])
if fence > epoch then return {'FENCED'} end
if redis.call('HGET', KEYS[2], 'record') ~= ARGV[3] then return {'CHANGED'} end
claim(epoch, tonumber(ARGV[2]), 0)
redis.call('HSET', KEYS[2], 'record', ARGV[4])
if ARGV[5] then redis.call('HSET', KEYS[2], 'raw', ARGV[5]) end
return {'DONE'}
""")
"""KEYS run, record. ARGV epoch, ttl, record expected, new record, raw if any. The expiry stays."""

ADD_TO_MAP = _script("""
local epoch, ttl = tonumber(ARGV[1]), tonumber(ARGV[2])
if fence > epoch then return {'FENCED'} end
if lost_map(KEYS[2]) then return {'LOST'} end
claim(epoch, ttl, 0)
local new = 0
for i = 3, #ARGV, 2 do new = new + redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) end
if new > 0 then
  claim(epoch, ttl, now + ttl)
  keep_map(KEYS[2], now + ttl)
end
return {'DONE'}
""")
"""KEYS run, placeholders. ARGV epoch, ttl, then name, value …"""

COPY = _script("""
local epoch, ttl, map_at, last = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[3])
if fence > epoch then return {'FENCED'} end
if lost_map(KEYS[2]) then return {'LOST'} end
local there = {}
for i = 3, #KEYS do
  local arg = 4 + (i - 3) * 4
  there[i] = redis.call('HGET', KEYS[i], 'record')
  if lost_record(ARGV[arg], KEYS[i], there[i]) then return {'LOST'} end
  if not there[i] and tonumber(ARGV[arg + 1]) <= now then return {'LATE'} end
  last = math.max(last, tonumber(ARGV[arg + 1]))
end
claim(epoch, ttl, last)
for i = 3, #KEYS do
  local arg = 4 + (i - 3) * 4
  if not there[i] then insert(ARGV[arg], KEYS[i], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3]) end
end
if map_at > now then
  for i = 4 + (#KEYS - 2) * 4, #ARGV, 2 do redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) end
  keep_map(KEYS[2], map_at)
end
return {'DONE'}
""")
"""KEYS run, placeholders, records. ARGV epoch, ttl, expiry of the map, then for each record its call field, expiry,
record and raw (empty: it has none), then name, value … of the placeholders."""
