-- Sources: the pages that named pending ones. A pending page has the number of its source, 0 for none; the source has its URL
-- once, and how many pending pages name it. Needs store.

local source_of, source_url, use_source, flush_sources
do
  -- Sources in one HASH, small enough to keep its packed form.
  local SOURCES_TOGETHER = 64
  local sources, uses

  at_each_call(function()
    sources, uses = {}, {}
  end)

  local function sources_key(number)
    return key('sources:' .. math.floor(number / SOURCES_TOGETHER))
  end

  -- The number for pages that become pending now.
  function source_of(url)
    if url == '' then
      return 0
    end
    if not sources[url] then
      count('sources', 1)
      sources[url] = state.sources
    end
    return sources[url]
  end

  function source_url(number)
    if number == 0 then
      return ''
    end
    return string.sub(redis.call('HGET', sources_key(number), whole(number)), 5)
  end

  -- One pending page more, or less, names a source.
  function use_source(number, change)
    if number > 0 then
      uses[number] = (uses[number] or 0) + change
    end
  end

  function flush_sources()
    local urls = {}
    for url, number in pairs(sources) do
      urls[number] = url
    end
    for number, change in pairs(uses) do
      local field, had, url = whole(number), 0, urls[number]
      if not url then
        local packed = redis.call('HGET', sources_key(number), field)
        had, url = struct.unpack('>I4', packed), string.sub(packed, 5)
      end
      if had + change > 0 then
        redis.call('HSET', sources_key(number), field, struct.pack('>I4', had + change) .. url)
      elseif had > 0 then
        redis.call('HDEL', sources_key(number), field)
      end
    end
  end
end
