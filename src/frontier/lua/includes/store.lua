-- Names of keys, numbers as text, long commands, and records that are written together at the end of a script.

-- All keys of a crawl start like the meta key and share its hash tag, so a script may compute them from it.
local prefix
-- Changed records: keys and packed texts in alternation.
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

-- Appends one or two values: `second` may be left out.
function store.push(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

-- Most arguments per command: Redis takes a few thousand; a page may have 10,000 links.
store.MOST_ARGUMENTS = 4000

-- Runs a command over a list of any length, in several calls if necessary. `option` is an optional argument before the list.
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

-- Writes a record at the end of the script. A script changes many hosts and domains, so one call writes them all. Each has a key of its own,
-- because Redis would search a small HASH of them linearly.
function store.set(name, packed)
  changed_records[#changed_records + 1] = name
  changed_records[#changed_records + 1] = packed
end

function store.write_records()
  for first = 1, #changed_records, store.MOST_ARGUMENTS do
    redis.call('MSET', unpack(changed_records, first, math.min(#changed_records, first + store.MOST_ARGUMENTS - 1)))
  end
end
