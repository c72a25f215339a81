import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody } from '../../support/as-nobody.ts';
import { documentOf, prose, storeSite } from '../../support/audited-site.ts';
import { runFake } from './fake-shell.ts';

/** Everything in the folder, with the contents of files. */
async function contentsOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const).toSorted();
  return Promise.all(
    paths.map(async ([path, isFile]) => [path, isFile ? await readFile(path, 'latin1') : ''] as const),
  );
}

/** @param mode of folders */
async function allow(mode: 0o555 | 0o755, { base, folder }: Record<'base' | 'folder', string>): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await chmod(base, 0o755);
  await chmod(folder, mode);
  for (const entry of entries) await chmod(join(entry.parentPath, entry.name), entry.isFile() ? 0o444 : mode);
}

test('a crawl that the user may only read is audited and compared, and nothing is written there', async () => {
  const home = documentOf(`<a href="/gone">more</a>${prose('The harbour')}`, { title: 'The harbour' });
  await using old = await storeSite({ pages: { '/': documentOf(prose('The harbour'), { title: 'The harbour' }) } });
  await using now = await storeSite({ pages: { '/': home, '/gone': {} } });
  for (const site of [old, now]) await allow(0o555, site);
  const before = await contentsOf(now.folder);
  const ask = (...words: readonly string[]): ReturnType<typeof runFake> => runFake({ words });
  const [audit, diff, asked] = await asNobody(async () => [
    await ask('audit', now.folder, '--external=none'),
    await ask('diff', old.folder, now.folder),
    await ask('audit', now.folder, '--external=none', '--reporter', 'html'),
  ]);
  for (const site of [old, now]) await allow(0o755, site); // so that it can be removed
  expect(audit?.shell.errorText).toBe('');
  expect(audit?.shell.outputText).toContain('Link to /gone, which answers with status 404');
  expect(audit?.shell.outputText).toContain('this user may only read the crawl folder: findings.jsonl');
  expect(audit?.shell.outputText).toMatch(/No report was written, as this user may only read .*html=<file>/);
  expect(audit?.code).toBe(0);
  expect(diff?.code).toBe(1);
  expect(diff?.shell.outputText).toContain('A new link to /gone');
  expect([asked?.code, asked?.shell.errorText]).toEqual([2, expect.stringContaining('this user may not write there')]);
  expect(await contentsOf(now.folder)).toEqual(before);
});
