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

-- A record is a table in a script and a packed text in Redis. `--- @record name` names its fields, and behind a bar those that are not
-- kept; it stands for pack_name and unpack_name (lua-library.ts).

-- The second one is left out where there is none.
local function push(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

-- Redis takes a few thousand arguments in a call; a page may have 10,000 links.
local MOST_ARGUMENTS = 4000

-- `option` comes before the list, where there is one.
local function call_with(command, name, list, option)
  for first = 1, #list, MOST_ARGUMENTS do
    local last = math.min(#list, first + MOST_ARGUMENTS - 1)
    if option then
      redis.call(command, name, option, unpack(list, first, last))
    else
      redis.call(command, name, unpack(list, first, last))
    end
  end
end

-- Records that have a key of their own, and a script changes many of: they are written in one call when it ends. Each host and domain has
-- one: a small HASH of many would be searched from end to end.
local changed_records

local function set(name, packed)
  changed_records[#changed_records + 1] = name
  changed_records[#changed_records + 1] = packed
end

-- The books: what there is one of in a crawl.
--   clock     the highest time seen (epoch ms): one that was set back stands still here until it has caught up
--   promoted  hosts that are due until then stand in `ready`
--   lambda    credit of the lambda page;  income: what it has got since it last paid;  commits: since it last paid
--   paid      what it paid each domain so far (a level, see credit.lua);  domains: those that have pending pages
--   history   all that pages have paid
--   hosts     that were ever known: a host's number, which is shorter than its name;  unfinished: those that have something pending
--   suspects  pages over which the program ended and that wait to be visited alone;  alone: 1 while one of them is visited (lease.lua)
--   awaited   1 where no host is visited before its address is told;  judging: 1 where patterns have budgets
--   host_limit  pages of a host that may be visited, 0 for any number (host-limit.lua)
--- @record books clock promoted token sources lambda income commits paid domains history discovered visited failed skipped
--- @record books queued leased unaddressed resting hosts unfinished awaited judging suspects alone host_limit

local books

local function first_books()
  local credit, addresses, budgets = unpack(redis.call('HMGET', keys.meta, 'credit', 'addresses', 'budgets'))
  local first = unpack_books(string.rep(cmsgpack.pack(0), 25))
  first.lambda, first.awaited, first.judging = tonumber(credit), addresses == 'awaited' and 1 or 0, budgets == 'off' and 0 or 1
  return first
end

at_each_call(function()
  PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)
  changed_records = {}
  local packed = redis.call('GET', key('books'))
  books = packed and unpack_books(packed) or first_books()
end)

local function advance_clock(now)
  books.clock = math.max(books.clock, tonumber(now))
end

local function count(counter, change)
  books[counter] = books[counter] + change
end

-- Writes all records that were set. The last thing that a script does.
local function close_books()
  set(key('books'), pack_books(books))
  for first = 1, #changed_records, MOST_ARGUMENTS do
    redis.call('MSET', unpack(changed_records, first, math.min(#changed_records, first + MOST_ARGUMENTS - 1)))
  end
end
