/** Tries a fixture: one crawl to the end, and one interrupted in the middle of the attack. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { CommandRun, type EndedRun } from './command-run.ts';
import {
  must,
  MIB,
  type Crawled,
  type CrawlFileRead,
  type CrawlFixture,
  type Fixture,
  type PartFixture,
} from './fixture.ts';
import { brokenByCrawl, brokenByProcess, endingOf } from './promises.ts';
import { openWorld, type World } from './world.ts';

/** The result of a fixture: a line of RESULTS.md. */
export interface Trial {
  readonly id: string;
  readonly attack: string;
  /** Failed checks; empty if all held. */
  readonly broken: readonly string[];
  /** How the hostile URLs ended, or the part that was tried. */
  readonly ended: string;
  /** MiB, MiB and milliseconds; null if no command ran. */
  readonly treePeak: number | null;
  readonly nodePeak: number | null;
  readonly longestBlock: number | null;
  readonly seconds: number;
}

const FLAGS = ['--workers', '2', '--page-timeout', '10s', '--settle-timeout', '3s', '--retries', '0'];
/** Milliseconds from the request for the hostile page to the interruption: its visit is still in progress. */
const MOMENT = 400;
/** Milliseconds within which the first signal must be answered, and the second obeyed. */
const HEARD_LIMIT = 2000;
const OBEYED_LIMIT = 10_000;

export async function tryFixture(fixture: Fixture): Promise<Trial> {
  return 'part' in fixture ? await tryPart(fixture) : await tryCrawl(fixture);
}

async function tryPart({ id, attack, part, ...fixture }: PartFixture): Promise<Trial> {
  const startedAt = performance.now();
  const broken = await fixture.try();
  const seconds = (performance.now() - startedAt) / 1000;
  return { id, attack, broken, ended: part, treePeak: null, nodePeak: null, longestBlock: null, seconds };
}

