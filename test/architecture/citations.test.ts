import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file that a text names by its path: at least a folder and a name. */
const PATH = /(?<![\w./:*<>{}@-])((?:[\w-]+\/)+[\w-]+(?:\.test)?\.(?:ts|mjs|lua|sh|json|md))(?![\w/*])/g;

/** Where a path may begin: the repository, its sources, or the folder of the file that names it. */
function isThere(path: string, from: string): boolean {
  return [root, join(root, 'src'), join(root, 'test'), join(root, dirname(from))].some((base) =>
    existsSync(join(base, path)),
  );
}

async function filesOf(folder: string, ending: RegExp): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.map((name) => `${folder}/${name}`).filter((name) => ending.test(name) && !name.includes('/generated/'));
}

/** Comments of a source file; string literals may name files of crawl folders. */
function commentsOf(text: string): string {
  return [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^|\s)(?:\/\/|--) .*$/gm)].map(([comment]) => comment).join('\n');
}

it('every file that a document or a comment names is there', async () => {
  const documents = [
    'ARCHITECTURE.md',
    'SECURITY.md',
    'test/hostile/README.md',
    'test/recall/README.md',
    'test/bench/README.md',
  ];
  const sources = [...(await filesOf('src', /\.(?:ts|lua)$/)), ...(await filesOf('browsers', /\.ts$/))];
  const missing: string[] = [];
  for (const file of [...documents, ...sources]) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, path = ''] of (file.endsWith('.md') ? text : commentsOf(text)).matchAll(PATH))
      if (!isThere(path, file)) missing.push(`${file}: ${path}`);
  }
  expect(missing).toEqual([]);
  expect(sources.length).toBeGreaterThan(400);
});
