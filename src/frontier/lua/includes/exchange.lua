-- Credit in transit between the parts of one crawl (design/scale, "One crawl over several nodes"). Credit for another part leaves this one in the
-- script that takes it, as an entry of the LIST `out:<part>`. The entries of a list are numbered from 1; `sent` has the number of the last one, and
-- `received` of the other part the last one that it has taken. So each entry counts once, however often it is delivered.
--
-- An entry is: credit per URL, number of URLs, their groups as JSON (CreditGroups.fields of sendable-links.ts). Without URLs it is for lambda.
--
-- A commit gets the groups for other parts before all other groups: o, number of the part, number of URLs, the groups.

function exchange.read_groups()
  local groups, at = {}, REST
  while ARGV[at] == 'o' do
    groups[#groups + 1] = { part = ARGV[at + 1], count = tonumber(ARGV[at + 2]), links = ARGV[at + 3] }
    at = at + 4
  end
  REST = at
  return groups
end

function exchange.count(groups)
  local count = 0
  for _, group in ipairs(groups) do
    count = count + group.count
  end
  return count
end

-- Sends an entry with credit that was in transit.
function exchange.send(part, share, count, links)
  credit.in_transit = credit.in_transit - share * math.max(1, count)
  redis.call('RPUSH', store.key('out:' .. part), store.whole(share) .. ' ' .. store.whole(count) .. ' ' .. links)
  redis.call('HINCRBY', store.key('sent'), part, 1)
end

-- Sends each group its shares.
function exchange.send_all(groups, share)
  for _, group in ipairs(groups) do
    if share > 0 then
      exchange.send(group.part, share, group.count, group.links)
    end
  end
end
