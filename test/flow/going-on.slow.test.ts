/** Crawls that ended at a limit resume: the rest is visited, nothing is visited or written twice, and the totals balance. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReport } from '../../src/crawl/crawl.ts';
import { resumeCrawl, startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import type { PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { packState, unpackState } from '../../src/redis/packed-state.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { writeGraphSite, type GraphSite } from '../support/graph-site.ts';
import { startUserRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { temporarySite } from '../support/temporary-site.ts';
import { expectWhole } from '../support/whole-crawl.ts';

const PAGES = 40;
let base = '';
let graph: GraphSite;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-going-on-'));
  graph = await writeGraphSite(join(base, 'site'), PAGES, 5, 3);
});
afterAll(() => rm(base, { recursive: true, force: true }));

const PLAIN = { sitemap: false, snapshot: [], logLevel: 'warn', render: 'never', workers: 2 } as const;

async function start(name: string, options: Partial<StartOptions>): Promise<CrawlReport> {
  await using crawl = await startCrawl({ seeds: [join(base, 'site')], output: join(base, name), ...PLAIN, ...options });
  return await crawl.report();
}

async function resume(name: string, options: Partial<StartOptions> = {}): Promise<CrawlReport> {
  await using crawl = await resumeCrawl(join(base, name), options);
  return await crawl.report(); // before the crawl is disposed of
}

/** Expects every URL in one place, and as many of each kind as the totals say. */
async function expectBalance({ totals }: CrawlReport, name: string): Promise<readonly string[]> {
  const folder = join(base, name);
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  const skipped = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
  const urls = [...pages, ...skipped].map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  const { discovered, visited, failed, queued } = totals;
  expect([pages.length, skipped.length]).toEqual([visited + failed, totals.skipped]);
  expect(visited + failed + totals.skipped + queued).toBe(discovered);
  const file = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as { totals: unknown };
  expect(file.totals).toEqual(totals);
  await expectWhole(folder);
  return pages.map(({ url }) => new URL(url).pathname).toSorted();
}

it('goes on where the clock of its machine was a day ahead when it began', async () => {
  const ahead = join(base, 'ahead.mjs');
  await writeFile(ahead, 'const { now } = Date; Date.now = () => now() + 86_400_000;');
  const [folder, site] = [join(base, 'ahead'), join(base, 'site')];
  const args = ['crawl', site, '--limit', '2', '--render', 'never', '--delay', '0.05', '--quiet', '-o', folder];
  const begun = runCommand(args, base, { NODE_OPTIONS: `--import ${pathToFileURL(ahead).href}` });
  expect(await begun.ended).toMatchObject({ code: 0 });
  expect(await resume('ahead', { limit: 5 })).toMatchObject({ end: 'page-limit', totals: { visited: 5 } });
});

