/** Verifies crawl folders: a real one is whole, and each kind of damage is reported with its place. */
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { verifyCrawl } from '../../src/inspect/verify/verify-crawl.ts';
import type { CrawlVerification, VerifiedPart } from '../../src/inspect/verify/verification.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { folderTree } from '../support/folder-tree.ts';
import { httpOrigin } from '../support/origin.ts';

let base = '';
let folder = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-verify-'));
  folder = join(base, 'crawl');
  await using site = await openFixture('archived-page');
  const snapshot = ['html', 'text', 'screenshot', 'warc'] as const;
  await using crawl = await startCrawl({ seeds: [site.url], output: folder, delay: 0, snapshot: [...snapshot] });
  await crawl.report();
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Verifies a damaged copy of the crawl. */
async function harmed(harm: (copy: string) => Promise<unknown>): Promise<CrawlVerification> {
  const copy = await mkdtemp(join(base, 'copy-'));
  await cp(folder, copy, { recursive: true });
  await harm(copy);
  const verified = await verifyCrawl(copy);
  await rm(copy, { recursive: true });
  return verified;
}

/** The reports of a check: file, line and message of each place. */
function toldOf({ whole, checks }: CrawlVerification, part: VerifiedPart): readonly string[] {
  expect(whole).toBe(checks.every(({ problems }) => problems === 0));
  const { problems, first } = checks.find((check) => check.part === part) ?? { problems: 0, first: [] };
  expect(first).toHaveLength(Math.min(problems, 20));
  return first.map(({ file, line, message }) => `${line === null ? file : `${file}:${line}`} ${message}`);
}

