/** Text from pages, servers, crawl folders and machines on its way to a terminal: no command outputs anything that the terminal would obey. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import type { Engine } from '../../../src/cli/engine.ts';
import type { CrawlEvent } from '../../../src/crawl/events.ts';
import { openLog } from '../../../src/crawl/folder/log-file.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../../src/model/record.ts';
import { storeCrawl, type StoredCrawlFolder } from '../../support/stored-crawl.ts';
import { FakeCrawl, pageOf } from './fake-crawl.ts';
import { runFake, type FakeShell } from './fake-shell.ts';

/** All control characters, separated by a letter, so that no sequence hides another one. */
const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(0x7f + code)),
  ...['\u00ad', '\u061c', '\u200b', '\u200e', '\u200f', '\u2028', '\u2029'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\ufeff', '\u{e0041}'],
].join('x');
const COMMANDS = '##[stop-commands]x ##vso[task.setvariable variable=PATH]x #\u200b#[group]x';
const HOSTILE = `bad ${COMMANDS} \u001b]0;owned\u0007\u001b[31m\u009b5n\u001bP1;2|6869\u001b\\ ${CONTROLS} end`;

/** Only line feeds and tabs, which are the program's own, may be in the output besides text. */
function expectTame(shell: FakeShell): void {
  for (const text of [shell.outputText, shell.errorText]) {
    expect(
      Buffer.from(text, 'utf8')
        .toString('utf8')
        .replaceAll(/[\n\t]/g, ''),
    ).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    // where a job of CI runs the program, its runner obeys these
    expect(text).not.toMatch(RUNNER_COMMAND);
  }
}

const RUNNER_COMMAND = /##(?:vso|teamcity)?\[/;

/** A terminal without colours and live line, which consist of our own control sequences. */
const QUIET = { isTTY: true, variables: { NO_COLOR: '1', CI: '1' } } as const;

const SEED = 'https://example.org/';
const URL_OF = `https://example.org/${HOSTILE}`;
const hostilePage = (url: string, changes: Partial<PageRecord> = {}): PageRecord =>
  pageOf({
    url,
    finalUrl: URL_OF,
    referrer: URL_OF,
    contentType: HOSTILE,
    settle: { reason: HOSTILE, pending: [URL_OF] },
    title: HOSTILE,
    description: HOSTILE,
    canonical: URL_OF,
    lang: HOSTILE,
    h1: [HOSTILE],
    facts: { [HOSTILE]: HOSTILE },
    robots: [HOSTILE],
    robotsRule: HOSTILE,
    redirects: [{ url: URL_OF, status: 301 }],
    duplicateOf: URL_OF,
    similarity: 1,
    detail: HOSTILE,
    ...changes,
  });
const link = (from: string, to: string): LinkRecord => ({
  from,
  to,
  href: HOSTILE,
  kind: 'anchor',
  confidence: 'high',
  context: HOSTILE,
  stage: 'load',
  frame: HOSTILE,
  text: HOSTILE,
  rel: [HOSTILE],
  new: true,
});
const skip: SkippedRecord = { url: `${SEED}skipped`, reason: 'out-of-scope', rule: HOSTILE, referrer: URL_OF };

let crawl: StoredCrawlFolder;
beforeAll(async () => {
  const snapshot = { html: 'snapshots/3f/a.html', text: 'snapshots/3f/a.txt', screenshot: null, warc: null };
  crawl = await storeCrawl({
    crawl: {
      notes: [HOSTILE],
      end: HOSTILE,
      state: 'interrupted',
      suspectedTraps: [{ pattern: HOSTILE, rule: HOSTILE, fetched: 1, held: 1, why: HOSTILE }],
    },
    pages: [
      hostilePage(SEED),
      hostilePage(`${SEED}a`, { snapshot }),
      hostilePage(URL_OF),
      hostilePage(`${SEED}b`, { outcome: 'unreachable' }),
    ],
    links: [
      link(SEED, `${SEED}a`),
      link(SEED, URL_OF),
      link(URL_OF, `${SEED}a`),
      link(URL_OF, `${SEED}skipped`),
      link(`${SEED}a`, `${SEED}b`),
    ],
    skipped: [skip],
    torn: `{"url":"${HOSTILE}`,
  });
  await mkdir(join(crawl.folder, 'snapshots/3f'), { recursive: true });
  await writeFile(join(crawl.folder, snapshot.html), HOSTILE);
  await writeFile(join(crawl.folder, snapshot.text), HOSTILE);
});
afterAll(() => crawl[Symbol.asyncDispose]());

const JSON_TOO = (words: readonly string[]): readonly (readonly string[])[] => [words, [...words, '--json']];

