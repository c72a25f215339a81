/**
 * The similarity index's keys, `orbweaver:{<crawl>}:s:<name>`, as data: ARCHITECTURE.md shows this table, and tests compare it
 * with the scripts. `<bucket>` is a number from 0: a small hash, which Redis keeps packed.
 */
interface SimilarityKey {
  readonly name: string;
  readonly type: 'HASH' | 'STRING';
  /** Field of a HASH. */
  readonly member: string;
  readonly value: string;
  readonly purpose: string;
}

/** Key namespace of the module. */
export const SIMILARITY_NAMESPACE = 's';

export const SIMILARITY_KEYS: readonly SimilarityKey[] = [
  {
    name: 'meta',
    type: 'HASH',
    member: 'layout, pages, hosts',
    value: 'version and bands; the highest numbers given to a page and to a host',
    purpose: 'what the other keys are read by',
  },
  {
    name: 'page:<bucket>',
    type: 'HASH',
    member: "the page's number in its bucket",
    value: 'digest host linkSignature signature path, bytes at fixed places',
    purpose: 'the first page of each kind',
  },
  {
    name: 'band:<bucket>',
    type: 'HASH',
    member: '2 bytes of the hash of a band, or of the digest of a text',
    value: 'number of a page, or up to 8 of them, 3 bytes each',
    purpose: 'finds pages that have a band, or all of their text, in common',
  },
  {
    name: 'hosts',
    type: 'HASH',
    member: 'host',
    value: 'its number',
    purpose: 'keeps the names of hosts once',
  },
  {
    name: 'names',
    type: 'HASH',
    member: 'number of a host',
    value: '3 bytes of the SHA-1 of its registrable domain, and its name',
    purpose: 'finds the host of a page',
  },
  {
    name: 'url:<bucket>',
    type: 'HASH',
    member: '5 bytes of the SHA-1 of a URL',
    value: 'number of a page',
    purpose: 'finds what was entered for a page that is visited again',
  },
  {
    name: 'boilerplate:<host>',
    type: 'STRING',
    member: '',
    value: 'number of pages; hash of a line and number of pages that have it, 5 bytes each',
    purpose: "what a host's pages have in common: at most 2,048 lines",
  },
];
