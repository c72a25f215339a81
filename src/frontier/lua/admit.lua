-- Makes URLs known: candidates are queued, skipped ones recorded.
-- Reply: how many were new. Cost: O(URLs); the caller bounds their number.

advance_clock(args.now)
local groups = read_groups()
find(groups)
local candidates = of_class(groups, 'c')
reopen(candidates)

-- Seeds that are not known share what is theirs.
local share = 0
if args.seeds == 'yes' then
  local seeds = 0
  for _, group in ipairs(groups) do
    for _, link in ipairs(group) do
      add_seed(group.host .. link.path)
      if not link.value and (not link.ended or link.reopened) then
        seeds = seeds + 1
      end
    end
  end
  share = seed_share(seeds)
end

for _, group in ipairs(candidates) do
  admit(group, share, 0)
end
local lines = {}
for _, group in ipairs(of_class(groups, 's')) do
  skip(group, lines)
end
for _, group in ipairs(of_class(groups, 'g')) do
  admit_speculative(group)
end
take_up_speculative()
take_from_lambda(-in_transit)

local new = 0
for _, group in ipairs(groups) do
  for _, link in ipairs(group) do
    new = new + (link.new and 1 or 0)
  end
end
write_skipped(lines)
flush_all()
return new
