-- The journal: a LIST of texts, oldest first (journal-text.ts). The first line of an entry is JSON, the others are the lines
-- of its links, which come and go as they are. Needs store.

-- An entry that is no page's: what was skipped.
local function write_skipped(lines)
  if #lines > 0 then
    redis.call('RPUSH', key('journal'), '{"page":null,"new":"","skipped":[' .. table.concat(lines, ',')
      .. '],"paid":0,"history":0}')
  end
end

-- `paid` is what the page gave when it ended, `history` what all have given so far.
local function write_page(page, links, new, skipped, paid)
  redis.call('RPUSH', key('journal'), '{"page":' .. page .. ',"new":"' .. new .. '","skipped":['
    .. table.concat(skipped, ',') .. '],"paid":' .. whole(paid) .. ',"history":' .. whole(state.history) .. '}' .. links)
end
