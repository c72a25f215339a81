import { appendFile, mkdtemp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedPages } from '../../../src/crawl-folder/stored-lines.ts';
import { JournalFiles } from '../../../src/crawl-folder/journal-files.ts';
import type { JournalEntry } from '../../../src/model/journal-entry.ts';
import type { PageRecord, SkippedRecord } from '../../../src/model/record.ts';
import { pageRecord, url } from '../../support/frontier-nouns.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const skipped = (url: string): SkippedRecord => ({
  url,
  reason: 'out-of-scope',
  rule: 'host is not a.test',
  referrer: null,
});
const entry = (...urls: readonly string[]): JournalEntry => ({ page: null, links: [], skipped: urls.map(skipped) });
const urlsIn = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'skipped.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as SkippedRecord).url);

describe('the journal files', () => {
  it('hold one line for each record, in order, and say how long they are', async () => {
    const files = await JournalFiles.open(folder, {});
    const lengths = await files.append([entry('http://a.test/1', 'http://a.test/2'), entry('http://a.test/ü')]);
    await files[Symbol.asyncDispose]();
    expect(await urlsIn()).toEqual(['http://a.test/1', 'http://a.test/2', 'http://a.test/ü']);
    expect(lengths['skipped.jsonl']).toBe((await readFile(join(folder, 'skipped.jsonl'))).length);
    expect(lengths['pages.jsonl']).toBe(0);
  });

  it('lose what was written after the last known length, torn line or whole, so that it can be written again', async () => {
    const first = await JournalFiles.open(folder, {});
    const known = await first.append([entry('http://a.test/1')]);
    await first.append([entry('http://a.test/2')]);
    await first[Symbol.asyncDispose]();
    await appendFile(join(folder, 'skipped.jsonl'), '{"url":"http://a.test/3","rea');

    const second = await JournalFiles.open(folder, known);
    await second.append([entry('http://a.test/2')]);
    await second[Symbol.asyncDispose]();
    expect(second.shortened).toEqual([]);
    expect(await urlsIn()).toEqual(['http://a.test/1', 'http://a.test/2']);
  });

  it.each([
    ['removed', () => rm(folder, { recursive: true })],
    ['moved', () => rename(folder, `${folder}-moved`)],
  ])('are not written on where their folder was %s: nobody would find the lines', async (_what, change) => {
    const files = await JournalFiles.open(folder, {});
    await files.append([entry('http://a.test/1')]);
    await change();
    await expect(files.append([entry('http://a.test/2')])).rejects.toThrow(/skipped\.jsonl: its folder is not there/);
    await files[Symbol.asyncDispose]();
    await rm(`${folder}-moved`, { recursive: true, force: true });
  });

  it('have one for details only once there are any, and cut it like the others', async () => {
    const first = await JournalFiles.open(folder, {});
    await first.append([entry('http://a.test/1')]);
    await expect(readFile(join(folder, 'details.jsonl'))).rejects.toThrow('ENOENT');
    const known = await first.append([{ ...entry(), details: '{"url":"http://a.test/1"}' }]);
    await first.append([{ ...entry(), details: '{"url":"http://a.test/2"}' }]);
    await first[Symbol.asyncDispose]();

    const second = await JournalFiles.open(folder, known);
    await second[Symbol.asyncDispose]();
    expect(await readFile(join(folder, 'details.jsonl'), 'utf8')).toBe('{"url":"http://a.test/1"}\n');
    const before = await JournalFiles.open(folder, {});
    await before[Symbol.asyncDispose]();
    expect(await readFile(join(folder, 'details.jsonl'), 'utf8')).toBe('');
  });

  it('tell which of them is shorter than it should be', async () => {
    const first = await JournalFiles.open(folder, {});
    const known = await first.append([entry('http://a.test/1'), entry('http://a.test/2')]);
    await first[Symbol.asyncDispose]();
    await truncate(join(folder, 'skipped.jsonl'), 10);
    const second = await JournalFiles.open(folder, known);
    await second[Symbol.asyncDispose]();
    expect(second.shortened).toEqual(['skipped.jsonl']);
  });

  it('go on behind the last whole line where one is torn that should be whole, as in a copy made while they grew', async () => {
    const first = await JournalFiles.open(folder, {});
    await first.append([entry('http://a.test/1')]);
    const known = await first.append([entry('http://a.test/2')]);
    await first[Symbol.asyncDispose]();
    await truncate(join(folder, 'skipped.jsonl'), (known['skipped.jsonl'] ?? 0) - 5);
    const second = await JournalFiles.open(folder, known);
    expect(await urlsIn()).toEqual(['http://a.test/1']);
    const lengths = await second.append([entry('http://a.test/3')]);
    await second[Symbol.asyncDispose]();
    expect(second.shortened).toEqual(['skipped.jsonl']);
    expect(await urlsIn()).toEqual(['http://a.test/1', 'http://a.test/3']);
    expect(lengths['skipped.jsonl']).toBe((await readFile(join(folder, 'skipped.jsonl'))).length);
  });
});

