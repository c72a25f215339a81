/** The fate of a crawl when the program itself has an uncaught fault. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runCommand, runWithFewFiles } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';
import { writeGraphSite, type GraphSite } from '../support/graph-site.ts';

let base = '';
let graph: GraphSite;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-faults-'));
  await mkdir(join(base, 'faults'));
  graph = await writeGraphSite(join(base, 'site'), 60, 8, 11);
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Preloaded into the command: throws from a timer, where nothing can catch it, once some pages are written. */
async function loadedFault(name: string, folder: string, fail: string): Promise<Record<string, string>> {
  const file = join(base, 'faults', `${name}.mjs`);
  await writeFile(
    file,
    `import { existsSync, readFileSync } from 'node:fs';
    const pages = ${JSON.stringify(join(folder, 'pages.jsonl'))};
    const timer = setInterval(() => {
      if (!existsSync(pages) || readFileSync(pages, 'utf8').split('\\n').length < 6) return;
      ${fail}
    }, 20);
    timer.unref();`,
  );
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
}

interface CrawlFile {
  readonly state: string;
  readonly end: string | null;
}

const crawlFile = async (folder: string): Promise<CrawlFile> =>
  JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as CrawlFile;

it.each([
  ['an exception', 'auto', "clearInterval(timer); throw new Error('unforeseen');"],
  ['a rejection', 'never', "clearInterval(timer); void Promise.reject(new Error('unforeseen'));"],
  ['what is no error', 'never', "clearInterval(timer); throw 'unforeseen';"],
])('%s that nobody catches ends the crawl with 3, saved, and resume completes it', async (name, render, fail) => {
  const folder = join(base, name.replaceAll(' ', '-'));
  const fault = await loadedFault(name.replaceAll(' ', '-'), folder, fail);
  const { code, output } = await runCommand(
    ['crawl', join(base, 'site'), '-o', folder, '--render', render],
    base,
    fault,
  ).ended;
  expect(code, output).toBe(3);
  expect(output).toContain('unforeseen');
  expect(output).toContain('please report it');
  expect(output).toMatch(/resume \S+/);
  expect(await crawlFile(folder)).toMatchObject({ state: 'failed', end: 'broken' });
  const resumed = await runCommand(['resume', folder], base).ended;
  expect(resumed.code, resumed.output).toBe(0);
  expect(await crawlFile(folder)).toMatchObject({ state: 'finished', end: 'all-visited' });
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...graph.paths].toSorted());
});

/** Crawls the site with a fault that breaks the crawl off. @returns what the program printed */
async function brokenOff(folder: string, fault: Awaited<ReturnType<typeof loadedFault>>): Promise<string> {
  const { code, output } = await runCommand(
    ['crawl', join(base, 'site'), '-o', folder, '--render', 'never'],
    base,
    fault,
  ).ended;
  expect(code, output).toBe(3);
  return output;
}

it('a folder that is removed in the middle of its crawl is told as that, with no command that would find nothing', async () => {
  const folder = join(base, 'removed');
  const removal = `clearInterval(timer); process.getBuiltinModule('node:fs').renameSync(${JSON.stringify(folder)}, ${JSON.stringify(`${folder}-since`)});`;
  const fault = await loadedFault('removed', folder, removal);
  const output = await brokenOff(folder, fault);
  expect(output).toContain('its folder is not there');
  expect(output).toMatch(/\nFolder: {2}\S*removed, which is not there any more\n$/);
  const resumed = await runCommand(['resume', `${folder}-since`], base).ended;
  expect(resumed.code, resumed.output).toBe(0);
  const pages = await linesOf<PageRecord>(`${folder}-since`, 'pages.jsonl');
  expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...graph.paths].toSorted());
});

it('a fault that comes again and again does not keep the program from ending, nor the crawl from being resumed', async () => {
  const folder = join(base, 'again');
  const fault = await loadedFault('again', folder, "timer.ref(); throw new Error('unforeseen');");
  await brokenOff(folder, fault);
  const resumed = await runCommand(['resume', folder], base).ended;
  expect(resumed.code, resumed.output).toBe(0);
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...graph.paths].toSorted());
});

it('a folder that is renamed under a crawl ends it with 3, and blames no page that was visited then', async () => {
  const [before, after] = ['named', 'renamed'].map((name) => join(base, name)) as [string, string];
  let answer = (): void => {};
  const renamed = new Promise<void>((resolve) => (answer = resolve));
  await using origin = await httpOrigin((request, response) => {
    const isHeld = request.url === '/held';
    void (isHeld ? renamed : Promise.resolve()).then(() =>
      response.setHeader('content-type', 'text/html').end('<a href="/held">held</a>'),
    );
  });
  const crawl = runCommand(['crawl', `${origin.url}/`, '-o', before, '--delay', '0', '--render', 'always'], base);
  await until(() => origin.requests.includes('GET /held'), `the visit of a page: ${crawl.output()}`);
  await rename(before, after);
  answer();
  const { code, output } = await crawl.ended;
  expect(code, output).toBe(3);
  expect(output).toContain('its folder is not there');
  const resumed = await runCommand(['resume', after], base).ended;
  expect(resumed.code, resumed.output).toBe(0);
  expect(resumed.output).not.toContain('ended suddenly');
  const pages = await linesOf<PageRecord>(after, 'pages.jsonl');
  expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(['/', '/held']);
});

it('doctor does not call a browser fit that starts and opens no page', async () => {
  const { code, output } = await runWithFewFiles(64, ['doctor'], base).ended;
  expect(code, output).toBe(2);
  expect(output).toMatch(/not ok +browser start +the browser starts, and opens no page/);
  expect(output).toContain('ulimit -n');
});

it('a browser that starts and opens no page ends the crawl with 3, and no page is blamed', async () => {
  const folder = join(base, 'few-files');
  const limited = runWithFewFiles(64, ['crawl', join(base, 'site'), '-o', folder, '--render', 'always'], base);
  const { code, output } = await limited.ended;
  expect(code, output).toBe(3);
  expect(output).toContain('opens no page');
  expect(output).toContain('ulimit -n');
  expect(await readFile(join(folder, 'log.jsonl'), 'utf8')).not.toContain('tried in vain');
  const resumed = await runCommand(['resume', folder], base).ended;
  expect(resumed.code, resumed.output).toBe(0);
  const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
  expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([...graph.paths].toSorted());
});

it.each([
  [20, ['--version']],
  [30, ['crawl', 'site', '-o', 'too-few']],
  [38, ['verify', 'site']],
])('a system that opens %d files at a time for the program gets it to say so, with 2', async (files, words) => {
  const { code, output } = await runWithFewFiles(files, words, base).ended;
  expect(code, output).toBe(2);
  expect(output).toMatch(/^error {2}the system lets the program open too few files at a time \[TOO_FEW_FILES\]\n/);
  expect(output).toContain('ulimit -n');
  expect(output).not.toContain('node:internal');
});