describe('a terminal gets nothing that it would obey', () => {
  test.each(
    [
      ...JSON_TOO(['links', '--to', '/a']),
      ...JSON_TOO(['links', '--from', '/']),
      ...JSON_TOO(['links', '--path', '/a']),
      ...JSON_TOO(['links', '--depth']),
      ...JSON_TOO(['links', '--orphans']),
      ...JSON_TOO(['links', '--dead-ends']),
      ...JSON_TOO(['links', '--rank']),
      ...JSON_TOO(['explain', '/a']),
      ...JSON_TOO(['explain', '/b']),
      ...JSON_TOO(['explain', '/skipped']),
      ...JSON_TOO(['explain', `/${HOSTILE.replaceAll(/\s/g, '')}`]),
      ['show', '/a', '--html'],
      ['show', '/a'],
      ['show', '/b', '--text'],
      ['show', '/b', '--headers'],
      ['show', '/skipped'],
      ['show', `/${HOSTILE}`],
      ['export', '--sitemap', 'sitemap.xml', '--overwrite'],
      ['export', '--csv', `no\u001b[31m\u009b\u202esuch/folder`],
      ['export', '--wacz', 'a.wacz'],
    ].map((words) => [words.join(' ').replaceAll(/[^\x20-\x7e]/g, ''), words] as const),
  )('from %s', async (_title, [command = '', ...words]) => {
    const { shell } = await runFake({ ...QUIET, words: [command, crawl.folder, ...words], workingFolder: crawl.base });
    expect(shell.outputText + shell.errorText).not.toBe('');
    expectTame(shell);
    if (words.includes('--json')) {
      const lines =
        command === 'links' ? shell.outputText.split('\n').filter((line) => line !== '') : [shell.outputText];
      for (const line of lines.filter((each) => each !== '')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });

  test('from JSON, which says the same when it is read', async () => {
    const words = ['links', crawl.folder, '--from', '/', '--json'];
    const { shell } = await runFake({ ...QUIET, words, workingFolder: crawl.base });
    const rows = shell.outputText
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly text?: string });
    expect(rows.map(({ text }) => text)).toContain(HOSTILE);
  });

  test.each([[[]], [['-v']], [['-q']]])('from a crawl that tells hostile pages, with %j', async (flags) => {
    const events: CrawlEvent[] = [
      { kind: 'note', message: HOSTILE },
      { kind: 'page', page: hostilePage(URL_OF) },
      { kind: 'failed', page: hostilePage(URL_OF, { detail: HOSTILE }) },
      { kind: 'failed', page: hostilePage(URL_OF, { confidence: 'low' }) },
    ];
    const trap = { pattern: HOSTILE, rule: HOSTILE, fetched: 1, held: 1, why: HOSTILE };
    const host = { host: HOSTILE, failures: 1, queued: 1, why: HOSTILE };
    const report = {
      state: 'failed',
      end: 'broken-off',
      cause: HOSTILE,
      folder: `/somewhere/${HOSTILE}`,
      notes: [HOSTILE],
      suspectedTraps: [trap],
      hostsGivenUp: [host],
      failures: [{ url: URL_OF, why: HOSTILE }],
      outcomes: { [HOSTILE]: 1 },
      skipped: { [HOSTILE]: 1 },
    };
    const script = { events, report: report as never };
    const { shell } = await runFake({ ...QUIET, words: ['crawl', SEED, ...flags], crawl: new FakeCrawl(script) });
    expect(shell.outputText + shell.errorText).toContain('bad');
    expectTame(shell);
  });

  test.each([
    ['an error of ours', new CrawlError('DISK_FULL', HOSTILE)],
    ['an error of anybody', new Error(HOSTILE)],
    ['what is no error', HOSTILE],
  ])('from a crawl that ends with %s', async (_title, error) => {
    const startCrawl = async (): Promise<never> => {
      throw error; // oxlint-disable-line typescript/only-throw-error -- an extension may
    };
    const { shell } = await runFake({ ...QUIET, words: ['crawl', SEED], engine: { startCrawl } });
    expectTame(shell);
  });

  test.each([
    [[HOSTILE]],
    [[`--${HOSTILE}`]],
    [['crawl', HOSTILE]],
    [['crawl', `https://${HOSTILE}/`]],
    [['crawl', SEED, '--delay', HOSTILE]],
    [['crawl', SEED, '-H', HOSTILE]],
    [['crawl', SEED, '--header-origin', HOSTILE]],
    [['crawl', SEED, '-c', HOSTILE]],
    [['crawl', '--url-list', HOSTILE]],
    [['links', HOSTILE, '--depth']],
    [['links', 'x', '--kind', HOSTILE]],
    [['explain', HOSTILE, '/']],
    [['show', HOSTILE, '/']],
    [['export', HOSTILE, '--csv', 'x']],
    [['resume', HOSTILE]],
    [['serve', HOSTILE]],
  ])('from words that were typed %#', async (words) => {
    const engine: Partial<Engine> = {
      openSiteServer: async (folder) => {
        throw new CrawlError('SEED_INVALID', `${folder} is no site`);
      },
    };
    const { shell } = await runFake({ ...QUIET, words, workingFolder: crawl.base, engine });
    expectTame(shell);
  });

  test('from the findings about a machine, and from variables with hostile names', async () => {
    const finding = { name: HOSTILE, ok: false, detail: HOSTILE, cure: HOSTILE };
    const variables = { ...QUIET.variables, [`ORBWEAVER_${HOSTILE}`]: '1' };
    for (const words of [['doctor'], ['crawl', SEED]]) {
      const { shell } = await runFake({
        isTTY: true,
        variables,
        words,
        engine: { diagnoseMachine: async () => [finding] },
      });
      expectTame(shell);
    }
  });

  test('from a log on standard error, which says the same when it is read, but for its tokens', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-log-'));
    try {
      const path = join(folder, 'log.jsonl');
      {
        await using log = openLog(path, 'debug', ['s3same-value']);
        log.warn('said', { [HOSTILE]: HOSTILE, list: [HOSTILE], deep: { url: URL_OF }, error: new Error(HOSTILE) });
        log.warn('asked', { url: 'https://a.test/?token=s3same', text: 'it said s3same-value' });
      }
      const text = await readFile(path, 'utf8');
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      expect(text).not.toMatch(RUNNER_COMMAND);
      expect(text).not.toContain('s3same');
      const [, asked] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
      expect(asked).toMatchObject({ url: 'https://a.test/?token=REDACTED', text: 'it said REDACTED' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
