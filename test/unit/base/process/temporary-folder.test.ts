import { rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../../src/base/process/temporary-folder.ts';

it('a folder for temporary files is a new one where this process has such files', async () => {
  const folder = await makeTemporaryFolder('orbweaver-test-');
  expect(folder.startsWith(join(tmpdir(), 'orbweaver-test-'))).toBe(true);
  expect((await stat(folder)).isDirectory()).toBe(true);
  await rm(folder, { recursive: true });
});

it('the error names the folder in which none can be made, why, and the variable that names another', async () => {
  const folder = await makeTemporaryFolder('orbweaver-test-');
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const [parent, why] of [
    [join(folder, 'gone'), 'there is no such folder'],
    [file, 'it is no folder'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await expect(makeTemporaryFolder('x-', parent)).rejects.toMatchObject({
      code: 'TEMPORARY_UNUSABLE',
      message: `no temporary files can be made in ${parent}: ${why}\nSet TMPDIR to a folder that is there, may be written to, and has 512 MB or more.`,
    });
  }
  await rm(folder, { recursive: true });
});
