import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** CONTRIBUTING.md, "Habits". Beyond this a file holds a second noun as a rule. */
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
