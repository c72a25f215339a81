/**
 * The frontier's keys, `orbweaver:{<crawl>}:f:<name>`, as data: ARCHITECTURE.md shows this table, and tests compare it
 * with the scripts. `<host>` is a HostKey, `<shard>` and `<bucket>` are numbers from 0.
 */
export interface FrontierKey {
  readonly name: string;
  readonly type: 'HASH' | 'ZSET' | 'SET' | 'LIST';
  /** Member, field or element. */
  readonly member: string;
  /** Score of a ZSET, value of a HASH, with its unit. */
  readonly value: string;
  readonly purpose: string;
}

/** The room's name in the key space. */
export const FRONTIER_ROOM = 'f';

export const FRONTIER_KEYS: readonly FrontierKey[] = [
  {
    name: 'meta',
    type: 'HASH',
    member:
      'schema, buckets, clock (epoch ms), token, lambda (credits), discovered, visited, failed, skipped, queued, leased, written (entries), position (JSON), addresses (awaited or unused)',
    value: 'whole number, where no unit is named a count',
    purpose: 'the books, the clock and the lambda page; there from the start to the end of a crawl',
  },
  {
    name: 'seen:<bucket>',
    type: 'SET',
    member: '63-bit fingerprint of a URL',
    value: '',
    purpose: 'URLs that are or were to be visited',
  },
  {
    name: 'skipped:<bucket>',
    type: 'SET',
    member: '63-bit fingerprint of a URL',
    value: '',
    purpose: 'URLs that were seen and are not followed',
  },
  {
    name: 'deferred',
    type: 'HASH',
    member: 'URL',
    value: 'its line for skipped.jsonl',
    purpose:
      'skipped so far for its depth, for nofollow or as a guess; another way, or a free place, may still queue it',
  },
  {
    name: 'hosts',
    type: 'HASH',
    member: 'host',
    value:
      'head due floor delay slots queued waiting leased failures failed_at trust guesses held shards awaiting (credits, epoch ms, ms, counts)',
    purpose: 'when a host may be visited, and what it has',
  },
  {
    name: 'held:<host>',
    type: 'LIST',
    member: 'fingerprint path depth redirects hops attempts kind referrer',
    value: '',
    purpose: 'guesses that wait for a place, in the order in which they came',
  },
  {
    name: 'answers',
    type: 'SET',
    member: 'host, and digest of a text',
    value: '',
    purpose: 'texts that guesses were answered with: the same again proves nothing',
  },
  {
    name: 'due',
    type: 'ZSET',
    member: 'host',
    value: 'due (epoch ms)',
    purpose: 'hosts that have something queued and a free lease',
  },
  {
    name: 'unaddressed',
    type: 'ZSET',
    member: 'host',
    value: 'when its address is to be looked up (epoch ms)',
    purpose: 'hosts that are not due before their address is told',
  },
  {
    name: 'load',
    type: 'ZSET',
    member: 'host',
    value: 'URLs queued, waiting or leased',
    purpose: 'hosts that are not done; the most loaded are shown',
  },
  {
    name: 'queue:<shard>:<host>',
    type: 'ZSET',
    member: 'path and query',
    value: 'credit (credits)',
    purpose: 'what is to be visited on a host, the richest last',
  },
  {
    name: 'facts:<shard>:<host>',
    type: 'HASH',
    member: '12 hexadecimal digits of the SHA-1 of the path',
    value: 'depth redirects hops attempts kind referrer',
    purpose: 'what a queued URL will be visited with',
  },
  {
    name: 'heads:<host>',
    type: 'ZSET',
    member: 'shard',
    value: 'credit of its richest path (credits)',
    purpose: 'the richest path of a host with several shards',
  },
  {
    name: 'retries',
    type: 'ZSET',
    member: 'URL',
    value: 'due (epoch ms)',
    purpose: 'URLs that wait for another try',
  },
  {
    name: 'retry',
    type: 'HASH',
    member: 'URL',
    value: 'host path credit depth redirects hops attempts kind referrer',
    purpose: 'what they will be queued with',
  },
  {
    name: 'leases',
    type: 'ZSET',
    member: 'token',
    value: 'deadline (epoch ms)',
    purpose: 'leases that are out',
  },
  {
    name: 'lease',
    type: 'HASH',
    member: 'token',
    value: 'host path credit depth redirects hops attempts kind referrer leased_at credit_at_lease',
    purpose: 'what is leased under a token',
  },
  {
    name: 'leased',
    type: 'HASH',
    member: 'URL',
    value: 'token',
    purpose: 'finds the lease of a URL, to credit it',
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
    member: 'a line of JSON: page, newness of the links, skipped, cash, history; then a line for each link',
    value: '',
    purpose: 'what the crawl folder has not got yet',
  },
];
