import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { unpackWacz } from '../../../src/replay/unpacked-wacz.ts';

/** Longer than a text that is held in memory. */
const LENGTH = 65 * 1_048_576;

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-wacz-test-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A WACZ file with an index of equal lines. */
async function waczWithIndex(name: string, line: string, compress: boolean): Promise<string> {
  const path = join(base, name);
  const zip = new ZipFile();
  zip.addBuffer(Buffer.alloc(LENGTH, line), 'indexes/index.cdxj', { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

test('an index of more than 64 MiB is unpacked where it is uncompressed', async () => {
  const path = await waczWithIndex('large.wacz', `test,a)/ 20260102030405 {}\n`, false);
  await using unpacked = await unpackWacz(path);
  expect(await readdir(join(unpacked.folder, 'archive'))).toEqual(['index.cdxj']);
  expect((await stat(join(unpacked.folder, 'archive', 'index.cdxj'))).size).toBe(LENGTH);
});

test.each([
  ['compressed', 'a line\n', true, /has a compressed indexes\/index\.cdxj of 68157440 bytes, and one of more than/],
  ['of one line', 'no line feed', false, /indexes\/index\.cdxj has a line of more than 67108864 bytes/],
] as const)('an index of more than 64 MiB that is %s is refused', async (name, line, compress, message) => {
  await expect(unpackWacz(await waczWithIndex(`${name}.wacz`, line, compress))).rejects.toThrow(message);
});
