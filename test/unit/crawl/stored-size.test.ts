import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSizeLimit, storedBytes } from '../../../src/crawl/folder/stored-size.ts';

const NOTHING = { html: null, text: null, screenshot: null, warc: null };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-size-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, size: number): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), Buffer.alloc(size));
}

describe('what a crawl folder keeps of pages', () => {
  it('is its records, snapshots and archive, and nothing else', async () => {
    expect(await storedBytes(folder)).toBe(0);
    for (const name of ['pages.jsonl', 'links.jsonl', 'skipped.jsonl']) await put(name, 10);
    await put('snapshots/a/b/1.html', 100);
    await put('archive/crawl-0.warc.gz', 1000);
    for (const other of ['log.jsonl', 'crawl.json', 'state/appendonly.aof']) await put(other, 5000);
    expect(await storedBytes(folder)).toBe(1130);
    expect(await storedBytes(folder, 'without-snapshots')).toBe(1030);
  });
});

describe('a limit of size', () => {
  it('is reached by snapshots, records or the archive, whichever grows', async () => {
    for (const grow of [
      () => put('snapshots/1.html', 70),
      () => put('pages.jsonl', 70),
      () => put('archive/0.warc.gz', 70),
    ]) {
      await rm(folder, { recursive: true, force: true });
      await put('pages.jsonl', 30);
      const size = await openSizeLimit(folder, 100);
      await size.stored(NOTHING);
      expect(size.isReached).toBe(false);
      await grow();
      await appendFile(join(folder, 'links.jsonl'), Buffer.alloc(30));
      await size.stored({ ...NOTHING, html: 'snapshots/1.html' });
      expect(size.isReached).toBe(true);
    }
  });

  it('knows what earlier runs kept, and counts what extensions write', async () => {
    await put('snapshots/old.html', 60);
    const size = await openSizeLimit(folder, 100);
    await put('snapshots/new.pdf', 40);
    await size.stored({ ...NOTHING, extra: { pdf: 'snapshots/new.pdf' } });
    expect(size.isReached).toBe(true);
    expect((await openSizeLimit(folder, 100)).isReached).toBe(true);
    expect((await openSizeLimit(folder, 101)).isReached).toBe(false);
  });

  it.each([
    [
      'screenshots in further windows',
      'snapshots/1.390x844.jpg',
      { screenshots: { '390x844': 'snapshots/1.390x844.jpg' } },
    ],
    ['places of elements in screenshots', 'snapshots/1.boxes.json', { boxes: 'snapshots/1.boxes.json' }],
  ])('counts %s', async (_title, path, paths) => {
    const size = await openSizeLimit(folder, 100);
    await put(path, 100);
    await size.stored({ ...NOTHING, ...paths });
    expect(size.isReached).toBe(true);
  });

  it('that is none is never reached', async () => {
    await put('pages.jsonl', 1000);
    const size = await openSizeLimit(folder, null);
    await size.stored(NOTHING);
    expect(size.isReached).toBe(false);
  });
});
