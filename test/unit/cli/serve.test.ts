import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeCrawl } from '../../support/stored-crawl.ts';
import { runFake } from './fake-shell.ts';

test('serve refuses the folder of a crawl without an archive, in which a site would have no page', async () => {
  await using stored = await storeCrawl();
  const { code, shell } = await runFake({ words: ['serve', stored.folder] });
  expect(code).toBe(2);
  expect(shell.errorText).toMatch(/is the folder of a crawl without an archive \[SEED_INVALID\]\n.*--snapshot warc/);
});

test('serve takes a site that has a crawl.json among its files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-serve-'));
  for (const name of ['crawl.json', 'index.html']) await writeFile(join(folder, name), '{}');
  const { shell } = await runFake({ words: ['serve', folder] });
  expect(shell.errorText).toContain('not asked for in this test'); // the server is opened
  await rm(folder, { recursive: true });
});
