import { CrawlError } from '../base/errors.ts';

/** The beginnings of errors by which a server refuses every write, with their reasons and cures. It refuses a script as a whole: nothing has changed. */
const REFUSED_WRITES: readonly (readonly [beginning: string, words: string])[] = [
  ['OOM ', 'The memory of the Redis server is full (maxmemory).\nGive it more (CONFIG SET maxmemory)'],
  [
    'MISCONF ',
    'The Redis server takes no writes, because it cannot save to its disk.\nGive the disk room, and see its log',
  ],
  // a user whose rights are taken away while it crawls
  [
    'NOPERM ',
    'The Redis server does not let its user do what a crawl needs.\nGive it more: ACL SETUSER <user> ~* &* +@all -@dangerous +info',
  ],
  ['READONLY ', 'The Redis server is a replica, which takes no writes.\nName the primary (--redis)'],
];

/** @returns {CrawlError} REDIS_UNFIT for a server's error that it takes no writes; null for every other error */
export function refusedWrite(error: unknown): CrawlError | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  const [, words] = REFUSED_WRITES.find(([beginning]) => error.message.startsWith(beginning)) ?? [];
  if (words === undefined) return null;
  return new CrawlError('REDIS_UNFIT', `${words}, then resume the crawl: nothing is lost.`);
}
