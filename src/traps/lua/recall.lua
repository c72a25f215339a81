-- Compares the content sketch of a page with what its host has said, adds to that, and counts pages that say nothing new.
-- Reply: {words that are new, pictures that are new, standing of its kind, name of the kind, name of a wide kind}; standing is plain | ask
-- | endless. A kind is wide that is all of a folder or of the host: pages of it are without end if they are like the probe.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)

local function key(name)
  return PREFIX .. name
end

-- What was said is a Bloom filter of one bit a word. When one in eight is set a new one is begun, twice as large, up to a bound, and
-- the one before it is asked as well: what is said again and again is never forgotten.
local FIRST_BITS = 1024
local MOST_BITS = 2 ^ 18
local FULL = 8
-- Words beyond this share of a page's own say something: a counter or a motto of the day alone does not.
local NEW_SHARE = 50
-- So many pages of a kind that say nothing new are suspect; where no answer came it is asked again after as many times this.
local SUSPECT = 25
local ASKED_AGAIN = 4
-- Probes that are asked for on a host: so many, and one more for each so many of its pages that say nothing new, for a site whose first kinds
-- have an end may still have one without. And kinds that are counted of it.
local MOST_ASKED = 12
local ASKED_MORE = 100
local MOST_KINDS = 2048
-- So many kinds of a folder, or of the host, that have no end make it suspect as a whole: what is not there is asked for.
local SUSPECT_KINDS = 1

local said_key = key('said:' .. args.host)
local before_key = key('said-before:' .. args.host)
local kinds_key = key('kinds:' .. args.host)

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

-- How many of them are new.
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
  return { new_words, new_pictures, 'plain', '', '' }
end

-- One more page of a kind. How many, and what is known of it.
local function count(name)
  local pages, state = string.match(redis.call('HGET', kinds_key, name) or '', '^(%d+) ?(%a*)')
  if not pages and redis.call('HLEN', kinds_key) >= MOST_KINDS then
    return { name = name, pages = 0, state = '' }
  end
  local kind = { name = name, pages = tonumber(pages or 0) + 1, state = state or '' }
  redis.call('HSET', kinds_key, name, kind.pages .. ' ' .. kind.state)
  return kind
end

local function is_due(kind)
  return (kind.state == '' and kind.pages >= SUSPECT)
    or (kind.state == 'asked' and kind.pages % (SUSPECT * ASKED_AGAIN) == 0)
end

local by_text, by_address = count('text ' .. args.print), count('address ' .. args.pattern)
local wide = {}
for _, name in ipairs({ 'folder ' .. args.folder, 'host' }) do
  if (tonumber(redis.call('HGET', kinds_key, 'found ' .. name)) or 0) >= SUSPECT_KINDS then
    wide[#wide + 1] = count(name)
  end
end

for _, kind in ipairs({ by_text, by_address }) do
  if kind.state == 'endless' then
    return { 0, 0, 'endless', kind.name, '' }
  end
end

local function due_kind()
  for _, kind in ipairs(wide) do
    if kind.state == '' then
      return kind
    end
  end
  if is_due(by_text) then
    return by_text
  end
  -- what has an end by its text has one wherever it stands
  return by_text.state == '' and is_due(by_address) and by_address
end

local resembled = ''
for _, kind in ipairs(wide) do
  if kind.state == 'endless' and resembled == '' then
    resembled = kind.name
  end
end
-- Whether one more probe may be asked for.
local function may_ask()
  local probes, silent = unpack(redis.call('HMGET', kinds_key, 'probes', 'silent'))
  return (tonumber(probes) or 0) < MOST_ASKED + math.floor(tonumber(silent) / ASKED_MORE)
end

redis.call('HINCRBY', kinds_key, 'silent', 1)
local due = due_kind()
if due and may_ask() then
  redis.call('HINCRBY', kinds_key, 'probes', 1)
  redis.call('HSET', kinds_key, due.name, due.pages .. ' asked')
  return { 0, 0, 'ask', due.name, resembled }
end
return { 0, 0, 'plain', '', resembled }
