import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function texts(folders: readonly string[], pattern: RegExp): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  const files = names.flat().filter((name) => pattern.test(name) && !/node_modules|\/generated\//.test(name));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)),
  );
}

const sources = await texts(['src', 'browsers'], /\.ts$/);
const users = new Map([...sources, ...(await texts(['test', 'scripts'], /\.(?:ts|mjs|mts)$/))]);

/** `file#name` of every export that a file declares. */
const exported = [...sources].flatMap(([file, text]) =>
  [
    ...text.matchAll(
      /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
    ),
  ].map(([, name = '']) => ({ file, name })),
);

/** Page and thread scripts export their entry for the build, always under the same name. */
const isEntry = (file: string): boolean => /\/(?:entry|threads)\//.test(file);

/** `file#name` of everything that is imported or re-exported anywhere; `file#*` where a whole file is. */
function usedNames(): ReadonlySet<string> {
  const used = new Set<string>();
  for (const [file, text] of users) {
    const targetOf = (specifier: string): string =>
      relative(root, resolve(root, dirname(file), specifier))
        .replace(/^dist\//, '')
        .replace(/\.js$/, '.ts');
    for (const [, names = '', from = ''] of text.matchAll(
      /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\* as \w+|\*)\s+from\s+'(\.[^']+)'/g,
    )) {
      if (names.startsWith('*')) used.add(`${targetOf(from)}#*`);
      else
        for (const name of names.slice(1, -1).split(','))
          used.add(
            `${targetOf(from)}#${
              name
                .trim()
                .replace(/^type\s+/, '')
                .split(/\s+as\s+/)[0]
            }`,
          );
    }
    for (const [, from = ''] of text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)) used.add(`${targetOf(from)}#*`);
  }
  return used;
}

it('exports are imported somewhere', () => {
  const used = usedNames();
  const unused = exported.filter(
    ({ file, name }) => !isEntry(file) && !used.has(`${file}#${name}`) && !used.has(`${file}#*`),
  );
  expect(unused.map(({ file, name }) => `${file}#${name}`)).toEqual([]);
  expect(exported.length).toBeGreaterThan(800);
});

it('an exported name means one thing', () => {
  const places = new Map<string, Set<string>>();
  for (const { file, name } of exported) {
    if (isEntry(file)) continue;
    places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  const ambiguous = [...places].filter(([, files]) => files.size > 1);
  expect(ambiguous.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([]);
});
