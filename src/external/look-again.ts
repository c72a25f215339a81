/** Looks again, with a browser, at links that refused plain HTTP: one after the other, in their hosts' turns, within a budget. */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { counted } from '../base/count-words.ts';
import { minutes } from '../base/units.ts';
import { secondLooks, secondVerdict, type BrowserSight } from '../core/external/second-look.ts';
import type { ExternalAnswer } from '../audit/external-verdicts.ts';
import type { ExternalRecord } from '../model/external-record.ts';
import type { LinkBrowser, BrowsedPage } from '../model/link-browser.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { HostTurns } from './host-turns.ts';
import { shownVerdict } from './is-wall.ts';

interface LookAgainNeeds {
  /** Null where there is no browser on this machine. */
  readonly open: (signal: AbortSignal) => Promise<LinkBrowser | null>;
  readonly turns: HostTurns;
  readonly clock: Clock;
}

/** The time for all of them, so that an audit does not wait for walls. Arbitrary. */
const MOST_TIME = minutes(2);

/** Leaves records as they are that it does not reach: also where the signal ends it. */
export async function lookAgain(
  records: readonly ExternalRecord[],
  { open, turns, clock }: LookAgainNeeds,
  signal: AbortSignal,
): Promise<ExternalAnswer> {
  const chosen = secondLooks(records, hostOf);
  if (chosen.length === 0 || signal.aborted) return { records, notes: [] };
  const refused = `${counted(chosen.length, 'external link')} that refused plain HTTP`;
  let opened: LinkBrowser | null = null;
  try {
    opened = await open(signal);
  } catch (error) {
    if (signal.aborted) return { records, notes: [] };
    if (!(error instanceof CrawlError)) throw error;
    return { records, notes: [`no browser looked again at ${refused}: ${error.message.split('\n', 1)[0] ?? ''}`] };
  }
  if (opened === null) return { records, notes: [`no browser was found to look again at ${refused}`] };
  await using browser = opened;
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(new Error('the time for it was up')), MOST_TIME);
  const either = AbortSignal.any([signal, enough.signal]);
  setMaxListeners(0, either);
  const seen = new Map<ExternalRecord, ExternalRecord>();
  const walled = new Set<string>();
  try {
    for (const record of chosen) {
      const host = hostOf(record.url);
      // a server that has refused the browser once does so again
      if (walled.has(host)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the budget is for one page at a time
      const page = await turns.take(host, () => browser.see(record.url, isSettled, either), either);
      const second = secondRecord(record, page, clock);
      if (second.verdict === 'blocked') walled.add(host);
      seen.set(record, second);
    }
  } catch (error) {
    if (!either.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { records: records.map((record) => seen.get(record) ?? record), notes: [] };
}

/** Is it a page, or will it stay as it is? Without a script a wall lets no reader through. */
function isSettled(page: BrowsedPage): boolean {
  if (page.status === null) return false;
  return page.status < 400 ? shownVerdict(page) === true : !/<script|http-equiv/i.test(page.html);
}

function secondRecord(
  record: ExternalRecord,
  page: BrowsedPage | { readonly failed: string },
  clock: Clock,
): ExternalRecord {
  const sight: BrowserSight =
    'failed' in page
      ? { kind: 'failed', detail: page.failed }
      : { kind: 'shown', status: page.status, judged: shownVerdict(page) };
  const { verdict, detail } = secondVerdict(record, sight);
  const [status, end] = 'failed' in page ? [null, record.url] : [page.status, page.url.split('#', 1)[0] ?? ''];
  const look = { time: new Date(clock.now()).toISOString(), method: 'browser', status, detail } as const;
  const looks = [...record.looks, look];
  if (verdict !== 'ok') return { ...record, verdict, detail, looks };
  const moved = end !== record.url && /^https?:/.test(end);
  return {
    ...{
      url: record.url,
      verdict: moved ? 'redirected' : 'ok',
      status,
      chain: moved ? [record.url, end] : [record.url],
    },
    ...{ permanent: false, looks, detail },
  };
}

function hostOf(url: string): string {
  return endpointOf(url).hostName;
}