describe('a crawl that ended at its page limit', () => {
  it('keeps its state packed, goes on to a higher limit, then to the end, and keeps none', async () => {
    const first = await start('pages', { limit: 8 });
    expect(first).toMatchObject({ state: 'finished', end: 'page-limit', totals: { visited: 8 } });
    expect(first.goesOn).toEqual({ above: { option: 'limit', value: 8 } });
    await expectBalance(first, 'pages');
    expect(await readdir(join(base, 'pages', 'state'))).toEqual(['packed.gz']);

    const second = await resume('pages', { limit: 20 });
    expect(second).toMatchObject({ end: 'page-limit', totals: { visited: 20 }, visitsOfRun: 12 });
    await expectBalance(second, 'pages');

    const third = await resume('pages', { limit: 1000 });
    expect(third).toMatchObject({ end: 'all-visited', goesOn: null, totals: { queued: 0 } });
    expect(await expectBalance(third, 'pages')).toEqual([...graph.paths].toSorted());
    expect(await readdir(join(base, 'pages'))).not.toContain('state');
    await expect(resume('pages', { limit: 2000 })).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it('goes on only with a higher limit, and says so before anything is touched', async () => {
    await start('refused', { limit: 5 });
    for (const options of [{}, { limit: 5 }, { limit: 3 }, { timeLimit: 60_000 }])
      await expect(resume('refused', options)).rejects.toThrow(/limit of pages, 5, .*higher/);
    expect(await readdir(join(base, 'refused', 'state'))).toEqual(['packed.gz']);
  });

  it('keeps no state where that is not wanted, and none where everything had been visited', async () => {
    const report = await start('discarded', { limit: 5, discardState: true });
    expect(report).toMatchObject({ end: 'page-limit', goesOn: null });
    expect(report.totals.queued).toBeGreaterThan(0);
    await expectBalance(report, 'discarded');
    expect(await readdir(join(base, 'discarded'))).not.toContain('state');
    await expect(resume('discarded', { limit: 50 })).rejects.toThrow(/state that it would go on from was not kept/);

    const whole = await start('just-enough', { limit: PAGES });
    expect(whole).toMatchObject({ goesOn: null, totals: { queued: 0, visited: PAGES } });
    expect(await readdir(join(base, 'just-enough'))).not.toContain('state');
  });

  it('visits a page that was skipped for the way to it, where a later page leads there by another way', async () => {
    const link = (to: string, rel = ''): string => `<p><a href="${to}"${rel}>${to}</a></p>`;
    await using site = await temporarySite({
      'site.json': '{}',
      'www/index.html': link('/hidden', ' rel="nofollow"') + link('/a'),
      'www/a.html': link('/b'),
      'www/b.html': link('/hidden'),
      'www/hidden.html': '<p>found',
    });
    const seeds = [site.server.url];
    const first = await start('by-another-way', { seeds, limit: 2 });
    expect(first.skipped).toEqual({ nofollow: 1 });
    await expectBalance(first, 'by-another-way');
    const second = await resume('by-another-way', { limit: 10 });
    expect(await expectBalance(second, 'by-another-way')).toEqual(['/', '/a', '/b', '/hidden']);
    expect(second.skipped).toEqual({});
  });

  it('reads the sitemaps that it had held back for the limit', async () => {
    const sitemap = (body: string): string =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${body}</urlset>`;
    const names = [1, 2, 3, 4, 5];
    await using site = await temporarySite({
      'site.json': '{}',
      'www/robots.txt': names.map((name) => `Sitemap: {origin}/${name}.xml`).join('\n'),
      'www/index.html': '<p>nothing',
      ...Object.fromEntries(
        names.flatMap((name) => [
          [`www/${name}.xml`, sitemap(`<url><loc>{origin}/page-${name}</loc></url>`)],
          [`www/page-${name}.html`, `<p>${name}`],
        ]),
      ),
    });
    for (const name of names) {
      const file = join(site.folder, 'www', `${name}.xml`);
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('{origin}', site.server.url.replace(/\/$/, '')));
    }
    const robots = join(site.folder, 'www', 'robots.txt');
    await writeFile(robots, names.map((name) => `Sitemap: ${site.server.url}${name}.xml`).join('\n'));
    const first = await start('sitemaps', { seeds: [site.server.url], limit: 1, sitemap: true });
    expect(first).toMatchObject({ end: 'page-limit' });
    await expectBalance(first, 'sitemaps');
    const second = await resume('sitemaps', { limit: 100 });
    expect(second).toMatchObject({ end: 'all-visited', totals: { queued: 0, visited: 11 } });
    await expectBalance(second, 'sitemaps');
  });

  it('keeps its archive whole', async () => {
    const folder = join(base, 'archived');
    await start('archived', { limit: 6, snapshot: ['warc', 'html'] });
    const report = await resume('archived', { limit: 1000 });
    expect(await expectBalance(report, 'archived')).toEqual([...graph.paths].toSorted());
    const index = (await readFile(join(folder, 'archive', 'index.cdxj'), 'utf8')).split('\n');
    for (const { url } of await linesOf<PageRecord>(folder, 'pages.jsonl'))
      expect(index.filter((line) => line.includes(`"url":"${url}"`) || line.includes(`"url": "${url}"`))).toHaveLength(
        1,
      );
  });
});

describe('a crawl that ended at another limit goes on', () => {
  it('for another such time, where it was the time limit', async () => {
    const first = await start('time', { timeLimit: 400, delay: 100 });
    expect(first).toMatchObject({ end: 'time-limit', goesOn: { above: null } });
    const second = await resume('time', { timeLimit: 600_000, delay: 0 });
    expect(second).toMatchObject({ end: 'all-visited', totals: { visited: PAGES } });
    expect(await expectBalance(second, 'time')).toEqual([...graph.paths].toSorted());
  });

  it('with a higher size limit', async () => {
    const first = await start('size', { sizeLimit: 4096, snapshot: ['html'], workers: 1 });
    expect(first).toMatchObject({ end: 'size-limit', goesOn: { above: { option: 'sizeLimit', value: 4096 } } });
    await expect(resume('size', {})).rejects.toThrow(/limit of bytes, 4096/);
    const second = await resume('size', { sizeLimit: 1024 ** 3 });
    expect(await expectBalance(second, 'size')).toEqual([...graph.paths].toSorted());
  });

  it('with a higher limit of each host, though nothing else was left', async () => {
    const first = await start('host', { hostLimit: 7 });
    expect(first).toMatchObject({ end: 'all-visited', goesOn: { above: { option: 'hostLimit', value: 7 } } });
    expect(first.totals).toMatchObject({ visited: 7, queued: 0 });
    expect(first.skipped['host-limit']).toBe(first.totals.skipped);
    await expectBalance(first, 'host');
    const second = await resume('host', { hostLimit: 1000 });
    expect(second.skipped['host-limit']).toBeUndefined();
    expect(await expectBalance(second, 'host')).toEqual([...graph.paths].toSorted());
  });
});

describe("the state of a crawl in a user's Redis", () => {
  it('stays there when the crawl ended at a limit, and goes when nothing is left or nobody wants it', async () => {
    await using redis = await startUserRedis();
    await start('shared', { limit: 5, redis: redis.url });
    expect((await redis.client.keys('*')).length).toBeGreaterThan(0);
    const report = await resume('shared', { limit: 1000, redis: redis.url });
    expect(await expectBalance(report, 'shared')).toEqual([...graph.paths].toSorted());
    expect(await redis.client.keys('*')).toEqual([]);
    await start('shared-discarded', { limit: 5, redis: redis.url, discardState: true });
    expect(await redis.client.keys('*')).toEqual([]);
  });
});

describe('the command line', () => {
  it('says what is left, and prints the command that goes on with it', async () => {
    const args = ['crawl', 'site', '-o', 'said', '--limit', '10', '--render', 'never'];
    const { code, output } = await runHere(args, base);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^Finished at the page limit: 10 pages .*\n\d+ URLs known: .*, [1-9]\d* still queued\.$/m);
    const command = /^Go on: +\S.*? (resume \.\/said --limit 20)$/m.exec(output)?.[1];
    expect(command).toBeDefined();
    const again = await runHere(command?.split(' ') ?? [], base);
    expect(again.output).toMatch(/20 pages captured, .* this run made 10 visits in /);
    const refused = await runHere(['resume', 'said'], base);
    expect(refused.code).toBe(2);
    expect(refused.output).toMatch(/limit of pages, 20, and goes on only with a higher one[\s\S]*--limit/);
    const other = await runHere(['resume', 'said', '--limit', '30', '--depth', '5'], base);
    expect(other.code).toBe(2);
    expect(other.output).toMatch(/--depth: .*stands in its folder/);
  });
});

describe('a crawl of a folder', () => {
  it('goes on with that folder, wherever the command is called', async () => {
    const args = ['crawl', 'site', '-o', 'moved-on', '--limit', '10', '--render', 'never'];
    expect((await runHere(args, base)).code).toBe(0);
    const elsewhere = join(base, 'elsewhere');
    await mkdir(join(elsewhere, 'site'), { recursive: true });
    await writeFile(join(elsewhere, 'site/index.html'), '<title>another site</title>');
    const again = await runHere(['resume', '../moved-on', '--limit', '20'], elsewhere);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toMatch(/^Finished at the page limit: 20 pages captured, .* this run made 10 visits in /m);
  });
});

describe('a kill', () => {
  it('at any moment of ending, packing, unpacking or going on loses nothing and doubles nothing', async () => {
    const folder = join(base, 'killed');
    const resumed = (limit: number) => ['resume', folder, '--limit', String(limit)];
    const limits = [4, 8, 12, 16, 20, 24, 28, 32, 36];
    let args = ['crawl', join(base, 'site'), '-o', folder, '--limit', '4', '--render', 'never', '--snapshot', 'none'];
    const count = async (): Promise<number> => (await linesOf(folder, 'pages.jsonl').catch(() => [])).length;
    for (const [index, limit] of limits.entries()) {
      const command = runCommand(args, base);
      // each time a little later in the work after the last page
      await until(async () => (await count()) >= limit, `${limit} pages: ${command.output()}`);
      for (let looks = 0; looks < index * 4; looks += 1) await readdir(join(folder, 'state')).catch(() => []);
      command.child.kill('SIGKILL');
      await command.ended;
      args = resumed(limits[index + 1] ?? 1000);
    }
    const last = await runHere(args, base);
    expect(last.code, last.output).toBe(0);
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...graph.paths].toSorted());
  });

  it('of what packs or unpacks a state leaves it whole', async () => {
    const state = join(base, 'packing');
    const files = new Map<string, Buffer>([
      ['appendonly.aof.manifest', Buffer.from('file appendonly.aof.2.base.rdb seq 2 type b\n')],
      ['appendonly.aof.2.base.rdb', randomBytes(2_000_000)],
      ['appendonly.aof.2.incr.aof', Buffer.from('*1\r\n')],
    ]);
    await mkdir(join(state, 'appendonlydir'), { recursive: true });
    for (const [name, content] of files) await writeFile(join(state, 'appendonlydir', name), content);
    const module = pathToFileURL(join(import.meta.dirname, '../../dist/src/redis/packed-state.js')).href;
    const program = `const { packState, unpackState } = await import(${JSON.stringify(module)});
      for (;;) { await packState(process.argv[1]); console.log('.'); await unpackState(process.argv[1]); console.log('.'); }`;
    for (let round = 0; round < 9; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, state], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let steps = 0;
      child.stdout.on('data', () => (steps += 1));
      await until(() => steps > round % 3, 'a step');
      for (let looks = 0; looks < round * 6; looks += 1) await readdir(state);
      child.kill('SIGKILL');
      await once(child, 'close');
      await unpackState(state);
      for (const [name, content] of files)
        expect(content.equals(await readFile(join(state, 'appendonlydir', name)))).toBe(true);
    }
    await packState(state);
    expect(await readdir(state)).toEqual(['packed.gz']);
  });
});
