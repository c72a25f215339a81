/**
 * Measures pages when a crawl has ended (`--measure`): one page of each template, three loads each, one at a time, with the pause that its
 * host is due. A page that cannot be measured lacks its figures alone.
 */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { milliseconds } from '../../base/units.ts';
import { measuredPages, type MeasurablePage } from '../../core/paint/measured-pages.ts';
import { medianPaint, paintMetrics } from '../../core/paint/paint-metrics.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import { storedPages } from '../../crawl-folder/stored-lines.ts';
import { createUnread } from '../../inspect/unread-lines.ts';
import type { Measurements, MeasuredPage, PaintMetrics } from '../../model/paint.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostKeyOf } from '../../model/url/host-key.ts';
import { urlShape } from '../../model/url/url-shape.ts';
import type { LiveBrowser } from '../../render/live-browser.ts';
import { measureLoad } from '../../render/measure/measure-load.ts';
import type { CrawlContext } from '../crawl-context.ts';

const LOADS = 3;
/** Templates measured at most: ten minutes for pages that are loaded in five seconds. Arbitrary. */
const TEMPLATES = 30;

/** Writes measurements.json. Never rejects: a note tells of failures. */
export async function measurePages(context: CrawlContext, signal: AbortSignal): Promise<void> {
  const { plan, folder, notes, log, openMeasuringBrowser } = context;
  if (!plan.options.measure || openMeasuringBrowser === null) return;
  try {
    const { pages, left } = measuredPages(await candidates(folder.path), TEMPLATES);
    if (pages.length === 0) return;
    const [before] = loadavg();
    const browser = await openMeasuringBrowser(signal);
    const measured: MeasuredPage[] = [];
    try {
      for (const page of pages) {
        if (signal.aborted) break;
        const result = await measuredPage(browser, page, context, signal);
        if (result !== null) measured.push(result);
      }
    } finally {
      await browser.close(new AbortController().signal);
    }
    const [after] = loadavg();
    const { width, height } = plan.options.viewport;
    const measurements: Measurements = {
      loads: LOADS,
      machine: {
        cores: availableParallelism(),
        load: [Number((before ?? 0).toFixed(2)), Number((after ?? 0).toFixed(2))],
        browser: browser.version,
        viewport: `${width}x${height}`,
      },
      pages: measured,
      left: left + pages.length - measured.length,
    };
    await writeWholeFile(join(folder.path, 'measurements.json'), `${JSON.stringify(measurements, null, 1)}\n`);
  } catch (error) {
    log.warn('pages were not measured', { error: String(error) });
    if (!signal.aborted) notes.say('the pages could not be measured: log.jsonl says why');
  }
}

async function candidates(folder: string): Promise<readonly MeasurablePage[]> {
  const pages: MeasurablePage[] = [];
  for await (const { url, finalUrl, outcome, status, contentType, depth } of storedPages(folder, '', createUnread())) {
    if (outcome !== 'captured' || status !== 200 || !/html/.test(contentType ?? '')) continue;
    const canonical = storedCanonicalUrl(url);
    pages.push({ url, finalUrl, depth, template: `${hostKeyOf(canonical)} ${urlShape(canonical, 'place')}` });
  }
  return pages;
}

/** Null where the crawl was stopped meanwhile. */
async function measuredPage(
  browser: LiveBrowser,
  { url, finalUrl, alike }: ReturnType<typeof measuredPages>['pages'][number],
  context: CrawlContext,
  signal: AbortSignal,
): Promise<MeasuredPage | null> {
  const loads: PaintMetrics[] = [];
  let [largest, moved]: [string, string] = ['', ''];
  let failure: string | null = null;
  const address = storedCanonicalUrl(url);
  try {
    for (let load = 0; load < LOADS; load += 1) {
      await pauseFor(address, context, signal);
      const result = await measureLoad(browser, address, context.clock, signal);
      if (result.kind === 'failed') failure ??= result.why;
      else if (![url, finalUrl].map(withoutFragment).includes(withoutFragment(result.paint.url)))
        failure ??= 'it led to another page';
      else {
        loads.push(paintMetrics(result.paint));
        largest ||= result.paint.largest;
        moved ||= result.paint.moved;
      }
    }
  } catch (error) {
    if (signal.aborted) return null;
    failure ??= error instanceof Error ? error.message : String(error);
  }
  return { url, alike, loads, median: medianPaint(loads), largest, moved, failure };
}

/** The pause between visits of the crawl: by the user's delay and that of robots.txt. */
async function pauseFor(
  url: CanonicalUrl,
  { robots, politeness, clock }: CrawlContext,
  signal: AbortSignal,
): Promise<void> {
  const verdict = await robots.verdict(url, signal);
  if (verdict.kind === 'disallowed') throw new Error('robots.txt forbids it by now');
  const crawlDelay = 'crawlDelay' in verdict ? verdict.crawlDelay : null;
  await clock.sleep(milliseconds(politeness.delayOf(hostKeyOf(url), crawlDelay)), signal);
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
