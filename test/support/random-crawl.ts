/** A crawl with random events at any time: for properties that must hold after any operation and any death of a process. */
import fc from 'fast-check';
import { epochMs, milliseconds, type EpochMs } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { Candidate } from '../../src/model/candidate.ts';
import type { RecordOutcome, SkipReason } from '../../src/model/record.ts';
import type { Disposition, CommittedLink, VisitCommit } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import { candidate, link, pageRecord, seed, commit, skip, skippedLink, url } from './frontier-nouns.ts';

/** Several hosts, two of one domain, and one list of pages long enough for a queue of its own. */
const URLS: readonly string[] = [
  ...['a', 'b', 'www.c', 'docs.c'].flatMap((host) => [1, 2, 3].map((path) => `https://${host}.example/${path}`)),
  ...Array.from({ length: 30 }, (_, index) => `https://a.example/list/${index}`),
];

/** Attempts after which a URL that crashes the browser is quarantined. */
const QUARANTINED_AFTER = 2;
const LEASE = milliseconds(1000);

export type Step =
  | {
      readonly kind: 'admit';
      readonly urls: readonly number[];
      readonly as: 'seed' | 'link' | 'speculative' | 'skipped';
    }
  | { readonly kind: 'lease'; readonly count: number }
  | {
      readonly kind: 'settle';
      readonly visit: number;
      readonly ending: 'visited' | 'redirected' | 'failed' | 'forbidden' | 'retry' | 'crashed';
      readonly urls: readonly number[];
      readonly as: 'link' | 'speculative' | 'skipped';
      readonly blames: boolean;
    }
  | { readonly kind: 'release' | 'renew' | 'again'; readonly visit: number }
  /** Some pages need a second visit; some may already wait for one. */
  | { readonly kind: 'visit-again'; readonly pages: readonly number[] }
  /** Leases expire and are reaped. */
  | { readonly kind: 'reap' }
  /** The process dies with its leases; another one resumes. */
  | { readonly kind: 'kill' }
  | { readonly kind: 'wait'; readonly time: number };