/** Changes the lines of a file. */
async function rewrite(copy: string, file: string, change: (lines: string[]) => readonly string[]): Promise<void> {
  const lines = (await readFile(join(copy, file), 'utf8')).split('\n').slice(0, -1);
  await writeFile(
    join(copy, file),
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

async function flipBit(path: string, at: number, bit = 0): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  await writeFile(path, bytes);
}

describe('a crawl folder that is whole', () => {
  test('is said to be, with what was looked at, and nothing in it changes', async () => {
    const before = await folderTree(folder);
    const { state, whole, checks, notes } = await verifyCrawl(folder);
    expect({ state, whole, notes }).toEqual({ state: 'finished', whole: true, notes: [] });
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    const stored = pages.flatMap(({ snapshot: { html, text, screenshot } }) => [html, text, screenshot]);
    const files = stored.filter((name) => name !== null).length;
    expect(files).toBeGreaterThan(3);
    expect(checks.find(({ part }) => part === 'snapshots')).toMatchObject({
      looked: files,
      said: `${files} files, ${files} held to their SHA-256`,
    });
    const archive = checks.find(({ part }) => part === 'archive');
    expect(archive?.looked).toBeGreaterThan(pages.length);
    expect(checks.map(({ part }) => part)).toEqual([
      'crawl.json',
      'pages.jsonl',
      'links.jsonl',
      'skipped.jsonl',
      'log.jsonl',
      'books',
      'snapshots',
      'archive',
    ]);
    expect(await folderTree(folder)).toEqual(before);
  });

  test('is whole also where the visit that read robots.txt had to be tried again', async () => {
    let asked = 0;
    await using origin = await httpOrigin((request, response) => {
      response.shouldKeepAlive = false; // a request on a kept connection would be sent again at once
      if (request.url === '/robots.txt') return response.end('User-agent: *\nDisallow: /private\n');
      if (request.url === '/' && asked++ === 0) return response.destroy();
      return response.setHeader('content-type', 'text/html').end('<title>a</title><a href="/b">b</a>');
    });
    const output = join(base, 'tried-again');
    await using crawl = await startCrawl({
      seeds: [`${origin.url}/`],
      output,
      render: 'never',
      delay: 0,
      snapshot: [],
    });
    await crawl.report();
    const pages = await linesOf<PageRecord>(output, 'pages.jsonl');
    expect(pages.find(({ depth }) => depth === 0)).toMatchObject({ attempt: 2, links: { found: 1, new: 1, parts: 0 } });
    expect(toldOf(await verifyCrawl(output), 'pages.jsonl')).toEqual([]);
  });

  test('the command says so and ends with 0, as a text and as JSON', async () => {
    const { code, output } = await runCommand(['verify', folder], base).ended;
    expect(code).toBe(0);
    expect(output).toMatch(/books +ok {2}\d+ discovered = \d+ visited \+ 1 failed/);
    expect(output.trimEnd().split('\n').at(-1)).toBe('./crawl is whole.');
    const json = await runCommand(['verify', folder, '--json'], base).ended;
    expect(JSON.parse(json.output)).toEqual(await verifyCrawl(folder));
  });
});

describe('a folder that has come to harm', () => {
  test('each bit of each snapshot counts', async () => {
    const names = (await readdir(join(folder, 'snapshots'), { recursive: true })).filter((name) => name.includes('.'));
    const flips = names.flatMap((name) => [0, 0.37, 0.999].map((share, bit) => ({ name, share, bit })));
    for (const { name, share, bit } of flips) {
      const file = join('snapshots', name);
      const { length } = await readFile(join(folder, file));
      const verified = await harmed((copy) => flipBit(join(copy, file), Math.floor(length * share), bit));
      expect(toldOf(verified, 'snapshots')).toEqual([
        `${file} it is not as it was written: its SHA-256 is not the one in pages.jsonl`,
      ]);
    }
  });

  test('each bit of the archive counts that is not the date of a packed record', async () => {
    const [warc = ''] = (await readdir(join(folder, 'archive'))).filter((name) => name.endsWith('.warc.gz'));
    const packed = await readFile(join(folder, 'archive', warc));
    // the last seven of the ten bytes at the head of a gzip record are flags, time and system (RFC 1952, section 2.3.1)
    const begin = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]);
    const inHead = (at: number): boolean => {
      const record = packed.lastIndexOf(begin, at);
      return record !== -1 && at >= record + 3 && at < record + 10;
    };
    for (let step = 0; step < 23; step += 1) {
      let at = 11 + step * Math.floor(packed.length / 23);
      while (inHead(at)) at += 1;
      if (at >= packed.length) break;
      const verified = await harmed((copy) => flipBit(join(copy, 'archive', warc), at, at % 8));
      expect(toldOf(verified, 'archive').join()).toMatch(/^archive the archive is damaged: /);
    }
  });

  test('a snapshot that is gone, and one that leads out of the folder', async () => {
    const [page] = (await linesOf<PageRecord>(folder, 'pages.jsonl')).filter(({ snapshot }) => snapshot.html !== null);
    const html = page?.snapshot.html ?? '';
    const gone = await harmed((copy) => rm(join(copy, html)));
    expect(toldOf(gone, 'snapshots')).toEqual([`${html} the crawl kept it in ${html}, and it is not there any more`]);
    const strange = await harmed((copy) =>
      rewrite(copy, 'pages.jsonl', (lines) => lines.map((line) => line.replace(html, '../../etc/hostname'))),
    );
    expect(toldOf(strange, 'snapshots').join()).toContain('which is no snapshot of the crawl');
  });

  test.each([
    ['pages.jsonl', 'pages.jsonl:2 the file ends within this line'],
    ['links.jsonl', 'links.jsonl:1 the file ends within this line'],
  ] as const)('%s that ends within a line', async (file, told) => {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
    const kept = told.startsWith('pages.jsonl:2') ? `${lines[0]}\n` : '';
    const verified = await harmed((copy) => truncate(join(copy, file), Buffer.byteLength(kept) + 10));
    expect(toldOf(verified, file)[0]).toContain(told);
  });

  test('a line that is none, and one that lacks a field', async () => {
    const verified = await harmed((copy) =>
      rewrite(copy, 'links.jsonl', ([first = '', second = '', ...others]) => [
        `${first.slice(0, -1)}`,
        second.replace('"kind"', '"sort"'),
        ...others,
      ]),
    );
    const told = toldOf(verified, 'links.jsonl');
    expect(told[0]).toBe('links.jsonl:1 this is no JSON object');
    expect(told[1]).toMatch(/^links\.jsonl:2 its field kind is not as it should be: /);
    // pages record their number of lines
    expect(toldOf(verified, 'pages.jsonl').join()).toMatch(/links\.jsonl has \d fewer lines? that/);
  });

  test('a link that was taken out, written twice, or is from no page', async () => {
    const out = await harmed((copy) => rewrite(copy, 'links.jsonl', ([, ...others]) => others));
    expect(toldOf(out, 'pages.jsonl')[0]).toMatch(
      /^pages\.jsonl:1 links\.jsonl has 1 fewer line that .* than it says$/,
    );
    const twice = await harmed((copy) =>
      rewrite(copy, 'links.jsonl', (lines) => [...lines, lines.find((line) => line.includes('"new":true')) ?? '']),
    );
    expect(toldOf(twice, 'pages.jsonl')[0]).toMatch(/links\.jsonl has 1 more line that .* made a URL known/);
    expect(toldOf(twice, 'links.jsonl').join()).toContain('an earlier line says that it made this URL known');
    const strange = await harmed((copy) =>
      rewrite(copy, 'links.jsonl', (lines) => [
        ...lines,
        (lines[0] ?? '').replace(/"from":"[^"]+"/, '"from":"http://a.test/"'),
      ]),
    );
    expect(toldOf(strange, 'links.jsonl').join()).toContain('no line of pages.jsonl is of the page that it is from');
  });

  test('a URL with two lines, and one that was both visited and skipped', async () => {
    const twice = await harmed((copy) => rewrite(copy, 'pages.jsonl', (lines) => [...lines, lines[0] ?? '']));
    expect(toldOf(twice, 'pages.jsonl').join()).toContain('it is the second line of this URL, after line 1');
    const [{ url } = { url: '' }] = await linesOf<PageRecord>(folder, 'pages.jsonl');
    const skipped = JSON.stringify({ url, reason: 'depth', rule: 'depth 3', referrer: null });
    const both = await harmed((copy) => rewrite(copy, 'skipped.jsonl', (lines) => [...lines, skipped, skipped]));
    expect(toldOf(both, 'skipped.jsonl').join()).toContain('line 1 of pages.jsonl says that it was visited');
    expect(toldOf(both, 'books').join()).toContain('and skipped.jsonl has');
  });

  test('books that do not balance', async () => {
    const changed = await harmed(async (copy) => {
      const crawl = JSON.parse(await readFile(join(copy, 'crawl.json'), 'utf8')) as { totals: { visited: number } };
      crawl.totals.visited += 1;
      await writeFile(join(copy, 'crawl.json'), JSON.stringify(crawl));
    });
    const told = toldOf(changed, 'books');
    expect(told[0]).toMatch(/^crawl\.json discovered is \d+, and visited \+ failed \+ skipped \+ queued is \d+$/);
    expect(told[1]).toMatch(/^crawl\.json visited is \d+, and pages\.jsonl has \d+ such lines$/);
  });

  test('the command lists the places and ends with 1', async () => {
    const copy = await mkdtemp(join(base, 'copy-'));
    await cp(folder, copy, { recursive: true });
    const [page] = (await linesOf<PageRecord>(copy, 'pages.jsonl')).filter(({ snapshot }) => snapshot.text !== null);
    const file = page?.snapshot.text ?? '';
    await writeFile(join(copy, file), 'another text');
    const { code, output } = await runCommand(['verify', copy], base).ended;
    expect(code).toBe(1);
    expect(output.replace(/\s+/g, ' ')).toContain(`${file}: it is not as it was written`);
    expect(output.trimEnd()).toMatch(/is not whole: one place is not as it should be\.$/);
  });
});

