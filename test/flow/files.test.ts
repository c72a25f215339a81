/** Files and records that a crawl keeps of answers other than pages, and the additions of an extension. Whole crawls through the library. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  defineExtension,
  fileLink,
  snapshotStem,
  startCrawl,
  type ExtensionDefinition,
  type PageRecord,
  type StartOptions,
} from '../../src/index.ts';
import { linesOf } from '../support/crawl-run.ts';
import { fixtureFolder } from '../support/fixture-sites.ts';
import { httpOrigin } from '../support/origin.ts';

interface Kept {
  readonly byPath: ReadonlyMap<string, PageRecord>;
  readonly folder: string;
  readonly links: readonly { readonly from: string; readonly to: string; readonly context: string }[];
  readonly read: (path: string | null | undefined) => Promise<string>;
}

/** Crawls, and passes the contents of the folder to `look` before the folder is removed. */
async function crawled(options: StartOptions, look: (kept: Kept) => Promise<void>): Promise<void> {
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-files-'));
  try {
    await using crawl = await startCrawl({
      workers: 2,
      delay: 0,
      logLevel: 'warn',
      overwrite: true,
      output,
      ...options,
    });
    const { folder } = await crawl.report();
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    await look({
      folder,
      byPath: new Map(pages.map((page) => [new URL(page.url).pathname, page])),
      links: await linesOf(folder, 'links.jsonl'),
      read: (path) => readFile(join(folder, path ?? 'nothing was kept'), 'utf8'),
    });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

describe.each(['auto', 'always', 'never'] as const)('with --render %s', (render) => {
  it('files of all types have a record of their own, and those with text keep it', async () => {
    await crawled({ seeds: [fixtureFolder('non-html')], render }, async ({ byPath, read }) => {
      const of = (path: string): Partial<PageRecord> => byPath.get(path) ?? {};
      expect(of('/feed.xml')).toMatchObject({ title: 'Feed', description: 'A feed', facts: { feed: 'rss' } });
      expect(of('/picture.png').facts).toEqual({ format: 'png', width: 16, height: 16 });
      expect(of('/drawing.svg').facts).toEqual({ format: 'svg', width: 10, height: 10 });
      expect(of('/paper.pdf').facts).toEqual({ pages: 1 });
      expect(await read(of('/data.json').snapshot?.text)).toContain('/not-a-link');
      expect(await read(of('/table.csv').snapshot?.text)).toBe(
        await readFile(join(fixtureFolder('non-html'), 'www/table.csv'), 'utf8'),
      );
      expect(of('/table.csv')).toMatchObject({ digest: expect.stringMatching(/^sha256:/), duplicateOf: null });
      expect(of('/archive.zip')).toMatchObject({ facts: {}, words: null, digest: null, snapshot: { text: null } });
      for (const [, page] of byPath) expect(page.outcome === 'captured' || page.snapshot.html === null).toBe(true);
    });
  });
});

it('a PDF is asked for its links, packed ones too', async () => {
  const report = await readFile(join(fixtureFolder('links-files'), 'www/report.pdf'));
  await using origin = await httpOrigin((request, response) => {
    if (request.url !== '/report.pdf') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(report);
  });
  await crawled({ seeds: [`${origin.url}/report.pdf`], render: 'never' }, async ({ byPath, links }) => {
    expect(byPath.get('/report.pdf')).toMatchObject({
      title: 'A report',
      description: 'Links in a file',
      lang: 'en',
      facts: { pages: 1 },
    });
    expect(links.map(({ to, context }) => [new URL(to).pathname, context])).toEqual([
      ['/t/pdf-annotation', 'pdf/URI'],
      ['/t/pdf-packed', 'pdf/URI'],
    ]);
  });
});

/** The extension in docs/library.md, verbatim. */
function documentedExample(): ExtensionDefinition {
  const readme = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const [, example] = /const house = (defineExtension\(\{.*?\n\}\));/s.exec(readme) ?? [];
  const names = { mkdir, writeFile, join, defineExtension, fileLink, snapshotStem };
  const made: unknown = runInThisContext(`({${Object.keys(names).join(',')}}) => ${example ?? 'null'}`);
  return (made as (given: typeof names) => ExtensionDefinition)(names);
}

describe('an extension', () => {
  const house = documentedExample();

  const site = () =>
    httpOrigin((request, response) => {
      const answer = (type: string, body: string): void =>
        void response.writeHead(200, { 'content-type': type }).end(body);
      switch (request.url ?? '') {
        case '/':
          return answer(
            'text/html',
            '<title>Home</title><p>Some words: <a href="/film.vtt">film</a> <a href="/list.opml">list</a>',
          );
        case '/film.vtt':
          return answer(
            'text/vtt',
            'WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning\n\n00:03.000 --> 00:04.000\nGood night\n',
          );
        case '/list.opml':
          return answer('text/x-opml', '<opml><outline xmlUrl="/feed"/></opml>');
        case '/feed':
          return answer('application/rss+xml', '<rss><channel><title>F</title></channel></rss>');
        default:
          return void response.writeHead(404).end();
      }
    });

  it('processes, discovers and keeps what it says', async () => {
    await using origin = await site();
    await crawled({ seeds: [`${origin.url}/`], extensions: [house] }, async ({ byPath, read }) => {
      const film = byPath.get('/film.vtt');
      expect(film).toMatchObject({ words: 4, facts: { cues: 2 } });
      expect(await read(film?.snapshot.text)).toBe('Good morning\n\n\nGood night');
      expect(byPath.get('/feed')).toMatchObject({ title: 'F' }); // only the extension sets the title
      const home = byPath.get('/');
      expect(JSON.parse(await read(home?.snapshot.extra?.['words']))).toEqual({ url: `${origin.url}/`, words: 4 });
      expect(byPath.get('/film.vtt')?.snapshot.extra?.['words']).toMatch(/^snapshots\/words\//);
    });
  });

  it('that fails in every way it can costs three lines of the log, and not a page', async () => {
    await using origin = await site();
    const fails = (): never => {
      throw new Error('broken');
    };
    const broken: ExtensionDefinition = {
      name: 'broken',
      processors: [{ name: 'p', accepts: () => true, process: fails }],
      snapshotWriters: [() => ({ write: fails, seal: fails })],
    };
    await crawled({ seeds: [`${origin.url}/`], extensions: [broken, house] }, async ({ byPath, read, folder }) => {
      expect([...byPath.values()].every(({ outcome }) => outcome === 'captured' || outcome === 'not-html')).toBe(true);
      expect(byPath.get('/film.vtt')).toMatchObject({ facts: { cues: 2 } });
      expect(await read(byPath.get('/')?.snapshot.html)).toContain('Some words');
      const lines = await linesOf<{ readonly event: string; readonly extension?: string }>(folder, 'log.jsonl');
      const told = lines.filter(({ extension }) => extension === 'broken').map(({ event }) => event);
      expect(told.toSorted()).toEqual([
        'processor failed',
        'snapshot writer failed to seal',
        'snapshot writer failed to write',
      ]);
    });
  });
});
