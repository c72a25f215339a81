/**
 * The frontier's keys as data: `orbweaver:{<crawl>}:f:<name>`, or `orbweaver:{<crawl>.<tag>}:f:<name>` for each part of a split crawl.
 * ARCHITECTURE.md shows this table, and tests compare it with the scripts. `<host>` is a HostKey; `<host id>`, `<shard>` and `<bucket>` are
 * numbers. Packed is MessagePack; lua/includes documents the fields of each record, with units.
 */
interface FrontierKey {
  readonly name: string;
  readonly type: 'STRING' | 'HASH' | 'ZSET' | 'SET' | 'LIST';
  /** Member, field or element. */
  readonly member: string;
  /** Score of a ZSET, value of a HASH, with its unit. */
  readonly value: string;
  readonly purpose: string;
}

/** Key namespace of the module. */
export const FRONTIER_NAMESPACE = 'f';

export const FRONTIER_KEYS: readonly FrontierKey[] = [
  {
    name: 'meta',
    type: 'HASH',
    member:
      'schema, credit, addresses (awaited or unused), budgets (on or off), egresses (apart or together), written (entries), position (JSON), leader (epoch); of a crawl in parts one more, of the crawl itself, has their tags (parts)',
    value: '',
    purpose:
      'what a crawl began with, how far its journal was written, and who leads it; there from the start to the end of a crawl',
  },
  {
    name: 'state',
    type: 'STRING',
    member: '',
    value: 'packed: the record of frontier/lua/includes/crawl.lua',
    purpose: 'counters of the crawl, its clock and its lambda page; made by the first script',
  },
  {
    name: 'seen:<bucket>',
    type: 'SET',
    member: '63-bit fingerprint of a URL',
    value: '',
    purpose: 'URLs that have ended, or were seen and are not followed; what is pending is known by its queue',
  },
  {
    name: 'deferred',
    type: 'HASH',
    member: 'URL',
    value: 'its line for skipped.jsonl',
    purpose:
      'skipped so far, for one of the reasons in frontier/frontier.ts: another way, a free place, or the redirect of a seed may still queue it',
  },
  {
    name: 'domain:<registrable domain>',
    type: 'STRING',
    member: '',
    value: 'packed: the record of frontier/lua/includes/domains.lua',
    purpose: 'what a domain has collected from lambda, and how many shares its queues hold',
  },
  {
    name: 'host:<host>',
    type: 'STRING',
    member: '',
    value: 'packed: the record of frontier/lua/includes/hosts.lua',
    purpose: 'when a host may be visited, and what it has; its common queue is part of it',
  },
  {
    name: 'patterns:<host id>',
    type: 'HASH',
    member: 'URL pattern; number of a pattern queue, from 1',
    value:
      'of a pattern how many entries of it are or were in the common queue, or minus the number of its queue; of a queue packed: the record of frontier/lua/includes/queues.lua',
    purpose: 'which queue a URL belongs to; the URL-pattern queues of a host',
  },
  {
    name: 'queue:<host id>:<queue>:<shard>',
    type: 'HASH',
    member: 'path and query, without what all of the queue begin with',
    value: 'packed: an entry of frontier/lua/includes/entries.lua',
    purpose: 'the pending URLs of a queue, those that are leased or wait for another try included',
  },
  {
    name: 'heads:<host id>:<queue>',
    type: 'ZSET',
    member: 'shard',
    value: 'minus the highest sort key of its URLs (credits)',
    purpose: 'the URL of the highest priority in a queue with several shards',
  },
  {
    name: 'priorities:<host id>',
    type: 'ZSET',
    member: 'number of a pattern queue',
    value: 'minus its priority (credits)',
    purpose: 'the order of the pattern queues of a host that has several',
  },
  {
    name: 'sources:<bucket>',
    type: 'HASH',
    member: 'number of a page that named others',
    value: 'how many pending pages it named (4 bytes), and its URL',
    purpose: 'referrers, each once',
  },
  {
    name: 'deferred-speculative:<host>',
    type: 'LIST',
    member: 'fingerprint path depth redirects hops kind referrer pattern',
    value: '',
    purpose: 'deferred speculative links, which wait for a place of the budget, in the order in which they came',
  },
  {
    name: 'folded:<fold>',
    type: 'HASH',
    member: 'URL',
    value: 'fingerprint depth redirects hops kind referrer pattern',
    purpose: 'URLs that differ from visited ones in parameters that change nothing, and how they would be visited',
  },
  {
    name: 'recorded',
    type: 'HASH',
    member: 'URL that waits for its second visit',
    value: 'hashes of links that the first one recorded and its markup does not hold',
    purpose: 'lines of links.jsonl that the second visit does not repeat',
  },
  {
    name: 'unfolded',
    type: 'SET',
    member: 'fold',
    value: '',
    purpose: 'folds that proved wrong: nothing is folded under them any more',
  },
  {
    name: 'answers',
    type: 'SET',
    member: 'host, and digest of a text',
    value: '',
    purpose: 'texts that speculative links were answered with: the same again proves nothing',
  },
  {
    name: 'due',
    type: 'ZSET',
    member: 'host; or r, the number of a queue, and a URL that waits for another try',
    value: 'due (epoch ms)',
    purpose:
      'hosts that have something queued and a free lease, and other tries; `due:<number>` the hosts for an egress address, where politeness counts for each',
  },
  {
    name: 'ready',
    type: 'ZSET',
    member: 'host',
    value: 'minus its priority (credits)',
    purpose: 'those of them that are due, the highest priority first; `ready:<number>` likewise',
  },
  {
    name: 'awaiting-dns',
    type: 'ZSET',
    member: 'host',
    value: 'when its address is to be looked up (epoch ms)',
    purpose: 'hosts awaiting DNS: none is due before its name is resolved',
  },
  {
    name: 'open-circuits',
    type: 'ZSET',
    member: 'host',
    value: 'when it closes (epoch ms)',
    purpose: 'hosts whose circuit is open',
  },
  {
    name: 'address:<address>',
    type: 'STRING',
    member: '',
    value: 'packed: the record of frontier/lua/includes/gate.lua',
    purpose: 'spacing of the visits on one address; where politeness counts for each egress address, a part for each',
  },
  {
    name: 'throttled:<registrable domain>',
    type: 'LIST',
    member: 'host',
    value: '',
    purpose:
      'hosts that are due and wait for a free visit of their domain; `throttled:<number>:<registrable domain>` for an egress address',
  },
  {
    name: 'over-budget',
    type: 'HASH',
    member: 'number of a pattern queue, and its host',
    value: '1',
    purpose: 'URL patterns over budget: their pending URLs are not leased',
  },
  {
    name: 'used-up',
    type: 'ZSET',
    member: 'host',
    value: 'pages that count for the host limit',
    purpose: 'hosts that have used up the host limit and have more queued: it is not leased',
  },
  {
    name: 'load',
    type: 'ZSET',
    member: 'host',
    value: 'URLs queued, waiting or leased, as the number of its bits',
    purpose: 'hosts that have 32 and more of them: the most loaded are shown',
  },
  {
    name: 'egresses',
    type: 'STRING',
    member: '',
    value: 'packed: records of frontier/lua/includes/egresses.lua',
    purpose: 'addresses by which processes go out, where politeness counts for each of them; else there is none',
  },
  {
    name: 'leases',
    type: 'HASH',
    member: 'token',
    value: 'packed: the record of frontier/lua/includes/leases.lua',
    purpose: 'leases that are out',
  },
  {
    name: 'suspects',
    type: 'LIST',
    member: 'the number of a queue, and a URL over which the program ended',
    value: '',
    purpose: 'pages that are visited before all others, each alone',
  },
  {
    name: 'seeds',
    type: 'ZSET',
    member: 'URL',
    value: 'order in which it came',
    purpose: 'what the scope is made of',
  },
  {
    name: 'journal',
    type: 'LIST',
    member: 'a line of JSON: page, newness of the links, skipped, paid, history; then a line for each link',
    value: '',
    purpose: 'what the crawl folder has not got yet',
  },
  {
    name: 'out:<part>',
    type: 'LIST',
    member: 'what each URL gets (credits), how many URLs, which',
    value: '',
    purpose: 'credit on its way to another part of the crawl',
  },
  {
    name: 'sent',
    type: 'HASH',
    member: 'number of another part',
    value: 'number of the last entry for it',
    purpose: 'numbers of what is on its way',
  },
  {
    name: 'received',
    type: 'HASH',
    member: 'number of another part',
    value: 'number of the last entry of it that was taken',
    purpose: 'takes each entry once',
  },
  {
    name: 'ahead',
    type: 'HASH',
    member: 'URL',
    value: 'fingerprint of the page of another part that made it known',
    purpose: 'which page made it known, until the commit of that page is over',
  },
  {
    name: 'addresses',
    type: 'HASH',
    member: 'address',
    value: 'numbers of the parts that have hosts there',
    purpose: 'which parts have to know of visits on an address',
  },
];
