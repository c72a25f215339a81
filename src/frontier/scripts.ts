/** The frontier's Lua scripts, with named arguments and typed replies. */
import { luaLibrary } from '../redis/lua-library.ts';
import type { LuaScript } from '../redis/lua-script.ts';
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import type { FrontierTotals } from './frontier.ts';

/** A script of the frontier: only one key is passed; the others share its prefix. */
export type FrontierScript<Arg extends string, Reply> = LuaScript<'meta', Arg, Reply>;

export type LeaseAnswer =
  | { readonly kind: 'leased'; readonly now: number; readonly visits: readonly (readonly string[])[] }
  | { readonly kind: 'nothing-due'; readonly due: number }
  | { readonly kind: 'nothing-queued' }
  | { readonly kind: 'circuits-open' };

export interface ReapAnswer {
  readonly taken: number;
  readonly suspects: readonly string[];
}

export interface UnfoldAnswer {
  readonly back: number;
  readonly left: number;
}

export interface FlushAnswer {
  readonly written: number;
  readonly left: number;
}

export interface JournalAnswer {
  readonly upTo: number;
  readonly entries: readonly string[];
}

/** Tables of lua/includes, in loading order. */
export const PARTS: readonly string[] = [
  'store',
  'leader',
  'crawl',
  'egresses',
  'entries',
  'shards',
  'queues',
  'hosts',
  'host_lists',
  'domains',
  'credit',
  'patterns',
  'budget',
  'sources',
  'gate',
  'health',
  'leases',
  'promotion',
  'seen',
  'journal',
  'lookup',
  'credit_links',
  'exchange',
  'admission',
  'ahead',
  'speculative',
  'folds',
  'again',
  'host_limit',
];

const library = luaLibrary('frontier', new URL('./lua/', import.meta.url), PARTS);

/** Declares a script of the library: all must be declared before the first one runs. */
export const script = <Arg extends string, Reply>(
  name: string,
  args: readonly Arg[],
  reply: (raw: unknown) => Reply,
): FrontierScript<Arg, Reply> => library.script(name, { keys: ['meta'], args, reply });

/** The same for a script that writes nothing: a server that takes no writes runs it, too. */
const reading = <Reply>(name: string, reply: (raw: unknown) => Reply): FrontierScript<never, Reply> =>
  library.script(name, { keys: ['meta'], args: [], reply, reads: true });

/** Rest: groups of URLs (lua/includes/admission.lua). `seeds`: yes, probes (soft-404), else no. Reply: one digit per URL, 1 where it was new. */
export const ADMIT: FrontierScript<'now' | 'seeds' | 'shares' | 'epoch', string> = script(
  'admit',
  ['now', 'seeds', 'shares', 'epoch'],
  replyText,
);

/** Reply: false where another process has a later epoch. */
export const LEAD: FrontierScript<'epoch', boolean> = script('lead', ['epoch'], yesOrNo);
/** `fair` is yes to lease from the host that has been due longest. */
export const LEASE: FrontierScript<
  'now' | 'count' | 'leaseFor' | 'newHostDelay' | 'egresses' | 'fair' | 'epoch',
  LeaseAnswer
> = script('lease', ['now', 'count', 'leaseFor', 'newHostDelay', 'egresses', 'fair', 'epoch'], leaseAnswer);

export type CommitAnswer =
  | { readonly kind: 'fenced' }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'committed'; readonly newLinks: number; readonly places: readonly number[] };

const COMMIT_ARGUMENTS = [
  'now',
  'token',
  'fingerprint',
  'disposition',
  'counts',
  'retryDue',
  'hostDelay',
  'hostSlots',
  'hostBackoff',
  'hostBackoffMost',
  'hostThrottled',
  'failsAgain',
  'serverTime',
  'novelty',
  'pattern',
  'answer',
  'page',
  'links',
  'skipped',
  'unasked',
  'newSeeds',
  'ended',
  'elsewhere',
] as const;

/** Rest: credit for other parts (lua/includes/exchange.lua), links that only bring credit (lua/includes/credit_links.lua), then as in ADMIT. */
export const COMMIT: FrontierScript<(typeof COMMIT_ARGUMENTS)[number], CommitAnswer> = script(
  'commit',
  COMMIT_ARGUMENTS,
  commitAnswer,
);

/** `begins` is yes where a worker begins the visit. */
export const RENEW: FrontierScript<'token' | 'deadline' | 'begins', boolean> = script(
  'renew',
  ['token', 'deadline', 'begins'],
  yesOrNo,
);
/** Reply: number of leases that are out. */
export const STOPPING: FrontierScript<'epoch', number> = script('stopping', ['epoch'], wholeOf);
export const RELEASE: FrontierScript<'token' | 'now' | 'hostDue', boolean> = script(
  'release',
  ['token', 'now', 'hostDue'],
  yesOrNo,
);
/** Reply: true where it was folded; false where it must be visited, or the lease is not out. */
export const FOLD: FrontierScript<'now' | 'token' | 'fingerprint' | 'pattern' | 'fold' | 'record', boolean> = script(
  'fold',
  ['now', 'token', 'fingerprint', 'pattern', 'fold', 'record'],
  yesOrNo,
);
export const UNFOLD: FrontierScript<'now' | 'fold' | 'count' | 'epoch', UnfoldAnswer> = script(
  'unfold',
  ['now', 'fold', 'count', 'epoch'],
  (raw) => {
    const [back, left] = listOf(raw);
    return { back: wholeOf(back), left: wholeOf(left) };
  },
);
/** `recorded` is JSON: hashes of recorded links, by URL, where there are any. Rest: groups of URLs, as in ADMIT. Reply: number of URLs queued. */
export const VISIT_AGAIN: FrontierScript<'now' | 'recorded' | 'epoch', number> = script(
  'visit-again',
  ['now', 'recorded', 'epoch'],
  wholeOf,
);
/** `which` is `expired`, `all` or `died`. */
export const REAP: FrontierScript<'now' | 'hostDue' | 'which' | 'epoch', ReapAnswer> = script(
  'reap',
  ['now', 'hostDue', 'which', 'epoch'],
  (raw) => {
    const [taken, ...suspects] = listOf(raw);
    return { taken: wholeOf(taken), suspects: suspects.map(replyText) };
  },
);
export const FLUSH_DEFERRED: FrontierScript<'now' | 'count' | 'epoch', FlushAnswer> = script(
  'flush-deferred',
  ['now', 'count', 'epoch'],
  (raw) => {
    const [written, left] = listOf(raw);
    return { written: wholeOf(written), left: wholeOf(left) };
  },
);

