/** The promises of every crawl under any attack; each line names a broken one. */
import type { EndedRun } from './command-run.ts';
import { type Crawled, type CrawlFixture, type Disposition, MIB, must } from './fixture.ts';
import { rawControls, withoutOwn } from './terminal-bytes.ts';
import { CALM, INNOCENT } from './world.ts';

/** The most memory of all processes of a crawl together: bytes. */
const MEMORY_LIMIT = 1536 * MIB;
/** The longest time for which the main loop may be blocked: milliseconds. */
const BLOCK_LIMIT = 1000;
/** Files and sockets that may be open at the end in addition to those at the beginning: a replaced browser has its own pipes. */
const FILES_MORE = 20;
const LOG_LINE_LIMIT = 8192;

/** Broken promises of a process that has ended, in any way. */
export function brokenByProcess(run: EndedRun): readonly string[] {
  const { watched, temporary, terminal } = run;
  const raw = rawControls(terminal.toString('utf8'));
  return [
    ...(watched.stopped === null ? [] : [`the suite had to end it: ${watched.stopped}`]),
    ...must(watched.treePeak < MEMORY_LIMIT, `took ${Math.round(watched.treePeak / MIB)} MiB`),
    ...must(watched.longestBlock < BLOCK_LIMIT, `main loop stood still for ${Math.round(watched.longestBlock)} ms`),
    ...must(watched.leftOver.length === 0, `processes left: ${watched.leftOver.join(', ')}`),
    ...must(temporary.length === 0, `temporary files left: ${temporary.join(', ')}`),
    ...must(raw.length === 0, `raw on the terminal: ${raw.join(' ')}`),
  ];
}

/** Broken promises of a crawl that has completed. */
export function brokenByCrawl(fixture: CrawlFixture, crawled: Crawled): readonly string[] {
  const { code, crawl, world, watched } = crawled;
  const { discovered, visited, failed, skipped, queued } = crawl.totals;
  const exit = fixture.exit ?? 0;
  const { before, after } = watched.files;
  return [
    ...must(code === exit, `exit ${code} in place of ${exit}: ${lastWords(crawled.terminal)}`),
    ...must(crawl.state === 'finished' || exit !== 0, `crawl.json says ${crawl.state}`),
    ...must(discovered === visited + failed + skipped + queued, `the counters do not add up: ${JSON.stringify(crawl)}`),
    ...brokenEndings(fixture, crawled),
    ...brokenInnocents(crawled),
    ...brokenLog(crawled.log),
    ...must((after ?? 0) <= (before ?? 0) + FILES_MORE, `open files grew from ${before} to ${after}`),
    ...must(world.canary.hits.length === 0, `reached what is private: ${world.canary.hits.slice(0, 5).join(', ')}`),
    ...must(world.site.open() + world.calm.open() === 0, 'connections are open after the end'),
  ];
}

function brokenEndings({ paths = ['/hostile'], ends }: CrawlFixture, crawled: Crawled): readonly string[] {
  const wanted: Readonly<Record<string, Disposition | readonly Disposition[]>> =
    ends ?? Object.fromEntries(paths.map((path) => [path, 'captured' as const]));
  return Object.entries(wanted).flatMap(([path, endings]) => {
    const found = endingOf(crawled, path);
    return must(
      [endings].flat().includes(found as Disposition),
      `${path} ended as ${found}, not as ${[endings].flat().join(' or ')}`,
    );
  });
}

/** The ending of a path of the hostile host, in terms of the crawl folder. */
export function endingOf(crawled: Crawled, path: string): Disposition | 'nothing' {
  const page = crawled.page(path);
  if (page !== undefined) return page.outcome;
  const url = path.startsWith('/') ? crawled.world.site.url + path : path;
  const skipped = crawled.skipped.find((each) => each.url === url);
  return skipped === undefined ? 'nothing' : `skipped:${skipped.reason}`;
}

function brokenInnocents({ world, pages }: Crawled): readonly string[] {
  const urls = [...INNOCENT.map((path) => world.site.url + path), ...CALM.map((path) => world.calm.url + path)];
  return urls.flatMap((url) => {
    const page = pages.find((each) => each.url === url);
    return must(
      page?.outcome === 'captured' && page.rendered && (page.words ?? 0) > 5,
      `innocent ${url} is ${page?.outcome ?? 'missing'}${page?.outcome === 'captured' ? ', but not whole' : ''}`,
    );
  });
}

function brokenLog(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => [
    ...must(Buffer.byteLength(line) <= LOG_LINE_LIMIT, `a line of the log has ${Buffer.byteLength(line)} bytes`),
    ...must(isJson(line), `a line of the log is no JSON: ${JSON.stringify(line.slice(0, 100))}`),
    ...must(rawControls(line).length === 0, `raw in the log: ${rawControls(line).join(' ')}`),
  ]);
}

/** The last output on the terminal, on one line. */
function lastWords(terminal: Buffer): string {
  return withoutOwn(terminal.toString('utf8')).replaceAll(/\s+/g, ' ').slice(-200);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
