/**
 * The keys that the processes of one crawl share, `orbweaver:{<crawl>}:w:<name>`, as data: ARCHITECTURE.md shows this table, and a
 * test compares it. None expires by itself.
 */
interface FleetKey {
  readonly name: string;
  readonly type: 'HASH' | 'STRING' | 'LIST' | 'ZSET';
  readonly member: string;
  readonly value: string;
  readonly purpose: string;
}

/** Key namespace of the module. */
export const FLEET_NAMESPACE = 'w';

export const FLEET_KEYS: readonly FleetKey[] = [
  {
    name: 'posting',
    type: 'STRING',
    member: '',
    value: 'JSON',
    purpose: 'what a worker must know to make visits of the crawl, or why it takes none; no secrets',
  },
  {
    name: 'controller',
    type: 'HASH',
    member: 'epoch, beat, offset (ms), state (running or left), owner',
    value: '',
    purpose: 'who may lease: the process of the last epoch; how its clock differs from that of the server',
  },
  {
    name: 'workers',
    type: 'HASH',
    member: 'id of a worker',
    value: 'JSON: name, slots, beat, since (epoch ms), version, egress (the address that it goes out by)',
    purpose: 'who makes visits beside the controller',
  },
  {
    name: 'claims',
    type: 'ZSET',
    member: 'processors and process, by when the claim runs out (ms of the server)',
    value: '',
    purpose: 'which processes render on which processors: no more of them start a browser than there are cores',
  },
  {
    name: 'news',
    type: 'LIST',
    member: 'JSON: the token of a visit that a worker has finished, or a note for the user',
    value: '',
    purpose: 'wakes the controller; what is lost of it the leases show',
  },
  {
    name: 'book',
    type: 'LIST',
    member: 'JSON: a change of the sitemap book, seeds that redirects made, or what a page taught of pages like it',
    value: '',
    purpose: 'what every process must know before it judges a link; read by each from where it stopped',
  },
];
