import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countEntry, countFolder, createTally, type CountedPage } from '../../../src/crawl/summary/tally.ts';
import { isFailure } from '../../../src/model/record.ts';
import { pageRecord, skip } from '../../support/frontier-nouns.ts';
import { url } from '../../support/page.ts';

const page = (given: Partial<CountedPage>): CountedPage => ({
  url: 'http://one.example/',
  outcome: 'captured',
  status: 200,
  truncated: null,
  detail: null,
  referrer: null,
  confidence: 'high',
  empty: false,
  links: { found: 0 },
  timing: null,
  settle: { reason: 'quiet', pending: [] },
  ...given,
});

describe('the tally', () => {
  it('counts outcomes, skip reasons and links', () => {
    const tally = createTally();
    const record = pageRecord(url('http://one.example/'));
    countEntry(
      {
        page: { ...record, links: { found: 3, new: 1, parts: 9 } },
        links: [],
        skipped: [skip('http://x.example/', 'depth')],
      },
      tally,
    );
    countEntry({ page: { ...record, outcome: 'redirected' }, links: [], skipped: [] }, tally);
    countEntry({ page: null, links: [], skipped: [skip('http://y.example/', 'depth')] }, tally);
    expect([...tally.outcomes]).toEqual([
      ['captured', 1],
      ['redirected', 1],
    ]);
    expect([...tally.skipped]).toEqual([['depth', 2]]);
    expect(tally.linksFound).toBe(3);
  });

  it('counts a page that was visited again once, and the links to pages that this has added', () => {
    const tally = createTally();
    const record = pageRecord(url('http://one.example/'));
    countEntry({ page: { ...record, links: { found: 3, new: 1, parts: 9 } }, links: [], skipped: [] }, tally);
    const links = ['anchor', 'resource', 'click'].map((kind) => JSON.stringify({ kind, rel: [], context: kind }));
    const again = { ...record, again: true as const, links: { found: 5, new: 0, parts: 10 } };
    countEntry({ page: again, links, skipped: [] }, tally);
    expect([...tally.outcomes]).toEqual([['captured', 1]]);
    expect(tally.linksFound).toBe(5);
  });

  it.each([
    [{ outcome: 'unreachable', status: null, detail: 'connection refused' } as const, 'connection refused'],
    [{ outcome: 'http-error', status: 404 } as const, 'status 404'],
    [{ outcome: 'timed-out', status: null } as const, 'timed-out'],
  ])('says why a page failed: %j', (given, why) => {
    const tally = createTally();
    tally.addPage(page({ ...given, referrer: 'http://one.example/from' }));
    expect(tally.failures).toEqual([{ url: 'http://one.example/', why, referrer: 'http://one.example/from' }]);
  });

  it('counts failures of speculative links by themselves, and names none of them', () => {
    const tally = createTally();
    tally.addPage(page({ outcome: 'http-error', status: 404, confidence: 'low' }));
    tally.addPage(page({ outcome: 'http-error', status: 404 }));
    tally.addPage(page({ confidence: 'low' }));
    expect([...tally.wrongGuesses]).toEqual([['http-error', 1]]);
    expect(tally.outcomes.get('http-error')).toBe(2);
    expect(tally.failures).toHaveLength(1);
  });

  it('names twenty failures and counts all', () => {
    const tally = createTally();
    for (let index = 0; index < 30; index += 1) tally.addPage(page({ outcome: 'http-error', status: 500 }));
    expect([tally.failures.length, tally.outcomes.get('http-error')]).toEqual([20, 30]);
  });

  it('names twenty bodies that broke off and counts all', () => {
    const tally = createTally();
    for (let index = 0; index < 30; index += 1) tally.addPage(page({ truncated: 'disconnect' }));
    tally.addPage(page({}));
    expect([tally.truncated.count, tally.truncated.first.length]).toEqual([30, 20]);
    expect(tally.truncated.first[0]).toEqual({ url: 'http://one.example/', cause: 'disconnect' });
  });

  it('takes nothing at a speculative address for no failure of the site', () => {
    const tally = createTally();
    tally.addPage(page({ outcome: 'http-error', status: 404, confidence: 'low' }));
    expect([tally.failures, tally.outcomes.get('http-error')]).toEqual([[], 1]);
  });

  it('takes what is not HTML and redirects for no failure', () => {
    const good = (['captured', 'redirected', 'not-html'] as const).map(isFailure);
    expect(good).toEqual([false, false, false]);
    expect((['http-error', 'too-large', 'crashed', 'unreachable'] as const).map(isFailure)).not.toContain(false);
  });

  it('counts pages that ended while they waited for answers, and keeps the longest wait', () => {
    const tally = createTally();
    const waited = (url: string, total: number, pending: readonly string[]): CountedPage =>
      page({ url, timing: { total }, settle: { reason: 'timeout', pending } });
    tally.addPage(waited('http://one.example/a', 15_100, ['fetch http://one.example/api/search?q=1']));
    tally.addPage(
      waited('http://one.example/b', 15_300, ['image http://one.example/x.png', 'xhr http://one.example/api/list']),
    );
    // not counted: a page with an open stream, and one that computed for ever
    tally.addPage(waited('http://one.example/c', 20_000, ['eventsource http://one.example/events']));
    tally.addPage(waited('http://one.example/d', 20_000, []));
    tally.addPage(page({ settle: { reason: 'quiet', pending: ['fetch http://one.example/comet'] } }));
    expect(tally.unanswered).toEqual({
      count: 2,
      longest: { url: 'http://one.example/b', request: 'http://one.example/api/list', time: 15_300 },
    });
  });

  it('counts pages that showed nothing, and names the first', () => {
    const tally = createTally();
    for (const name of ['a', 'b']) tally.addPage(page({ url: `http://one.example/${name}`, empty: true }));
    tally.addPage(page({ url: 'http://one.example/c' }));
    expect(tally.blank).toEqual({ count: 2, first: 'http://one.example/a' });
  });

  it('counts pages that had controls left, and names the first', () => {
    const tally = createTally();
    const detail = 'controls not used: 3 ("Next", …), as the time for a page was used up';
    for (const name of ['a', 'b']) tally.addPage(page({ url: `http://one.example/${name}`, detail }));
    tally.addPage(page({ url: 'http://one.example/c', detail: 'not read to its end: text' }));
    expect(tally.partlyUsed).toEqual({ count: 2, first: 'http://one.example/a' });
  });

  it('counts what an earlier run wrote into the folder, and a folder without files as nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-tally-'));
    try {
      const empty = createTally();
      await countFolder(folder, empty);
      expect([empty.outcomes.size, empty.skipped.size, empty.linksFound]).toEqual([0, 0, 0]);
      const lines = (...values: readonly unknown[]): string =>
        values.map((each) => `${JSON.stringify(each)}\n`).join('');
      await writeFile(
        join(folder, 'pages.jsonl'),
        lines(page({ links: { found: 3 } }), page({ outcome: 'http-error', status: 404 })),
      );
      const parted = { ...skip('http://x.example/'), rule: 'a line\u2028that is parted\u2029for readers' };
      await writeFile(join(folder, 'skipped.jsonl'), lines(parted, skip('mailto:x')));
      const tally = createTally();
      await countFolder(folder, tally);
      expect([[...tally.outcomes], [...tally.skipped], tally.linksFound, tally.failures.length]).toEqual([
        [
          ['captured', 1],
          ['http-error', 1],
        ],
        [['out-of-scope', 2]],
        3,
        1,
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
