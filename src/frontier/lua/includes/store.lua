-- Names of keys, numbers as text, long commands, and records that are written together when a script ends.

-- All keys of a crawl begin like the meta key and share its hash tag, so a script may compute the others from it.
local prefix
-- Alternating key and packed record.
local changed_records

at_each_call(function()
  prefix = string.sub(keys.meta, 1, -#'meta' - 1)
  changed_records = {}
end)

function store.key(name)
  return prefix .. name
end

-- A whole number as text, exact to 2^53 (tostring keeps 14 digits only).
function store.whole(number)
  return string.format('%d', number)
end

-- `second` may be left out.
function store.push(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

-- Redis takes a few thousand arguments in a call; a page may have 10,000 links.
store.MOST_ARGUMENTS = 4000

-- Runs a command over a list of any length, in several calls where it is long. `option` is the argument before the list, if there is one.
function store.call_with(command, name, list, option)
  for first = 1, #list, store.MOST_ARGUMENTS do
    local last = math.min(#list, first + store.MOST_ARGUMENTS - 1)
    if option then
      redis.call(command, name, option, unpack(list, first, last))
    else
      redis.call(command, name, unpack(list, first, last))
    end
  end
end

-- Writes a record when the script ends. A script changes many hosts and domains, so one call writes them all. Each has a key of its own,
-- because Redis would search a small HASH of many of them from end to end.
function store.set(name, packed)
  changed_records[#changed_records + 1] = name
  changed_records[#changed_records + 1] = packed
end

function store.write_records()
  for first = 1, #changed_records, store.MOST_ARGUMENTS do
    redis.call('MSET', unpack(changed_records, first, math.min(#changed_records, first + store.MOST_ARGUMENTS - 1)))
  end
end
