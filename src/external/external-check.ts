/** The check of external links that an audit may be given: it chooses the links to ask, for how long, and reports the others. */
import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '../base/clock.ts';
import { counted, grouped } from '../base/count-words.ts';
import { silentLog } from '../base/log.ts';
import { minutes, seconds } from '../base/units.ts';
import { withoutNetwork } from '../core/external/without-network.ts';
import { isYoung } from '../core/external/verdict-age.ts';
import type { ExternalAnswer, ExternalCheck, ExternalQuestion } from '../audit/external-verdicts.ts';
import type { AddressGrant, Egress } from '../egress/egress.ts';
import { openEgress } from '../egress/open-egress.ts';
import type { NameResolver } from '../egress/gate/dns-cache.ts';
import type { ExternalRecord } from '../model/external-record.ts';
import type { LinkBrowser } from '../model/link-browser.ts';
import type { UpstreamProxy } from '../model/upstream-proxy.ts';
import { USER_AGENT_PRODUCT } from '../options/identity.ts';
import { askLinks } from './ask-links.ts';
import { HostTurns } from './host-turns.ts';
import { lookAgain } from './look-again.ts';

interface ExternalCheckOptions {
  /** Private addresses that may be asked; given by the user who audits, never by the crawl folder, which may come from somebody else. */
  readonly grants: readonly AddressGrant[];
  readonly upstream: UpstreamProxy | null;
  /** The address of this machine from which connections go out; left out where the system chooses it. */
  readonly localAddress?: string | undefined;
  /** Ends the asking; the audit goes on with what is known. */
  readonly stop: AbortSignal;
  /** Called with what is about to be asked. */
  readonly say: (text: string) => void;
  /** Opens a browser behind the given gate, under that name; null where there is none. Left out: no browser looks at links. */
  readonly openBrowser?: (egress: Egress, userAgent: string, signal: AbortSignal) => Promise<LinkBrowser | null>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly resolver?: NameResolver;
}

/** The most URLs that one audit asks for; the next goes on. Arbitrary. */
const MOST_URLS = 5000;
/** The time for all of them. Arbitrary. */
const MOST_TIME = minutes(20);
const CONNECT_TIMEOUT = seconds(10);
const RESOLVE_TIMEOUT = seconds(10);

/** Headers and passwords of the crawl are not known here, so they go to no other site. */
export function externalCheck(options: ExternalCheckOptions): ExternalCheck {
  return async (question, signal) => {
    const { clock = systemClock } = options;
    const { urls, known, throughProxy } = question;
    const isKnown = (url: string): boolean => {
      const record = known.get(url);
      return record !== undefined && isYoung(record, clock.now());
    };
    const wanted = urls.filter((url) => !isKnown(url));
    if (throughProxy && options.upstream === null && wanted.length > 0) return unasked(question, isKnown);
    const asked = wanted.slice(0, MOST_URLS);
    const { records, notes } = await answers(asked, question, options, signal);
    const told = new Map([...known].filter(([url]) => isKnown(url)));
    for (const record of records) told.set(record.url, record);
    const left = wanted.length - asked.length;
    return {
      records: urls.map((url) => told.get(url) ?? notAsked(url, `beyond the first ${grouped(MOST_URLS)} links`)),
      notes: [
        ...notes,
        ...(left === 0
          ? []
          : [
              `${counted(left, 'external link')} beyond the first ${grouped(MOST_URLS)} not asked for: the next audit of this crawl goes on there`,
            ]),
      ],
    };
  };
}

async function answers(
  urls: readonly string[],
  question: ExternalQuestion,
  options: ExternalCheckOptions,
  signal: AbortSignal,
): Promise<ExternalAnswer> {
  if (urls.length === 0) return { records: [], notes: [] };
  const { clock = systemClock, grants, upstream, localAddress, stop, say, resolver } = options;
  say(`Asking for ${counted(urls.length, 'external link')}; Ctrl-C goes on without the rest.`);
  const limits = { connectTimeout: CONNECT_TIMEOUT, resolveTimeout: RESOLVE_TIMEOUT };
  await using egress = await openEgress(
    { grants, closedPorts: [], ...limits, upstream, localAddress: localAddress ?? null },
    { log: silentLog, ...(resolver === undefined ? {} : { resolver }) },
  );
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(new Error(`the time for external links was up`)), MOST_TIME);
  try {
    const [turns, userAgent] = [new HostTurns(clock), agentOf(question.userAgent)];
    const needs = { egress, turns, userAgent, clock };
    const all = AbortSignal.any([signal, stop, timeUp.signal]);
    setMaxListeners(0, all); // many hosts are awaited at once
    const first = await askLinks(urls, needs, all);
    const { openBrowser } = options;
    const again =
      openBrowser === undefined || question.withoutBrowser
        ? { records: first, notes: [] }
        : await lookAgain(first, { open: (ending) => openBrowser(egress, userAgent, ending), turns, clock }, all);
    signal.throwIfAborted();
    const { records, notes: more } = withoutNetwork(again.records);
    const notes = [...again.notes, ...more];
    const open = all.aborted
      ? records.filter(({ verdict, looks }) => verdict === 'not-asked' && looks.length === 0)
      : [];
    const why = stop.aborted ? 'it was interrupted' : `more than ${MOST_TIME / 60_000} minutes are not spent on it`;
    return {
      records,
      notes:
        open.length === 0
          ? notes
          : [
              ...notes,
              `${counted(open.length, 'external link')} not asked for: ${why}; the next audit of this crawl goes on there`,
            ],
    };
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for nothing: a user who crawls through a proxy has a reason for it. */
function unasked({ urls, known }: ExternalQuestion, isKnown: (url: string) => boolean): ExternalAnswer {
  const why = 'the crawl went through a proxy, and none is given now';
  return {
    records: urls.map((url) => (isKnown(url) ? (known.get(url) ?? notAsked(url, why)) : notAsked(url, why))),
    notes: [`no external link was asked for: ${why}; give it again (--proxy)`],
  };
}

function notAsked(url: string, detail: string): ExternalRecord {
  return { url, verdict: 'not-asked', status: null, chain: [url], permanent: false, looks: [], detail };
}

/** The crawl's User-Agent, where a header may hold it: the folder may come from somebody else. */
function agentOf(userAgent: string | null): string {
  const own = `Mozilla/5.0 (compatible; ${USER_AGENT_PRODUCT})`;
  return userAgent !== null && /^[\x20-\x7e]{1,500}$/.test(userAgent) ? userAgent : own;
}
