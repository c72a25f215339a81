import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** CONTRIBUTING.md, "Habits". A longer file usually holds a second noun. */
const LINES = 300;

const named = await Promise.all(
  ['src', 'browsers'].map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
  ),
);
const files = named
  .flat()
  .filter((name) => /\.(?:ts|mjs|lua)$/.test(name) && !/\/(?:generated|node_modules)\//.test(name));

it('no file of src or browsers has more than 300 lines', async () => {
  const lengths = await Promise.all(
    files.map(async (file) => ({ file, lines: (await readFile(join(root, file), 'utf8')).split('\n').length - 1 })),
  );
  expect(lengths.filter(({ lines }) => lines > LINES)).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});

/** A folder with more files than fit on a screen needs a second level. `audit-rules` is a table: one rule a file, listed in `rules.ts`. */
const FILES_OF_A_FOLDER = 40;

it(`no folder of src or browsers has more than ${FILES_OF_A_FOLDER} files, but for the table of audit rules`, () => {
  const folders = files.map((file) => file.slice(0, file.lastIndexOf('/')));
  const crowded = [...new Set(folders)].filter(
    (folder) => folders.filter((other) => other === folder).length > FILES_OF_A_FOLDER,
  );
  expect(crowded).toEqual(['src/core/audit-rules']);
});
