-- The journal: a LIST of texts, oldest first (journal-text.ts). The first line of an entry is JSON; the others are the lines of its links, which
-- pass through unchanged.

-- Builds a URL's line of skipped.jsonl. `why` has its reason and rule; the referrer is '' where there is none.
function journal.skipped_line(url, why, referrer)
  return '{"url":' .. cjson.encode(url) .. ',"reason":"' .. why.reason .. '","rule":' .. cjson.encode(why.rule)
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}'
end

-- Appends an entry for skipped URLs, without a page.
function journal.add_skipped(lines)
  if #lines > 0 then
    redis.call('RPUSH', store.key('journal'), '{"page":null,"new":"","skipped":[' .. table.concat(lines, ',')
      .. '],"paid":0,"history":0}')
  end
end

-- Appends the entry of a visit. `page` is its record as JSON, `links` the lines of its links, `new` one digit per link, `skipped` JSON
-- lines, `paid` the page's credit at its end; the history is the credit that all visits have paid so far.
function journal.add_visit(page, links, new, skipped, paid)
  redis.call('RPUSH', store.key('journal'), '{"page":' .. page .. ',"new":"' .. new .. '","skipped":['
    .. table.concat(skipped, ',') .. '],"paid":' .. store.whole(paid) .. ',"history":' .. store.whole(crawl.state.history) .. '}'
    .. links)
end