describe('what is no whole crawl yet', () => {
  test('a crawl without totals is held to its lines alone, and a note says why', async () => {
    const verified = await harmed(async (copy) => {
      const crawl = JSON.parse(await readFile(join(copy, 'crawl.json'), 'utf8')) as Record<string, unknown>;
      const { totals: _totals, finished: _finished, end: _end, ...running } = crawl;
      await writeFile(join(copy, 'crawl.json'), JSON.stringify({ ...running, state: 'running' }));
    });
    expect(verified).toMatchObject({ state: 'running', whole: true });
    expect(verified.notes.join()).toContain('the crawl runs, or was killed');
    expect(verified.checks.map(({ part }) => part)).not.toContain('books');
  });

  test('a crawl that broke off is not held to its totals: the last of its lines may still be in its state', async () => {
    const verified = await harmed(async (copy) => {
      const crawl = JSON.parse(await readFile(join(copy, 'crawl.json'), 'utf8')) as { totals: { visited: number } };
      crawl.totals.visited += 1;
      await writeFile(join(copy, 'crawl.json'), JSON.stringify({ ...crawl, state: 'failed', end: 'broken' }));
    });
    expect(verified).toMatchObject({ state: 'failed', whole: true });
    expect(verified.notes.join()).toContain('the crawl broke off');
  });

  test('a folder that holds no crawl ends with 2 and says what to give', async () => {
    const { code, output } = await runCommand(['verify', tmpdir()], base).ended;
    expect(code).toBe(2);
    expect(output).toContain('holds no crawl: there is no crawl.json in it');
  });
});
