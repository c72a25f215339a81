-- The journal: a LIST of JSON texts, oldest first. Payloads come and go as they are. Needs store.

local function write_journal(entry)
  if entry.page == 'null' and entry.links == '[]' and #entry.skipped == 0 then
    return
  end
  redis.call('RPUSH', key('journal'), '{"page":' .. entry.page .. ',"links":' .. entry.links
    .. ',"new":"' .. entry.new .. '","skipped":[' .. table.concat(entry.skipped, ',') .. ']'
    .. ',"cash":' .. whole(entry.cash) .. ',"history":' .. whole(entry.history) .. '}')
end