export function steps({ most }: { readonly most: number }): fc.Arbitrary<readonly Step[]> {
  const urls = fc.uniqueArray(fc.nat(URLS.length - 1), { maxLength: 25, size: 'max' });
  const visit = fc.nat(5);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('admit' as const),
        urls,
        as: fc.constantFrom('seed' as const, 'link' as const, 'speculative' as const, 'skipped' as const),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('lease' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        visit,
        ending: fc.constantFrom(
          'visited' as const,
          'visited' as const,
          'redirected' as const,
          'failed' as const,
          'forbidden' as const,
          'retry' as const,
          'crashed' as const,
        ),
        urls,
        as: fc.constantFrom('link' as const, 'link' as const, 'speculative' as const, 'skipped' as const),
        blames: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('release' as const, 'renew' as const, 'again' as const), visit }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('visit-again' as const),
        pages: fc.uniqueArray(fc.nat(20), { maxLength: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reap' as const, 'kill' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), time: fc.nat(3000) }) },
  );
  return fc.array(step, { minLength: 5, maxLength: most, size: 'max' });
}

export class RandomCrawl {
  frontier: Frontier;
  readonly urls = URLS;
  readonly #reopen: () => Promise<Frontier>;
  /** Leases of the living process; leases of dead ones are unknown. */
  #visits: readonly Visit[] = [];
  #settled: readonly (readonly [Visit, VisitCommit])[] = [];
  /** Visited pages, as far as the living process knows. */
  #pages: readonly Visit[] = [];
  #time = 1_000_000;

  constructor(frontier: Frontier, reopen: () => Promise<Frontier>) {
    this.frontier = frontier;
    this.#reopen = reopen;
  }

  get now(): EpochMs {
    return epochMs(this.#time);
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'admit':
        return this.#admit(step.urls, step.as);
      case 'lease':
        await this.lease(step.count);
        return;
      case 'settle': {
        const visit = this.#visits[step.visit % Math.max(1, this.#visits.length)];
        return visit === undefined ? undefined : this.#settle(visit, step);
      }
      case 'release':
      case 'renew':
      case 'again':
        return this.#touch(step.kind, step.visit);
      case 'visit-again': {
        const pages = step.pages.flatMap((index) => this.#pages[index % Math.max(1, this.#pages.length)] ?? []);
        const recorded = pages.map((page, index) => ({ ...page, recorded: index % 2 === 0 ? [] : [index] }));
        await this.frontier.visitAgain(recorded, this.now);
        return;
      }
      case 'reap':
        this.#time += LEASE;
        await this.frontier.reap(this.now, this.now);
        return;
      case 'kill':
        return this.#kill();
      case 'wait':
        this.#time += step.time;
    }
  }

  async lease(count: number): Promise<readonly Visit[]> {
    const reply = await this.frontier.lease({ now: this.now, count, leaseFor: LEASE, newHostDelay: milliseconds(0) });
    const visits = reply.kind === 'leased' ? reply.visits : [];
    this.#visits = [...this.#visits, ...visits].slice(-8);
    return visits;
  }

  /** Visits the rest, and ends the crawl as the product does. */
  async finish(): Promise<void> {
    await this.#kill();
    for (;;) {
      const visits = await this.lease(4);
      for (const visit of visits) {
        // a URL that was tried before crashes the browser again, finally; speculative links prove wrong
        const answered = visit.confidence === 'high' ? 'visited' : 'failed';
        const ending = visit.attempt < QUARANTINED_AFTER ? answered : 'crashed';
        await this.#settle(visit, { ending, urls: [], as: 'link', blames: false });
      }
      const { queued, leased, queuedAgain, leasedAgain } = await this.frontier.totals();
      if (queued + leased + queuedAgain + leasedAgain === 0) break;
      // beyond the longest pause of a host that was given up
      if (visits.length === 0) this.#time += 7 * 3_600_000;
    }
    await this.frontier.flushDeferred(this.now);
  }

  async #kill(): Promise<void> {
    this.#visits = [];
    this.#pages = [];
    this.frontier = await this.#reopen();
    await this.frontier.reclaim('died', this.now, this.now);
  }

  async #admit(urls: readonly number[], as: 'seed' | 'link' | 'speculative' | 'skipped'): Promise<void> {
    const texts = urls.map((index) => URLS[index] ?? '');
    if (as === 'skipped') {
      const records = texts.map((text, index) => skip(text, reasonOf(index)));
      await this.frontier.admit([], records, this.now);
      return;
    }
    const make = (text: string): Candidate =>
      as === 'seed' ? seed(text) : candidate(text, { confidence: as === 'speculative' ? 'low' : 'high' });
    await this.frontier.admit(texts.map(make), [], this.now);
  }

  async #touch(kind: 'release' | 'renew' | 'again', number: number): Promise<void> {
    const visit = this.#visits[number % Math.max(1, this.#visits.length)];
    if (visit === undefined) return;
    if (kind === 'release') await this.frontier.release(visit.token, this.now);
    if (kind === 'renew') await this.frontier.begin(visit.token, epochMs(this.#time + LEASE));
    const again = this.#settled[number % Math.max(1, this.#settled.length)];
    if (kind === 'again' && again !== undefined) await this.frontier.commit(...again, this.now);
  }

  async #settle(visit: Visit, how: Omit<Extract<Step, { kind: 'settle' }>, 'kind' | 'visit'>): Promise<void> {
    const texts = how.urls.map((index) => URLS[index] ?? '').slice(0, how.ending === 'redirected' ? 1 : undefined);
    const links = texts.map((text, index): CommittedLink => {
      if (how.as === 'skipped') return skippedLink(visit, text, reasonOf(index));
      return link(visit, text, { confidence: how.as === 'speculative' ? 'low' : 'high' });
    });
    const ending = endingOf(visit, how.ending, epochMs(this.#time + 500));
    const isRedirect = ending.kind === 'visited' && ending.record.outcome === 'redirected';
    const own = isRedirect ? links.map((it) => ofConfidence(it, visit)) : links;
    const given = commit(ending, ending.kind === 'skipped' ? [] : own, {
      hostSlots: 2,
      hostBackoff: how.blames ? milliseconds(100) : null,
      hostBackoffMost: how.blames ? milliseconds(1000) : null,
      novelty: how.blames ? 'known' : null,
      ...(how.blames ? { [visit.attempt === 1 ? 'hostThrottled' : 'failsAgain']: true } : {}),
      ...(ending.kind === 'skipped' && !how.blames ? { unasked: true } : {}),
    });
    this.#settled = [...this.#settled, [visit, given] as const].slice(-8);
    const reply = await this.frontier.commit(visit, given, this.now);
    if (reply.kind === 'committed' && ending.kind === 'visited') this.#pages = [...this.#pages, visit];
  }
}

/** The target of a speculative link's redirect is speculative, too. */
function ofConfidence(it: CommittedLink, { confidence }: Visit): CommittedLink {
  if (it.target.kind !== 'candidate') return it;
  return { ...it, target: { kind: 'candidate', candidate: { ...it.target.candidate, confidence } } };
}

function endingOf(visit: Visit, ending: Extract<Step, { kind: 'settle' }>['ending'], due: EpochMs): Disposition {
  const record = (outcome: RecordOutcome) => ({
    ...pageRecord(url(visit.url)),
    outcome,
    ...(visit.again === true ? { again: true as const } : {}),
  });
  switch (ending) {
    case 'visited':
      return { kind: 'visited', record: record('captured') };
    case 'redirected':
      return { kind: 'visited', record: record('redirected') };
    case 'failed':
      return { kind: 'failed', record: record('http-error') };
    case 'forbidden':
      return { kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') };
    case 'retry':
      return { kind: 'retry', due };
    case 'crashed':
      return visit.attempt < QUARANTINED_AFTER
        ? { kind: 'retry', due }
        : { kind: 'failed', record: { ...record('crashed'), detail: 'quarantined' } };
  }
}

function reasonOf(index: number): SkipReason {
  const reasons = ['out-of-scope', 'depth', 'nofollow', 'duplicate'] as const;
  return reasons[index % reasons.length] ?? 'depth';
}
