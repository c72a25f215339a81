import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournalFiles } from '../../../src/crawl-folder/journal-files.ts';
import type { JournalEntry } from '../../../src/model/journal-entry.ts';
import type { SkippedRecord } from '../../../src/model/record.ts';

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
    const { files } = await openJournalFiles(folder, {});
    const lengths = await files.append([entry('http://a.test/1', 'http://a.test/2'), entry('http://a.test/ü')]);
    await files[Symbol.asyncDispose]();
    expect(await urlsIn()).toEqual(['http://a.test/1', 'http://a.test/2', 'http://a.test/ü']);
    expect(lengths['skipped.jsonl']).toBe((await readFile(join(folder, 'skipped.jsonl'))).length);
    expect(lengths['pages.jsonl']).toBe(0);
  });

  it('lose what was written after the last known length, torn line or whole, so that it can be written again', async () => {
    const first = await openJournalFiles(folder, {});
    const known = await first.files.append([entry('http://a.test/1')]);
    await first.files.append([entry('http://a.test/2')]);
    await first.files[Symbol.asyncDispose]();
    await appendFile(join(folder, 'skipped.jsonl'), '{"url":"http://a.test/3","rea');

    const second = await openJournalFiles(folder, known);
    await second.files.append([entry('http://a.test/2')]);
    await second.files[Symbol.asyncDispose]();
    expect(second.shortened).toEqual([]);
    expect(await urlsIn()).toEqual(['http://a.test/1', 'http://a.test/2']);
  });

  it('have one for details only once there are any, and cut it like the others', async () => {
    const first = await openJournalFiles(folder, {});
    await first.files.append([entry('http://a.test/1')]);
    await expect(readFile(join(folder, 'details.jsonl'))).rejects.toThrow('ENOENT');
    const known = await first.files.append([{ ...entry(), details: '{"url":"http://a.test/1"}' }]);
    await first.files.append([{ ...entry(), details: '{"url":"http://a.test/2"}' }]);
    await first.files[Symbol.asyncDispose]();

    const second = await openJournalFiles(folder, known);
    await second.files[Symbol.asyncDispose]();
    expect(await readFile(join(folder, 'details.jsonl'), 'utf8')).toBe('{"url":"http://a.test/1"}\n');
    const before = await openJournalFiles(folder, {});
    await before.files[Symbol.asyncDispose]();
    expect(await readFile(join(folder, 'details.jsonl'), 'utf8')).toBe('');
  });

  it('tell which of them is shorter than it should be', async () => {
    const first = await openJournalFiles(folder, {});
    const known = await first.files.append([entry('http://a.test/1'), entry('http://a.test/2')]);
    await first.files[Symbol.asyncDispose]();
    await truncate(join(folder, 'skipped.jsonl'), 10);
    const second = await openJournalFiles(folder, known);
    await second.files[Symbol.asyncDispose]();
    expect(second.shortened).toEqual(['skipped.jsonl']);
  });
});
