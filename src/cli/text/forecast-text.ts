/** The output of `--dry-run`: the plan, and the forecast. */
import { counted, grouped } from '../../base/count-words.ts';
import { sizeWords } from '../../base/size-words.ts';
import { redactedOptions } from '../../crawl/folder/crawl-json.ts';
import type { CrawlForecast, SeedForecast } from '../../crawl/forecast/forecast.ts';
import type { Paint } from '../terminal/paint.ts';
import { planRows } from './plan-rows.ts';
import { durationWords } from '../terminal/quantity.ts';
import { rowsText } from '../terminal/rows.ts';
import { safeText } from '../terminal/safe-text.ts';

interface ForecastFrame {
  readonly paint: Paint;
  /** The folder that the user is in. */
  readonly from: string;
  readonly width: number;
}

/** The forecast, without a line feed at its end. */
export function forecastText(forecast: CrawlForecast, { paint, from, width }: ForecastFrame): string {
  const { sample, notes } = forecast;
  const found = rowsText(
    [
      { title: 'robots.txt', lines: forecast.seeds.map((seed) => seedWords(seed, paint)) },
      { title: 'Sitemaps', lines: [sitemapWords(forecast)] },
      { title: 'Sample', lines: [sampleWords(forecast)] },
      { title: 'Pages', lines: pagesLines(forecast, paint) },
      ...(sample.cause === null
        ? [
            { title: 'Duration', lines: [durationLine(forecast, paint)] },
            { title: 'Disk', lines: [diskLine(forecast, paint)] },
          ]
        : []),
    ],
    { paint, width },
  );
  return [
    paint.strong(
      `Dry run: ${counted(sample.visited + sample.failed, 'page')} visited as a sample, no crawl folder written.`,
    ),
    rowsText(planRows(forecast.plan, from), { paint, width }),
    found,
    ...(notes.length === 0 ? [] : [notes.map((note) => `${paint.notable('note')}  ${safeText(note)}`).join('\n')]),
  ].join('\n\n');
}

function seedWords({ url, allowed, robots, crawlDelay, delay }: SeedForecast, paint: Paint): string {
  const verdict = allowed ? paint.good('allows') : paint.bad('forbids');
  const asked =
    crawlDelay === null ? '' : `; Crawl-delay ${durationWords(crawlDelay)}, ${durationWords(delay)} in force`;
  return `${verdict} ${safeText(url)} (${safeText(robots)})${asked}`;
}

function sitemapWords({ sitemaps, plan }: CrawlForecast): string {
  const { files, named, pages, truncated } = sitemaps;
  if (!plan.options.sitemap) return 'not read (--no-sitemap)';
  if (files === 0) return 'none are named';
  const others = named === pages ? '' : `, of ${grouped(named)} that they name`;
  return `${counted(pages, 'page')} in scope${others}; ${counted(files, 'file')} read${truncated ? ', there are more' : ''}`;
}

function sampleWords({ sample }: CrawlForecast): string {
  const { visited, failed, visitTime, pageBytes } = sample;
  const failures = failed === 0 ? '' : `, ${grouped(failed)} failed`;
  return `${grouped(visited)} visited${failures}; ${durationWords(visitTime)} and ${sizeWords(pageBytes)} each`;
}

const BASIS = {
  nothing: 'no page could be visited',
  complete: 'the sample met all that there are',
  sitemap: 'named by sitemaps; links may lead to more',
  links: 'known from the links of the sample; further pages will lead to more',
} as const;

function pagesLines({ pages, sample }: CrawlForecast, paint: Paint): readonly string[] {
  if (sample.cause !== null) return [`${paint.bad('none')}: ${BASIS.nothing}`, safeText(sample.cause)];
  const count = paint.strong(`${pages.atLeast ? 'at least ' : ''}${grouped(pages.count)}`);
  return [`${count}: ${pages.limited ? `by --${pages.limitedBy}; there are more` : BASIS[pages.basis]}`];
}

const BOUND = {
  delay: 'by the pauses between visits of a host',
  workers: 'by the number of workers',
  'rate-limit': 'by --rate-limit',
  'time-limit': 'by --time-limit; it does not suffice for all pages',
} as const;

function durationLine({ duration, pages }: CrawlForecast, paint: Paint): string {
  const atLeast = pages.atLeast && duration.boundBy !== 'time-limit' ? 'at least ' : '';
  return `${paint.strong(`${atLeast}${durationWords(duration.time)}`)}, ${BOUND[duration.boundBy]}`;
}

function diskLine({ disk, pages }: CrawlForecast, paint: Paint): string {
  return paint.strong(`${pages.atLeast ? 'at least ' : ''}${sizeWords(disk)}`);
}

/** The forecast as JSON shows it: secrets of the options redacted. */
export function shownForecast({ plan, ...forecast }: CrawlForecast): Readonly<Record<string, unknown>> {
  const { folder, workers, hostConcurrency, options } = plan;
  return { folder, workers, hostConcurrency, options: redactedOptions(options), ...forecast };
}