/** Reply: number of URLs skipped. */
export const FLUSH_WITHHELD: FrontierScript<'now' | 'count' | 'epoch', number> = script(
  'flush-withheld',
  ['now', 'count', 'epoch'],
  wholeOf,
);
/** `limit` is 0 for no limit. Reply: number of hosts freed; call again until it is 0. */
export const SET_HOST_LIMIT: FrontierScript<'limit' | 'count' | 'epoch', number> = script(
  'set-host-limit',
  ['limit', 'count', 'epoch'],
  wholeOf,
);
/** `why` is `trap` or `host-limit`. */
export const HELD_BACK: FrontierScript<
  'host' | 'queue' | 'shard' | 'why',
  { readonly queues: number; readonly shards: number; readonly lines: readonly string[] }
> = script('held-back', ['host', 'queue', 'shard', 'why'], (raw) => {
  const [queues, shards, ...lines] = listOf(raw);
  return { queues: wholeOf(queues), shards: wholeOf(shards), lines: lines.map(replyText) };
});
export const OVER_BUDGET: FrontierScript<never, readonly (readonly unknown[])[]> = script('over-budget', [], (raw) =>
  listOf(raw).map(listOf),
);
export const OPEN_CIRCUITS: FrontierScript<never, readonly (readonly unknown[])[]> = script(
  'open-circuits',
  [],
  (raw) => listOf(raw).map(listOf),
);

export const JOURNAL: FrontierScript<'count' | 'epoch', JournalAnswer> = script(
  'journal',
  ['count', 'epoch'],
  (raw) => {
    const [upTo, ...entries] = listOf(raw);
    return { upTo: wholeOf(upTo), entries: entries.map(replyText) };
  },
);
export const JOURNAL_WRITTEN: FrontierScript<'upTo' | 'position' | 'epoch', boolean> = script(
  'journal-written',
  ['upTo', 'position', 'epoch'],
  yesOrNo,
);

export const AWAITING_DNS: FrontierScript<'now' | 'count' | 'term' | 'epoch', readonly string[]> = script(
  'awaiting-dns',
  ['now', 'count', 'term', 'epoch'],
  (raw) => listOf(raw).map(replyText),
);
/** `address` is empty where there is none, `nextTry` where no other try will follow. */
export const RESOLVED: FrontierScript<'now' | 'host' | 'kind' | 'address' | 'nextTry', boolean> = script(
  'resolved',
  ['now', 'host', 'kind', 'address', 'nextTry'],
  yesOrNo,
);

/** Reply: epoch ms. */
export const LATEST: FrontierScript<never, number> = script('latest', [], wholeOf);

export interface TotalsAnswer {
  readonly totals: FrontierTotals;
  readonly counted: number;
  /** Credit that all visits have paid; in a large crawl a double cannot hold all its digits. */
  readonly history: number;
}

export const TOTALS: FrontierScript<never, TotalsAnswer> = reading('totals', (raw) => {
  const [discovered = 0, visited = 0, failed = 0, skipped = 0, queued = 0, leased = 0, hosts = 0, ...others] = numbers(
    listOf(raw).slice(0, -1),
  );
  const [withheld = 0, counted = 0, queuedAgain = 0, leasedAgain = 0] = others;
  const totals = { discovered, visited, failed, skipped, queued, leased, hosts, withheld, queuedAgain, leasedAgain };
  return { totals, counted, history: Number(replyText(listOf(raw).at(-1))) };
});
export const SLOWEST_HOSTS: FrontierScript<'count', readonly (readonly unknown[])[]> = script(
  'slowest-hosts',
  ['count'],
  (raw) => listOf(raw).map(listOf),
);
export const URL_STATE: FrontierScript<'fingerprint' | 'host' | 'path' | 'pattern', readonly unknown[]> = script(
  'url-state',
  ['fingerprint', 'host', 'path', 'pattern'],
  listOf,
);
export const AUDIT: FrontierScript<never, number> = script('audit', [], wholeOf);

function numbers(raw: unknown): readonly number[] {
  return listOf(raw).map(wholeOf);
}

function fieldText(raw: unknown): string {
  return typeof raw === 'number' ? String(raw) : replyText(raw);
}

function leaseAnswer(raw: unknown): LeaseAnswer {
  const [kind, first, ...visits] = listOf(raw);
  if (kind === 'nothing-queued' || kind === 'circuits-open') return { kind };
  if (kind === 'nothing-due') return { kind, due: wholeOf(first) };
  return { kind: 'leased', now: wholeOf(first), visits: visits.map((visit) => listOf(visit).map(fieldText)) };
}

function commitAnswer(raw: unknown): CommitAnswer {
  const [kind, newLinks, ...places] = listOf(raw);
  if (kind === 'fenced' || kind === 'outdated') return { kind };
  return { kind: 'committed', newLinks: wholeOf(newLinks), places: places.map(wholeOf) };
}
