-- Names, numbers, packed records, the clock and the books.
-- All keys of a crawl begin like the meta key and share its hash tag; so a script may compute the others from it.

local PREFIX

local function key(name)
  return PREFIX .. name
end

-- A whole number as text, exact to 2^53 (tostring keeps 14 digits only).
local function whole(number)
  return string.format('%d', number)
end

-- A record is a table in a script and a packed text in Redis. A layout names its fields in order; `format` says how each is
-- packed (lstruct: I7 is a whole number in 7 bytes). What is text stands behind the numbers.
local function pack_record(layout, record)
  local values = {}
  for index = 1, #layout do
    values[index] = record[layout[index]]
  end
  return struct.pack(layout.format, unpack(values))
end

-- Also where the text behind the numbers begins.
local function unpack_record(layout, packed)
  local values = { struct.unpack(layout.format, packed) }
  local record = {}
  for index = 1, #layout do
    record[layout[index]] = values[index]
  end
  return record, values[#layout + 1]
end

-- Redis takes a few thousand arguments in a call; a page may have 10,000 links.
local MOST_ARGUMENTS = 4000

local function call_with(command, name, list)
  for first = 1, #list, MOST_ARGUMENTS do
    redis.call(command, name, unpack(list, first, math.min(#list, first + MOST_ARGUMENTS - 1)))
  end
end

-- Keys and values in turn. Each host and domain has a key of its own: a small HASH of many would be searched from end to end.
local function set_all(list)
  for first = 1, #list, MOST_ARGUMENTS do
    redis.call('MSET', unpack(list, first, math.min(#list, first + MOST_ARGUMENTS - 1)))
  end
end

-- The books: what there is one of in a crawl.
--   clock     the highest time seen (epoch ms): one that was set back stands still here until it has caught up
--   promoted  hosts that are due until then stand in `ready`
--   lambda    credit of the lambda page;  income: what it has got since it last paid;  commits: since it last paid
--   paid      what it paid each domain so far (a level, see credit.lua);  domains: those that have pending pages
--   history   all that pages have paid
local BOOKS = {
  format = '>dddddddddddddddddd',
  'clock',
  'promoted',
  'token',
  'sources',
  'lambda',
  'income',
  'commits',
  'paid',
  'domains',
  'history',
  'discovered',
  'visited',
  'failed',
  'skipped',
  'queued',
  'leased',
  'unaddressed',
  'resting',
}

local SETTINGS, books

at_each_call(function()
  PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)
  SETTINGS = redis.call('HMGET', keys.meta, 'books', 'addresses', 'budgets')
  books = unpack_record(BOOKS, SETTINGS[1])
end)

local function advance_clock(now)
  books.clock = math.max(books.clock, tonumber(now))
end

local function count(counter, change)
  books[counter] = books[counter] + change
end

local function close_books()
  redis.call('HSET', keys.meta, 'books', pack_record(BOOKS, books))
end
