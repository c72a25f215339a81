/**
 * The frontier's keys, `orbweaver:{<crawl>}:f:<name>`, as data: ARCHITECTURE.md shows this table, and tests compare it
 * with the scripts. `<host>` is a HostKey, `<host id>`, `<shard>` and `<bucket>` are numbers. Packed is MessagePack.
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

/** The module's namespace of keys. */
export const FRONTIER_NAMESPACE = 'f';

export const FRONTIER_KEYS: readonly FrontierKey[] = [
  {
    name: 'meta',
    type: 'HASH',
    member: 'schema, credit, addresses (awaited or unused), budgets (on or off), written (entries), position (JSON)',
    value: '',
    purpose: 'what a crawl began with, and how far its journal was written; there from the start to the end of a crawl',
  },
  {
    name: 'books',
    type: 'STRING',
    member: '',
    value:
      'packed: clock promoted (epoch ms) token sources lambda income commits paid domains history discovered visited failed skipped queued leased unaddressed resting hosts unfinished (credits, counts) awaited judging suspects alone host_limit',
    purpose: 'the books, the clock and the lambda page; made by the first script',
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
      'skipped so far for its depth, for nofollow, for duplicates or as a speculative link; another way, or a free place, may still queue it',
  },
  {
    name: 'domain:<registrable domain>',
    type: 'STRING',
    member: '',
    value: 'packed: pot seen level (credits) units leased fetched parked (counts)',
    purpose: 'what lambda has paid a domain, and how many units share it',
  },
  {
    name: 'host:<host>',
    type: 'STRING',
    member: '',
    value:
      'packed: score top level seen (credits) shards size members head due floor failed_at (epoch ms) delay (ms) slots queued waiting leased failures spec_budget spec_pending held awaiting units patterns (counts) server_time pause (ms) rest capped id own (credit) own_unit pot (credits) domain_name address pages quota',
    purpose: 'when a host may be visited, and what it has; it is its common queue as well',
  },
  {
    name: 'units:<host id>',
    type: 'HASH',
    member: 'URL pattern; number of a unit, from 1',
    value:
      'of a pattern how many pages of it are or were in the common queue, or minus the number of its unit; of a unit packed: top level pot (credits) shards size members head closed fetched budget looked brought bred judged held (counts) pattern',
    purpose: 'which unit a page belongs to; patterns with a queue of their own',
  },
  {
    name: 'queue:<host id>:<unit>:<shard>',
    type: 'HASH',
    member: 'path and query, without what all of the unit begin with',
    value: 'packed: order (credits), depth, kind, source, redirects, hops, attempts, deaths, credit of what is away',
    purpose: 'the pending pages of a unit, those that are leased or wait for another try included',
  },
  {
    name: 'heads:<host id>:<unit>',
    type: 'ZSET',
    member: 'shard',
    value: 'minus the order of its richest page (credits)',
    purpose: 'the richest page of a unit with several shards',
  },
  {
    name: 'tops:<host id>',
    type: 'ZSET',
    member: 'number of a unit',
    value: 'minus the credit of its richest page (credits)',
    purpose: 'the richest page of a host with several units that have a queue of their own',
  },
  {
    name: 'sources:<bucket>',
    type: 'HASH',
    member: 'number of a page that named others',
    value: 'how many pending pages it named (4 bytes), and its URL',
    purpose: 'referrers, each once',
  },
  {
    name: 'held:<host>',
    type: 'LIST',
    member: 'fingerprint path depth redirects hops kind referrer pattern',
    value: '',
    purpose: 'speculative links that wait for a place, in the order in which they came',
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
    member: 'host; or r, a unit, and a URL that waits for another try',
    value: 'due (epoch ms)',
    purpose: 'hosts that have something queued and a free lease, and other tries',
  },
  {
    name: 'ready',
    type: 'ZSET',
    member: 'host',
    value: 'minus the credit of its richest page (credits)',
    purpose: 'those of them that are due, the richest first',
  },
  {
    name: 'unaddressed',
    type: 'ZSET',
    member: 'host',
    value: 'when its address is to be looked up (epoch ms)',
    purpose: 'hosts that are not due before their address is told',
  },
  {
    name: 'resting',
    type: 'ZSET',
    member: 'host',
    value: 'until when (epoch ms)',
    purpose: 'hosts that were given up for hours',
  },
  {
    name: 'address:<address>',
    type: 'STRING',
    member: '',
    value: 'packed: when a visit last began there, and the next time that nobody has booked (epoch ms)',
    purpose: 'spacing of the visits on one address',
  },
  {
    name: 'parked:<registrable domain>',
    type: 'LIST',
    member: 'host',
    value: '',
    purpose: 'hosts that wait for a place of their domain',
  },
  {
    name: 'closed',
    type: 'HASH',
    member: 'number of a unit, and its host',
    value: '1',
    purpose: 'patterns that are held back, for what they brought',
  },
  {
    name: 'spent',
    type: 'ZSET',
    member: 'host',
    value: 'pages that were visited',
    purpose: 'hosts that had as many pages as the limit allows, and have more queued',
  },
  {
    name: 'load',
    type: 'ZSET',
    member: 'host',
    value: 'URLs queued, waiting or leased, as the number of its bits',
    purpose: 'hosts that have 32 and more of them: the most loaded are shown',
  },
  {
    name: 'leases',
    type: 'HASH',
    member: 'token',
    value: 'packed: deadline leased_at (epoch ms) unit begun url',
    purpose: 'leases that are out',
  },
  {
    name: 'suspects',
    type: 'LIST',
    member: 'a unit, and a URL over which the program ended',
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
];