describe('pages that were visited again', () => {
  type Lengths = Readonly<Record<string, number>>;
  const paid = (cash: number): PageRecord['credit'] => ({ cash, history: cash, importance: cash / 1000 });

  /** A visit of a page, with its details. */
  function visit(name: string, given: Partial<PageRecord> = {}): JournalEntry {
    const page = { ...pageRecord(url(`http://a.test/${name}`)), rendered: given.again === true, ...given };
    return { page, links: [], skipped: [], details: JSON.stringify({ url: page.url, rendered: page.rendered }) };
  }

  const ENTRIES = [
    visit('1'),
    visit('2', { credit: paid(10), links: { found: 3, new: 2, parts: 0 } }),
    visit('ü', { title: 'of no interest: "again":true' }),
    visit('2', { again: true, credit: paid(5), links: { found: 4, new: 1, parts: 0 } }),
    visit('3'),
    visit('ü', { again: true }),
  ];
  const STAY = ['%C3%BC', '1', '2', '3'].map((name) => `http://a.test/${name}`);

  async function linesIn(name: string): Promise<readonly PageRecord[]> {
    const text = await readFile(join(folder, name), 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as PageRecord);
  }
  const namesOf = (pages: readonly PageRecord[]): readonly string[] => pages.map((page) => page.url);

  /** @param dies number of the call that fails; @returns the lengths kept last */
  async function takeOut(dies = Infinity): Promise<Lengths> {
    const files = await JournalFiles.open(folder, {});
    const known = await files.append(ENTRIES);
    let [kept, calls]: [Lengths, number] = [known, 0];
    const taking = files.takeOutEarlier(known, async (lengths) => {
      calls += 1;
      if (calls === dies) throw new Error('killed');
      kept = lengths;
    });
    if (dies === Infinity) await taking;
    else await expect(taking).rejects.toThrow();
    await files[Symbol.asyncDispose]();
    return kept;
  }

  it('are read by their last line as long as they have several', async () => {
    const files = await JournalFiles.open(folder, {});
    await files.append(ENTRIES);
    await files[Symbol.asyncDispose]();
    const read: string[] = [];
    for await (const { url: of, rendered } of storedPages(folder, '', { torn: () => {}, damaged: () => {} }))
      read.push(`${of} ${rendered}`);
    expect(read.toSorted()).toEqual(STAY.map((of) => `${of} ${!/\/[13]$/.test(of)}`));
  });

  it('have one line in the end, with what all visits have brought', async () => {
    const lengths = await takeOut();
    const pages = await linesIn('pages.jsonl');
    expect(namesOf(pages).toSorted()).toEqual(STAY);
    expect(namesOf(await linesIn('details.jsonl')).toSorted()).toEqual(STAY);
    const [second] = pages.filter((page) => page.url.endsWith('/2'));
    expect(second).toMatchObject({ again: true, rendered: true, links: { found: 7, new: 3 } });
    expect(second?.credit).toEqual({ cash: 15, history: 15, importance: 0.015 });
    for (const name of ['pages.jsonl', 'details.jsonl'])
      expect(lengths[name]).toBe((await readFile(join(folder, name))).length);

    // a new run appends after it, and there is nothing more to take out
    const files = await JournalFiles.open(folder, lengths);
    expect(files.shortened).toEqual([]);
    const more = await files.append([visit('4')]);
    await files.takeOutEarlier(more, () => Promise.reject(new Error('nothing changes')));
    await files[Symbol.asyncDispose]();
    expect(namesOf(await linesIn('pages.jsonl')).toSorted()).toEqual([...STAY, 'http://a.test/4']);
  });

  it.each([1, 2])(
    'have all their lines, or one, where the program dies at step %i, and no line is lost',
    async (step) => {
      const lengths = await takeOut(step);
      const files = await JournalFiles.open(folder, lengths);
      expect(files.shortened).toEqual([]);
      await files.append([visit('4')]);
      await files[Symbol.asyncDispose]();
      expect(namesOf(await linesIn('pages.jsonl'))).toHaveLength(step === 1 ? 7 : 5);
      expect(new Set(namesOf(await linesIn('pages.jsonl'))).size).toBe(5);
      expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );
});
