/** Paint, measured in real time: a page that shifts and hangs, and its calm twin. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import type { Measurements } from '../../src/model/paint.ts';
import { documentOf, prose } from '../support/audited-site.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

/** Shifts the page by half a window, and blocks the main thread for a second. */
const RESTLESS = `<script>
  setTimeout(() => { document.getElementById('banner').style.height = '400px'; }, 300);
  setTimeout(() => { const end = performance.now() + 1000; while (performance.now() < end); }, 700);
</script>`;
/** Shifts nothing and takes no time. */
const CALM = `<script>setTimeout(() => { document.getElementById('banner').dataset.ready = 'yes'; }, 300);</script>`;

/** Gives the page another address, as routers do. */
const RENAMED = `<script>history.replaceState(null, '', '/renamed/second')</script>`;

const pageOf = (title: string, script: string): string =>
  documentOf(
    `<div id="banner"></div><a href="/">Start</a> <a href="/docs/calm">Calm</a> <a href="/docs/more">More</a> <a href="/gone/first">Gone</a> <a href="/renamed/first">Renamed</a><main style="min-height: 600px; background: beige">${prose(title)}${prose(title)}</main>${script}`,
    { title },
  );

let base = '';
let output = '';
let visits: readonly string[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-measure-'));
  let isGone = false;
  await using site = await httpOrigin(({ url = '/' }, response) => {
    const pages: Readonly<Record<string, string>> = {
      '/': pageOf('The harbour', RESTLESS),
      '/docs/calm': pageOf('The calm harbour', CALM),
      '/docs/more': pageOf('More of the harbour', CALM),
      '/gone/first': pageOf('A harbour that goes', CALM),
      '/renamed/first': pageOf('A harbour of another name', RENAMED),
      '/renamed/second': pageOf('The name of the harbour', RENAMED),
    };
    // the page answers the crawl, and later requests get a 404
    const page = url === '/gone/first' && isGone ? undefined : pages[url];
    if (url === '/gone/first') isGone = true;
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
  });
  const flags = ['-o', 'out', '--allow-private', '127.0.0.1', '--no-progress', '--no-sitemap', '--measure'];
  const ended = await runCommand(['audit', site.url, ...flags], base).ended;
  expect(ended.code, ended.output).toBe(0);
  output = ended.output.replaceAll(/\s+/g, ' ');
  visits = site.requests;
});
afterAll(() => rm(base, { recursive: true, force: true }));

const measurements = async (): Promise<Measurements> =>
  JSON.parse(await readFile(join(base, 'out', 'measurements.json'), 'utf8')) as Measurements;
const pathOf = ({ url }: { readonly url: string }): string => new URL(url).pathname;

describe('an audit with --measure', () => {
  it('finds the page that moves and hangs, and not its calm twin', async () => {
    const findings = await linesOf<Finding>(join(base, 'out'), 'findings.jsonl');
    const moving = findings.filter(({ rule }) => rule === 'layout-shift');
    expect(moving.map((finding) => [finding.severity, pathOf(finding)])).toEqual([['warning', '/']]);
    const hanging = findings.filter(({ rule, severity }) => rule === 'long-tasks' && severity === 'warning');
    expect(hanging.map(pathOf)).toEqual(['/']);
    const { pages } = await measurements();
    const [restless, calm] = ['/', '/docs/calm'].map((path) => pages.find((page) => pathOf(page) === path)?.median);
    expect(restless?.cls).toBeGreaterThan(0.25);
    expect(restless?.tbt).toBeGreaterThan(600);
    expect(restless?.lcp).toBeGreaterThan(0);
    expect(calm?.cls).toBe(0);
  });

  it('loads one page of each template three times, beside the visit of the crawl', () => {
    const count = (path: string): number => visits.filter((line) => line === `GET ${path}`).length;
    expect(['/', '/docs/calm', '/docs/more'].map(count)).toEqual([4, 4, 1]);
  });

  it('loses nothing but its own figures where a page cannot be measured', async () => {
    const { pages, left, loads } = await measurements();
    expect(pages.map((page) => [pathOf(page), page.alike, page.median === null, page.failure])).toEqual([
      ['/docs/calm', 2, false, null],
      ['/renamed/first', 2, false, null],
      ['/', 1, false, null],
      ['/gone/first', 1, true, 'the server answered 404'],
    ]);
    expect([left, loads]).toEqual([0, 3]);
  });

  it('says on what machine it measured', async () => {
    expect(output).toContain(
      'Paint: 3 pages measured, one of each template, the median of 3 loads in real time; 1 could not be measured.',
    );
    const { machine } = await measurements();
    expect(machine).toMatchObject({ load: [expect.any(Number), expect.any(Number)], viewport: '1280x800' });
    expect(machine.cores).toBeGreaterThan(0);
  });

  it('finds the same in the saved crawl', async () => {
    const before = await readFile(join(base, 'out', 'findings.jsonl'), 'utf8');
    expect((await runHere(['audit', 'out', '--external', 'none'], base)).code).toBe(0);
    expect(await readFile(join(base, 'out', 'findings.jsonl'), 'utf8')).toBe(before);
  });
});
