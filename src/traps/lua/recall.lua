-- Compares a page's content sketch with everything that its host has shown before, remembers it, and counts pages that say nothing new.
-- Such pages are counted in groups: by text, by URL pattern, by folder, and by host. The last two are *wide*. A page of
-- one of several applications (`/app12/`, model/url/url-shape.ts) is counted by its text within that application: the applications start alike,
-- and each gives its own answer to missing pages.
-- Reply: {new words, new pictures, standing of its group, name of the group, name of a wide group}.
--   standing is none | probe | infinite; pages of a wide infinite group are a trap if they resemble its probe.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)

local function key(name)
  return PREFIX .. name
end

-- The words of a host are a Bloom filter of one bit a word. When one bit in eight is set, a new filter begins, twice as large up to a
-- limit. The filter before it is still consulted, so recurring words are never forgotten.
local FIRST_BITS = 1024
local MOST_BITS = 2 ^ 18
local FULL = 8
-- A page says something new if more than one in NEW_SHARE of its words is new: a counter or a motto of the day is not enough.
local NEW_SHARE = 50
-- A group is suspect after SUSPECT pages that say nothing new. An unanswered probe is sent again after ASKED_AGAIN times as many.
local SUSPECT = 25
local ASKED_AGAIN = 4
-- A host gets at most MOST_ASKED probes, plus one for every ASKED_MORE of its pages that say nothing new: a site whose first groups
-- are finite may still have an infinite one. At most MOST_GROUPS groups are counted.
local MOST_ASKED = 12
local ASKED_MORE = 100
local MOST_GROUPS = 2048
-- A folder or host with this many infinite groups is suspect as a whole and gets a probe of its own.
local SUSPECT_GROUPS = 1

local said_key = key('said:' .. args.host)
local before_key = key('said-before:' .. args.host)
local groups_key = key('groups:' .. args.host)

local said = redis.call('GET', said_key) or ''
local before = redis.call('GET', before_key) or ''

local function has(bytes, number)
  if bytes == '' then
    return false
  end
  local at = number % (#bytes * 8)
  local byte = string.byte(bytes, math.floor(at / 8) + 1)
  return math.floor(byte / 2 ^ (7 - at % 8)) % 2 == 1
end

if said == '' then
  redis.call('SETBIT', said_key, FIRST_BITS - 1, 0)
  said = string.rep('\0', FIRST_BITS / 8)
end

-- Remembers words or pictures. Returns the number of new ones.
local function say(numbers)
  local new = 0
  for at = 1, #numbers, 4 do
    local number = struct.unpack('>I4', numbers, at)
    if not has(said, number) then
      redis.call('SETBIT', said_key, number % (#said * 8), 1)
      if not has(before, number) then
        new = new + 1
      end
    end
  end
  return new
end

local new_words, new_pictures = say(args.words), say(args.pictures)
if redis.call('BITCOUNT', said_key) > #said * 8 / FULL then
  redis.call('RENAME', said_key, before_key)
  redis.call('SETBIT', said_key, math.min(MOST_BITS, #said * 16) - 1, 0)
end
if new_words <= math.floor(#args.words / 4 / NEW_SHARE) then
  new_words = 0
end
if new_words > 0 or new_pictures > 0 then
  return { new_words, new_pictures, 'none', '', '' }
end

-- Counts one more page of a group. Returns the group: name, pages, state.
local function count(name)
  local pages, state = string.match(redis.call('HGET', groups_key, name) or '', '^(%d+) ?(%a*)')
  if not pages and redis.call('HLEN', groups_key) >= MOST_GROUPS then
    return { name = name, pages = 0, state = '' }
  end
  local group = { name = name, pages = tonumber(pages or 0) + 1, state = state or '' }
  redis.call('HSET', groups_key, name, group.pages .. ' ' .. group.state)
  return group
end

local function is_due(group)
  return (group.state == '' and group.pages >= SUSPECT)
    or (group.state == 'asked' and group.pages % (SUSPECT * ASKED_AGAIN) == 0)
end

local application = string.match(args.folder, '^/%a[%a_-]*%d%d?/$')
local by_text = count('text ' .. args.fingerprint .. (application and ' ' .. application or ''))
local by_address = count('address ' .. args.pattern)
local wide = {}
for _, name in ipairs({ 'folder ' .. args.folder, 'host' }) do
  if (tonumber(redis.call('HGET', groups_key, 'found ' .. name)) or 0) >= SUSPECT_GROUPS then
    wide[#wide + 1] = count(name)
  end
end

for _, group in ipairs({ by_text, by_address }) do
  if group.state == 'infinite' then
    return { 0, 0, 'infinite', group.name, '' }
  end
end

local function due_group()
  for _, group in ipairs(wide) do
    if group.state == '' then
      return group
    end
  end
  if is_due(by_text) then
    return by_text
  end
  -- a page whose text group is finite is no reason to probe its pattern
  return by_text.state == '' and is_due(by_address) and by_address
end

local resembled = ''
for _, group in ipairs(wide) do
  if group.state == 'infinite' and resembled == '' then
    resembled = group.name
  end
end
-- May the host get one more probe?
local function may_ask()
  local probes, silent = unpack(redis.call('HMGET', groups_key, 'probes', 'silent'))
  return (tonumber(probes) or 0) < MOST_ASKED + math.floor(tonumber(silent) / ASKED_MORE)
end

redis.call('HINCRBY', groups_key, 'silent', 1)
local due = due_group()
if due and may_ask() then
  redis.call('HINCRBY', groups_key, 'probes', 1)
  redis.call('HSET', groups_key, due.name, due.pages .. ' asked')
  return { 0, 0, 'probe', due.name, resembled }
end
return { 0, 0, 'none', '', resembled }
