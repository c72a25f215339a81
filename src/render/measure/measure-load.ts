/** Measures one load of a page as a reader has it: in real time, with frames that come by themselves, in a storage of its own. */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import type { RawPaint } from '../../model/paint.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { registrableDomainOf } from '../../model/url/host-key.ts';
import { mainAddress } from '../extract/collect.ts';
import { SOURCE as MEASURE_PAINT } from '../generated/measure-paint.ts';
import { ENTRIES, LATER_TIME, LOAD_LOOK, LOAD_TIME, LONGEST } from '../limits/measuring-limits.ts';
import type { LiveBrowser } from '../live-browser.ts';
import { FACT_LENGTH, URL_LENGTH } from '../page-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import { navigate } from '../page/navigate.ts';
import type { WarmPage } from '../page/warm-page.ts';

type MeasuredLoad =
  | { readonly kind: 'measured'; readonly paint: RawPaint }
  | { readonly kind: 'failed'; readonly why: string };

/** Never rejects because of a page or a server. @throws the signal's reason */
export async function measureLoad(
  browser: LiveBrowser,
  url: CanonicalUrl,
  clock: Clock,
  signal: AbortSignal,
): Promise<MeasuredLoad> {
  let page: WarmPage | null = null;
  try {
    page = await browser.openPage(registrableDomainOf(url), 'empty', signal);
    return await loaded(page, url, clock, AbortSignal.any([signal, page.gone]));
  } catch (error) {
    signal.throwIfAborted();
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return failed(why);
  } finally {
    await page?.dispose(new AbortController().signal);
  }
}

async function loaded(page: WarmPage, url: CanonicalUrl, clock: Clock, signal: AbortSignal): Promise<MeasuredLoad> {
  const began = clock.monotonic();
  const way = { clock, limit: LOAD_TIME, holdClock: false, document: null };
  const arrival = await navigate(page, url, way, signal);
  if (arrival.kind === 'failed') return failed(arrival.errorText);
  const { status } = arrival.answer.head;
  if (arrival.kind === 'stopped' || status >= 400) return failed(`the server answered ${status}`);
  while (page.watch.loadAt === null) {
    if (clock.monotonic() - began > LOAD_TIME) return failed('it was not loaded in time');
    await clock.sleep(LOAD_LOOK, signal);
  }
  await clock.sleep(LATER_TIME, signal);
  const run = { source: MEASURE_PAINT, input: null, later: true, parse: rawPaint };
  return { kind: 'measured', paint: await runInWorld(page, mainAddress(page), run, signal) };
}

function failed(why: string): MeasuredLoad {
  return { kind: 'failed', why: cutText(why, FACT_LENGTH) };
}

const time = z.number().min(0).max(LONGEST);
const text = z.string().transform((value) => cutText(value, 200));
const shape: z.ZodType<RawPaint> = z.object({
  url: z.string().max(URL_LENGTH),
  firstPaint: time.nullable(),
  largestPaint: time.nullable(),
  largest: text,
  moved: text,
  shifts: z.array(z.object({ at: time, value: z.number().min(0).max(100) })).max(ENTRIES),
  tasks: z.array(z.object({ at: time, duration: time })).max(ENTRIES),
});

/** @param answer of the script `measure-paint`; null for anything else */
export function rawPaint(answer: unknown): RawPaint | null {
  return shape.safeParse(answer).data ?? null;
}
