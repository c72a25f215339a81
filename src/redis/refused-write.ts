import { CrawlError } from '../base/errors.ts';

const NO_RIGHTS =
  'The Redis server does not let its user do what a crawl needs.\nGive it more: ACL SETUSER <user> ~* &* +@all -@dangerous +info';

/** The beginnings of errors by which a server refuses every write, with their reasons and cures. It refuses a script as a whole: nothing has changed. */
const REFUSED_WRITES: readonly (readonly [beginning: string, words: string])[] = [
  ['OOM ', 'The memory of the Redis server is full (maxmemory).\nGive it more (CONFIG SET maxmemory)'],
  [
    'MISCONF ',
    'The Redis server takes no writes, because it cannot save to its disk.\nGive the disk room, and see its log',
  ],
  // a user whose rights are taken away while it crawls
  ['NOPERM ', NO_RIGHTS],
  // Redis 7.0 of a command within a script, which ends there; later versions say NOPERM of it, too
  ["ERR The user executing the script can't run ", NO_RIGHTS],
  ['READONLY ', 'The Redis server is a replica, which takes no writes.\nName the primary (--redis)'],
];

/** Precedes the reason in the error of a transaction. */
const DISCARDED = /^EXECABORT Transaction discarded because of: /;

/** @returns {CrawlError} REDIS_UNFIT for a server's error that it takes no writes; null for every other error */
export function refusedWrite(error: unknown): CrawlError | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  const message = reasonOf(error).message.replace(DISCARDED, '');
  const [, words] = REFUSED_WRITES.find(([beginning]) => message.startsWith(beginning)) ?? [];
  if (words === undefined) return null;
  return new CrawlError('REDIS_UNFIT', `${words}. A crawl that had begun loses nothing: resume it then.`);
}

/** A transaction was discarded for the first of its commands that was refused. */
function reasonOf(error: Error): Error {
  const before: unknown =
    'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors[0] : null;
  return before instanceof Error ? before : error;
}

/** For a promise's catch. @throws what {@link refusedWrite} makes of the error, else the error itself */
export function throwRefused(error: unknown): never {
  throw refusedWrite(error) ?? error;
}
