-- Sources: pages that link to pending URLs. An entry has the number of its source, 0 for none. The source stores its URL once, and the number of
-- entries that refer to it.

-- Sources per HASH, few enough to keep its packed form.
local SOURCES_TOGETHER = 64
local numbers, uses

at_each_call(function()
  numbers, uses = {}, {}
end)

local function bucket(number)
  return store.key('sources:' .. math.floor(number / SOURCES_TOGETHER))
end

-- Returns the number of a source for URLs that become pending in this call.
function sources.number_of(url)
  if url == '' then
    return 0
  end
  if not numbers[url] then
    crawl.count('sources', 1)
    numbers[url] = crawl.state.sources
  end
  return numbers[url]
end

function sources.url_of(number)
  if number == 0 then
    return ''
  end
  return string.sub(redis.call('HGET', bucket(number), store.whole(number)), 5)
end

-- Changes the number of entries that refer to a source.
function sources.use(number, change)
  if number > 0 then
    uses[number] = (uses[number] or 0) + change
  end
end

function sources.flush()
  local urls = {}
  for url, number in pairs(numbers) do
    urls[number] = url
  end
  for number, change in pairs(uses) do
    local field, had, url = store.whole(number), 0, urls[number]
    if not url then
      local packed = redis.call('HGET', bucket(number), field)
      had, url = struct.unpack('>I4', packed), string.sub(packed, 5)
    end
    if had + change > 0 then
      redis.call('HSET', bucket(number), field, struct.pack('>I4', had + change) .. url)
    elseif had > 0 then
      redis.call('HDEL', bucket(number), field)
    end
  end
end