async function tryCrawl(fixture: CrawlFixture): Promise<Trial> {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-hostile-'));
  try {
    const whole = await crawlWhole(fixture, base);
    const interrupted = await interrupt(fixture, base);
    const { watched } = whole.run;
    return {
      id: fixture.id,
      attack: fixture.attack,
      broken: [...new Set([...whole.broken, ...interrupted.broken.map((line) => `interrupted: ${line}`)])],
      ended: whole.ended,
      treePeak: Math.max(watched.treePeak, interrupted.run.watched.treePeak) / MIB,
      nodePeak: Math.max(watched.nodePeak, interrupted.run.watched.nodePeak) / MIB,
      longestBlock: Math.max(watched.longestBlock, interrupted.run.watched.longestBlock),
      seconds: whole.run.seconds + interrupted.run.seconds,
    };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

interface Tried {
  readonly run: EndedRun;
  readonly broken: readonly string[];
}

async function crawlWhole(fixture: CrawlFixture, base: string): Promise<Tried & { readonly ended: string }> {
  await using world = await openWorld(fixture, false);
  const folder = join(base, 'whole');
  const command = await startCrawl(fixture, world, { base, folder, name: 'whole' });
  const meanwhile = world.attacked.then(async () => {
    const node = command.watch.node();
    if (node !== null) await fixture.meanwhile?.(world, node);
  });
  const run = await command.ended();
  if (world.site.asked.some(({ url }) => (fixture.paths ?? ['/hostile']).includes(url))) await meanwhile;
  const crawled = await readCrawl(folder, run, world);
  const also = run.watched.stopped === null ? await alsoOf(fixture, crawled) : [];
  const broken = [...brokenByProcess(run), ...brokenByCrawl(fixture, crawled), ...also];
  return { run, broken, ended: endedWords(fixture, crawled) };
}

async function alsoOf(fixture: CrawlFixture, crawled: Crawled): Promise<readonly string[]> {
  try {
    return (await fixture.also?.(crawled)) ?? [];
  } catch (error) {
    return [`could not be asked: ${String(error)}`];
  }
}

/** Interrupts a crawl: the first Ctrl-C is answered at once, the second ends the crawl with its state saved. */
async function interrupt(fixture: CrawlFixture, base: string): Promise<Tried> {
  await using world = await openWorld(fixture, true);
  const folder = join(base, 'interrupted');
  const command = await startCrawl(fixture, world, { base, folder, name: 'interrupted' });
  const ended = command.ended();
  await Promise.race([world.attacked, ended]);
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  command.signal('SIGINT');
  const heard = await command.shows('Stopping', HEARD_LIMIT);
  // under npm one press may arrive twice; it counts once within 300 ms from when the program, which may be busy, has heard it
  await new Promise((resolve) => setTimeout(resolve, 350));
  command.signal('SIGINT');
  const timer = setTimeout(() => command.watch.stop('did not end when it was interrupted'), OBEYED_LIMIT);
  const run = await ended;
  clearTimeout(timer);
  const crawl = await readCrawlFile(folder);
  const broken = [
    ...brokenByProcess(run),
    ...must(heard !== null, `Ctrl-C was not answered within ${HEARD_LIMIT} ms`),
    ...must(run.code === 130, `exit ${run.code} in place of 130`),
    ...must(crawl.state === 'interrupted', `crawl.json says ${crawl.state}`),
    ...must(world.canary.hits.length === 0, `reached what is private: ${world.canary.hits.slice(0, 5).join(', ')}`),
  ];
  return fixture.resumed === true ? await resume({ run, broken }, { base, folder, world }) : { run, broken };
}

async function resume(
  { run, broken }: Tried,
  { base, folder, world }: { readonly base: string; readonly folder: string; readonly world: World },
): Promise<Tried> {
  const command = await CommandRun.start(['resume', folder], base, { name: 'resumed' });
  const resumed = await command.ended();
  const { state } = (await readCrawl(folder, resumed, world)).crawl;
  const more = [
    ...must(resumed.code === 0, `exit ${resumed.code} when it was resumed`),
    ...must(state === 'finished', `${state} when it was resumed`),
  ];
  return { run, broken: [...broken, ...brokenByProcess(resumed), ...more] };
}

async function startCrawl(
  fixture: CrawlFixture,
  world: World,
  { base, folder, name }: { readonly base: string; readonly folder: string; readonly name: string },
): Promise<CommandRun> {
  const seeds = [world.site.url, world.calm.url, ...((await fixture.seeds?.(world)) ?? [])];
  const words = ['crawl', ...seeds, '-o', folder, ...FLAGS, ...(fixture.flags?.(world) ?? [])];
  const command = await CommandRun.start(words, base, { name, variables: fixture.variables?.(world) ?? {} });
  void world.begun.then(() => command.watch.mark());
  return command;
}

async function readCrawl(folder: string, run: EndedRun, world: World): Promise<Crawled> {
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const log = await readFile(join(folder, 'log.jsonl'), 'utf8').catch(() => '');
  return {
    world,
    folder,
    ...run,
    pages,
    links: await linesOf<LinkRecord>(folder, 'links.jsonl'),
    skipped: await linesOf<SkippedRecord>(folder, 'skipped.jsonl'),
    crawl: await readCrawlFile(folder),
    log: log.split('\n').filter((line) => line !== ''),
    page: (path) => pages.find(({ url }) => url === (path.startsWith('/') ? world.site.url + path : path)),
  };
}

async function readCrawlFile(folder: string): Promise<CrawlFileRead> {
  const none = { state: 'missing', totals: { discovered: 0, visited: 0, failed: 0, skipped: 0, queued: 0 } };
  const text = await readFile(join(folder, 'crawl.json'), 'utf8').catch(() => '');
  const totals = none.totals;
  return text === '' ? none : { totals, ...(JSON.parse(text) as Omit<CrawlFileRead, 'totals'>) };
}

function endedWords({ paths = ['/hostile'], ends }: CrawlFixture, crawled: Crawled): string {
  const words = Object.keys(ends ?? Object.fromEntries(paths.map((path) => [path, '']))).map((path) => {
    const page = crawled.page(path);
    const reason = page?.detail ?? (page?.outcome === 'captured' ? page.settle.reason : null);
    return `${endingOf(crawled, path)}${reason === null ? '' : ` (${reason})`}`;
  });
  return [...new Set(words)].join('; ');
}
