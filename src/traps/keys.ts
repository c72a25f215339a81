/**
 * The keys of the trap memory, `orbweaver:{<crawl>}:t:<name>`, as data: ARCHITECTURE.md shows this table, and tests compare it
 * with the scripts.
 */
interface TrapKey {
  readonly name: string;
  readonly type: 'HASH' | 'STRING' | 'SET';
  /** Field of a HASH, or member of a SET. */
  readonly member: string;
  readonly value: string;
  readonly purpose: string;
}

/** Key namespace of the module. */
export const TRAP_NAMESPACE = 't';

export const TRAP_KEYS: readonly TrapKey[] = [
  {
    name: 'said:<host>',
    type: 'STRING',
    member: '',
    value: 'a bit for each pair of words and each picture, 1,024 to 262,144 of them',
    purpose: 'what its pages have said and shown lately',
  },
  {
    name: 'said-before:<host>',
    type: 'STRING',
    member: '',
    value: 'likewise',
    purpose: 'and before that',
  },
  {
    name: 'groups:<host>',
    type: 'HASH',
    member: 'text, its number, and its application if it is of one; address and a URL pattern; probes, silent',
    value:
      'number of pages that said nothing new, and asked, finite or infinite; number of probes; number of pages that said nothing new',
    purpose: 'finds infinite spaces: groups of pages that say nothing new',
  },
  {
    name: 'infinite',
    type: 'HASH',
    member: 'host, and a member of its groups',
    value: 'URL pattern, and the probe that was answered',
    purpose: 'infinite spaces',
  },
  {
    name: 'probes',
    type: 'HASH',
    member: 'URL of a soft-404 probe that is not answered yet',
    value: 'the group that it was sent for, and what its answer is compared with',
    purpose: 'reads the answers to probes',
  },
  {
    name: 'parameters:<host>',
    type: 'HASH',
    member: 'URL pattern of pages without their parameters',
    value:
      'version, names of parameters that matter, and columns of the table of core/folding: on how many rows each said the same',
    purpose: 'what was learnt of the parameters of a family of pages',
  },
  {
    name: 'rows:<host>',
    type: 'HASH',
    member: 'hash of a URL pattern, its version, and a page of it',
    value: 'visits of the page by several parameters, and a hash of what each said',
    purpose: 'says whether parameters change a page',
  },
  {
    name: 'learnt',
    type: 'SET',
    member: 'host and URL pattern',
    value: '',
    purpose: 'families of which some parameters change nothing, as far as is known',
  },
  {
    name: 'undone',
    type: 'SET',
    member: 'URL pattern and version under which URLs were folded',
    value: '',
    purpose: 'what turned out wrong, until the URLs are back in the frontier',
  },
];
