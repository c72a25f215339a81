/**
 * Keeps a crawl signed in. Invariants: a page loaded while signed out never becomes a record, but is loaded again when the crawl is signed
 * in; one visit signs in for all, while no page is loaded; where that fails the crawl pauses, and every visit is given back.
 */
import type { Clock } from '../../base/clock.ts';
import { CrawlError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { urlGlob } from '../../core/scope/url-glob.ts';
import { sessionEvidence, siteOf, targetShape, type SessionEvidence } from '../../core/sign-in/session-evidence.ts';
import { SignOutMemory } from '../../core/sign-in/sign-out-memory.ts';
import { markWords, type SignedInMark } from '../../core/sign-in/signed-in-mark.ts';
import { canonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { registrableDomainOf, type HostKey } from '../../model/url/host-key.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import type { CrawlSignIns } from '../opening/open-sign-ins.ts';
import type { LogIn, LogInEnd } from './log-in.ts';
import { showsSignedIn } from './session-check.ts';
import { VisitGate } from './visit-gate.ts';

type Load = (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome>;

interface GuardParts {
  readonly load: Load;
  readonly seeds: readonly CanonicalUrl[];
  /** Null where the crawl cannot sign in again. */
  readonly logIn: LogIn | null;
  /** Null where pages do not show it: nothing is checked then. */
  readonly mark: SignedInMark | null;
  readonly signIns: CrawlSignIns;
  /** Makes later pages begin with the current sign-ins. */
  readonly renew: () => void;
  /** Stops recording in the archive until the returned function is called. */
  readonly mute: () => () => void;
  /** Stores the picture of a log-in that failed. @returns its path; null where that did not work */
  readonly keepPicture: (picture: Uint8Array) => Promise<string | null>;
  /** Pause between two loads of a host. */
  readonly delayOf: (host: HostKey) => Milliseconds;
  readonly clock: Clock;
  readonly log: Log;
}

interface Seen {
  readonly outcome: VisitOutcome;
  readonly evidence: SessionEvidence;
  /** How often the crawl had signed in when the visit began. */
  readonly generation: number;
  /** On the monotonic clock. */
  readonly began: Milliseconds;
  readonly ended: Milliseconds;
}

/** Loads of a page, alone, that must sign out before it is believed: sessions end by themselves, too. */
const PROOFS = 2;
/** The most pages in a row that are believed to sign out: beyond that, the sign-in itself does not last. */
const BLAMED_IN_A_ROW = 10;
const PATH_RULE = 'other addresses of this path ended the sign-in';
/** Why a log-in that showed the mark may be of no use: the application keeps its tokens elsewhere. */
const TAKEN =
  'a crawl takes cookies, local and session storage and databases from a log-in, and nothing of the memory of its page';
/** Seeds that are asked for the mark where no page has shown it yet. */
const ASKED_SEEDS = 3;

export class SessionGuard {
  readonly #parts: GuardParts;
  readonly #gate = new VisitGate();
  readonly #memory = new SignOutMemory();
  readonly #knownTargets = new Set<string>();
  readonly #sites: ReadonlySet<string>;
  readonly #isMarked: ((url: string) => boolean) | null;
  #generation = 0;
  /** When the last visit that was signed in began. */
  #lastIn: Milliseconds = milliseconds(0);
  /** A page that was signed in: it tells whether the crawl still is. */
  #reference: CanonicalUrl | null = null;
  /** The page on which the log-in ended. */
  #home: CanonicalUrl | null = null;
  #blamed = 0;
  #out = false;
  #pause: (why: string) => void = () => {};
  /** Resolves, with the reason, when the crawl is signed out and cannot sign in again. */
  readonly signedOut: Promise<string>;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    const { mark, seeds } = parts;
    this.#sites = new Set(seeds.flatMap((seed) => siteOf(seed) ?? []));
    const matches = mark?.kind === 'url' ? urlGlob(mark.glob) : null;
    this.#isMarked = matches === null ? null : (url) => matches(url) !== mark?.contrary;
    this.signedOut = new Promise((resolve) => (this.#pause = resolve));
  }

  /**
   * Signs in before the crawl begins; with a storage state and a mark, later and only when a page shows that the state does not hold.
   * @throws {CrawlError} LOGIN_FAILED
   */
  async start(signal: AbortSignal): Promise<void> {
    const { logIn, mark, signIns, seeds } = this.#parts;
    if (logIn === null) return;
    const isIn = seeds.some((seed) => signIns.stateOf(registrableDomainOf(seed)) !== null);
    if (isIn && mark !== null) return;
    const end = await this.#logIn(logIn, signal);
    if (end.kind === 'signed-in') return;
    throw new CrawlError('LOGIN_FAILED', `the log-in failed: ${await this.#words(end)}`);
  }

  /** Makes a visit. @returns null where it is to be given back: the crawl is signed out */
  async load(visit: Visit, signal: AbortSignal): Promise<VisitOutcome | null> {
    if (this.#parts.mark === null) return this.#parts.load(visit, signal);
    if (!this.#concerns(visit.url)) return unmarked(await this.#parts.load(visit, signal));
    if (this.#out) return null;
    if (this.#memory.signsOut(visit.url)) return { ...signsOut(PATH_RULE), unasked: true };
    if (this.#memory.isSuspect(visit.url)) return this.#gate.alone(() => this.#tryAlone(visit, 0, signal));
    const seen = await this.#gate.shared(() => this.#look(visit, signal), signal);
    return seen.evidence === 'doubt'
      ? this.#gate.alone(() => this.#doubted(visit, seen, signal))
      : this.#taken(visit, seen);
  }

  /** Are pages of this site signed in? Where something is stored for some of several sites, only those count. */
  #concerns(url: CanonicalUrl): boolean {
    const { signIns, seeds } = this.#parts;
    const domain = registrableDomainOf(url);
    if (!this.#sites.has(domain)) return false;
    return (
      signIns.stateOf(domain) !== null || seeds.every((seed) => signIns.stateOf(registrableDomainOf(seed)) === null)
    );
  }

  async #look(visit: Visit, signal: AbortSignal): Promise<Seen> {
    const { load, clock } = this.#parts;
    const generation = this.#generation;
    const began = milliseconds(clock.monotonic());
    const outcome = this.#marked(await load(visit, signal));
    const evidence = sessionEvidence(visit.url, outcome, {
      isMarked: this.#isMarked,
      isKnownTarget: (target) => this.#knownTargets.has(targetShape(target, visit.url)),
    });
    return { outcome, evidence, generation, began, ended: milliseconds(clock.monotonic()) };
  }

  /** A mark in the address is read here, the others in the page. */
  #marked(outcome: VisitOutcome): VisitOutcome {
    if (this.#isMarked === null || outcome.kind !== 'captured') return outcome;
    return { ...outcome, page: { ...outcome.page, signedIn: this.#isMarked(outcome.page.finalUrl) } };
  }

  #taken(visit: Visit, { outcome, evidence, began }: Seen): VisitOutcome {
    if (evidence === 'in') {
      this.#lastIn = milliseconds(Math.max(this.#lastIn, began));
      this.#reference ??= visit.url;
      this.#memory.wasIn(visit.url);
      this.#blamed = 0;
    } else {
      this.#memory.visited(visit.url);
      if (outcome.kind === 'redirected') this.#knownTargets.add(targetShape(outcome.location, visit.url));
    }
    return outcome;
  }

  /** Judges a page that does not look signed in: is the crawl? No other page is loaded meanwhile. */
  async #doubted(visit: Visit, seen: Seen, signal: AbortSignal): Promise<VisitOutcome | null> {
    if (this.#out) return null;
    const isOfNow = seen.generation === this.#generation;
    if (isOfNow && (seen.ended < this.#lastIn || (await this.#isIn(signal)))) return this.#taken(visit, seen);
    if (!isOfNow) return this.#tryAlone(visit, 0, signal);
    this.#memory.isOut();
    return (await this.#signInAgain(visit.url, signal)) ? this.#tryAlone(visit, 1, signal) : null;
  }

  /** Loads a page while no other is loaded. @param outs how often the crawl was signed out by it so far */
  async #tryAlone(visit: Visit, outs: number, signal: AbortSignal): Promise<VisitOutcome | null> {
    if (this.#out) return null;
    if (this.#memory.signsOut(visit.url)) return signsOut(PATH_RULE);
    const isSuspect = this.#memory.isSuspect(visit.url);
    await this.#pace(visit, signal);
    const seen = await this.#look(visit, signal);
    // a page that signs out may itself still look signed in
    const isClear = seen.evidence !== 'doubt' && !isSuspect;
    if (isClear || (await this.#isIn(signal))) {
      this.#memory.cleared(visit.url);
      return this.#taken(visit, seen);
    }
    if (!(await this.#signInAgain(visit.url, signal))) return null;
    if (outs + 1 < PROOFS) return this.#tryAlone(visit, outs + 1, signal);
    this.#blamed += 1;
    // a session that ends after two pages would end with any second one
    if (this.#blamed < BLAMED_IN_A_ROW && (await this.#isIn(signal))) {
      this.#memory.proved(visit.url);
      return signsOut('visiting it ended the sign-in, twice');
    }
    this.#giveUp(`the sign-in does not last: after ${visit.url} the site is signed out again and again`);
    return null;
  }

  /** @returns false where that failed: the crawl pauses */
  async #signInAgain(url: string, signal: AbortSignal): Promise<boolean> {
    const { logIn, log, mark } = this.#parts;
    if (logIn === null) {
      this.#giveUp(`signed out at ${url}, and no --login says how to sign in again`);
      return false;
    }
    log.info('signed out: signing in again', { url });
    const end = await this.#logIn(logIn, signal);
    if (end.kind === 'failed') {
      this.#giveUp(`signed out at ${url}, and the log-in failed: ${await this.#words(end)}`);
      return false;
    }
    if ((await this.#isIn(signal)) || (await this.#anyIsIn(signal))) return true;
    const shown = mark === null ? '' : ` (${markWords(mark)})`;
    this.#giveUp(`signed out at ${url}; after the log-in the site does not show that it worked${shown}: ${TAKEN}`);
    return false;
  }

  async #logIn(logIn: LogIn, signal: AbortSignal): Promise<LogInEnd> {
    const unmute = this.#parts.mute();
    try {
      const end = await logIn.run(signal);
      if (end.kind === 'failed') return end;
      this.#parts.signIns.replace(end.state);
      this.#parts.renew();
      this.#generation += 1;
      this.#home = canonicalUrl(end.url);
      this.#parts.log.info('signed in', { url: end.url });
      return end;
    } finally {
      unmute();
    }
  }

  /** Asks the page that was signed in before; where there is none yet, the one where the log-in ended, and the seeds. */
  async #isIn(signal: AbortSignal): Promise<boolean> {
    return this.#reference === null ? this.#anyIsIn(signal) : this.#shows(this.#reference, signal);
  }

  async #anyIsIn(signal: AbortSignal): Promise<boolean> {
    const { seeds } = this.#parts;
    const home = this.#home !== null && this.#concerns(this.#home) ? [this.#home] : [];
    for (const url of new Set([...home, ...seeds.filter((seed) => this.#concerns(seed)).slice(0, ASKED_SEEDS)])) {
      // oxlint-disable-next-line no-await-in-loop -- most often the first is the last
      if (!(await this.#shows(url, signal))) continue;
      this.#reference = url;
      return true;
    }
    return false;
  }

  async #shows(url: CanonicalUrl, signal: AbortSignal): Promise<boolean> {
    const { load, clock, mute } = this.#parts;
    const unmute = mute();
    try {
      const terms = {
        load: async (visit: Visit) => {
          await this.#pace(visit, signal);
          return this.#marked(await load(visit, signal));
        },
        mayFollow: (next: CanonicalUrl) => this.#concerns(next),
        clock,
      };
      return await showsSignedIn(url, terms, signal);
    } finally {
      unmute();
    }
  }

  /** Waits the pause of the host: such a load has no lease, so the frontier has not waited for it. */
  #pace({ host }: Visit, signal: AbortSignal): Promise<void> {
    return this.#parts.clock.sleep(this.#parts.delayOf(host), signal);
  }

  #giveUp(why: string): void {
    this.#out = true;
    this.#parts.log.warn('signed out', { why });
    this.#pause(why);
  }

  async #words({ why, picture }: Extract<LogInEnd, { kind: 'failed' }>): Promise<string> {
    const path = picture === null ? null : await this.#parts.keepPicture(picture);
    return path === null ? why : `${why}\nThe page is to be seen in ${path}.`;
  }
}

/** Takes the mark away: pages of this site need not have it. */
function unmarked(outcome: VisitOutcome): VisitOutcome {
  if (outcome.kind !== 'captured' || outcome.page.signedIn === undefined) return outcome;
  const { signedIn: _of, ...page } = outcome.page;
  return { ...outcome, page };
}

function signsOut(rule: string): Extract<VisitOutcome, { kind: 'signs-out' }> {
  return { kind: 'signs-out', rule };
}
