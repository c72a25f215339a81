-- The journal: a LIST of texts, oldest first (journal-text.ts). The first line of an entry is JSON, the others are the lines
-- of its links, which come and go as they are. Needs store.

local function write_journal(entry)
  if entry.page == 'null' and entry.links == '' and #entry.skipped == 0 then
    return
  end
  redis.call('RPUSH', key('journal'), '{"page":' .. entry.page .. ',"new":"' .. entry.new
    .. '","skipped":[' .. table.concat(entry.skipped, ',') .. '],"cash":' .. whole(entry.cash)
    .. ',"history":' .. whole(entry.history) .. '}' .. entry.links)
end
