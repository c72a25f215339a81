import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The path of a file in a text: at least a folder and a name. */
const PATH = /(?<![\w./:*<>{}@-])((?:[\w-]+\/)+[\w-]+(?:\.(?:slow\.)?test)?\.(?:ts|mjs|lua|sh|json|md))(?![\w/*])/g;

/** A path may start at the repository, at its sources or tests, or at the folder of the file that names it. */
function isThere(path: string, from: string): boolean {
  return [root, join(root, 'src'), join(root, 'test'), join(root, dirname(from))].some((base) =>
    existsSync(join(base, path)),
  );
}

async function filesOf(folder: string, ending: RegExp): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names
    .map((name) => `${folder}/${name}`)
    .filter((name) => ending.test(name) && !/(?:^|\/)(?:generated|node_modules)\//.test(name));
}

/** The result for each file: it is asked for by several tests, and there are some two thousand files. */
function once<Value>(make: (file: string) => Value): (file: string) => Value {
  const made = new Map<string, Value>();
  return (file) => {
    const value = made.get(file) ?? make(file);
    made.set(file, value);
    return value;
  };
}

const textOf = once((file) => readFileSync(join(root, file), 'utf8'));

/** A document; of a source file the comments: string literals may name files of crawl folders. */
const wordsOf = once((file) => {
  if (file.endsWith('.md')) return textOf(file);
  const comments = textOf(file).matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^|\s)(?:\/\/|--) .*$/gm);
  return [...comments].map(([comment]) => comment).join('\n');
});

const DESIGN = ['scheduling', 'rendering', 'duplicates-and-traps', 'reliability', 'scale'].map(
  (name) => `docs/design/${name}.md`,
);

/** A file in a table or sentence that names its folder once for several: `test/render/a.test.ts`, `b.test.ts`. */
const BARE = /`([\w-]+(?:\.(?:slow\.)?test)?\.(?:ts|mjs|lua|sh))`/g;

it('every file that a document or a comment names is there', async () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'test/hostile/README.md',
    'test/recall/README.md',
    'test/bench/README.md',
    ...DESIGN,
  ];
  const sources = [...(await filesOf('src', /\.(?:ts|lua)$/)), ...(await filesOf('browsers', /\.ts$/))];
  const missing: string[] = [];
  for (const file of [...documents, ...sources]) {
    for (const [, path = ''] of wordsOf(file).matchAll(PATH))
      if (!isThere(path, file)) missing.push(`${file}: ${path}`);
  }
  const names = new Set((await Promise.all(['src', 'browsers', 'test', 'scripts'].map(namesIn))).flat());
  for (const [, name = ''] of wordsOf('ARCHITECTURE.md').matchAll(BARE))
    if (!names.has(name)) missing.push(`ARCHITECTURE.md: ${name}`);
  expect(missing).toEqual([]);
  expect(sources.length).toBeGreaterThan(400);
});

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await filesOf(folder, /\.(?:ts|mjs|lua|sh)$/)).map((path) => basename(path));
}

/** A built file in a script: `../../dist/src/base/clock.js`, or `src/base/clock.js` below a build of its choice. */
const BUILT = /'(?:(?:\.\.\/)*dist\/)?((?:src|browsers)\/[\w/-]+)\.js'/g;

it('every built file that a script names has a source', async () => {
  const scripts = [...(await filesOf('test', /\.mjs$/)), ...(await filesOf('scripts', /\.mjs$/))];
  const missing: string[] = [];
  for (const file of scripts) {
    for (const [, path = ''] of textOf(file).matchAll(BUILT))
      if (!existsSync(join(root, `${path}.ts`))) missing.push(`${file}: ${path}.ts`);
  }
  expect(missing).toEqual([]);
  expect(scripts.length).toBeGreaterThan(20);
});

/**
 * A heading that a comment cites: `design/rendering, "Frames"` stands for docs/design/rendering.md, and `docs/links.md, "links.jsonl"`
 * for itself.
 */
const CITATION = /(?:\b(design\/[a-z-]+)|\b(docs\/[\w/-]+)\.md), "([^"]+)"/g;

/** The words of a file on one line, without the comment marks at the start of its lines. */
const proseOf = once((file) =>
  wordsOf(file)
    .replaceAll(/\n\s*(?:\*|\/\/|--)\s+/g, ' ')
    .replaceAll(/\s+/g, ' '),
);

function headingsOf(document: string): ReadonlySet<string> {
  const path = join(root, `${document}.md`);
  if (!existsSync(path)) return new Set();
  return new Set([...readFileSync(path, 'utf8').matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) => heading));
}

/** Notes that are not in the repository, by the names and numbers with which comments cited them. */
const ABSENT = [
  /\balgorithms [A-Z]\d/i,
  /\b(?:algorithms-and-reliability|render-recipe|house-style)\b/,
  /\b(?:contract|libraries|redesign)\.md\b/,
  /\bpitfall \d/i,
  /\b[A-D]\d\.\d/,
];

async function findCitingFiles(): Promise<readonly string[]> {
  const folders = ['src', 'browsers', 'test', 'scripts', 'docs'];
  const found = await Promise.all(folders.map((folder) => filesOf(folder, /\.(?:ts|mts|mjs|lua|sh|md)$/)));
  const own = 'test/architecture/citations.test.ts';
  const above = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
  return [...found.flat().filter((file) => file !== own), ...above];
}

const citingFiles = await findCitingFiles();

describe('a citation', () => {
  it('names a document and a heading that are there', () => {
    const headings = new Map<string, ReadonlySet<string>>();
    const missing: string[] = [];
    const cited = new Set<string>();
    for (const file of citingFiles) {
      for (const [, short, long, heading = ''] of proseOf(file).matchAll(CITATION)) {
        const document = long ?? `docs/${short}`;
        headings.set(document, headings.get(document) ?? headingsOf(document));
        cited.add(document);
        if (headings.get(document)?.has(heading) !== true) missing.push(`${file}: ${document}.md, "${heading}"`);
      }
    }
    expect(missing).toEqual([]);
    expect([...cited]).toEqual(expect.arrayContaining(DESIGN.map((name) => name.slice(0, -'.md'.length))));
  });

  it('is of nothing that is not in the repository', () => {
    const found: string[] = [];
    for (const file of citingFiles) {
      // no form spans lines: what no text as a whole has, none of its lines has
      if (!ABSENT.some((form) => form.test(textOf(file)))) continue;
      for (const line of textOf(file).split('\n'))
        if (ABSENT.some((form) => form.test(line))) found.push(`${file}: ${line.trim()}`);
    }
    expect(found).toEqual([]);
  });

  it('of a hostile fixture names one that is there', async () => {
    const results = await readFile(join(root, 'test/hostile/RESULTS.md'), 'utf8');
    const ids = new Set([...results.matchAll(/^\| ([FH]\d\d) /gm)].map(([, id = '']) => id));
    const unknown: string[] = [];
    for (const file of citingFiles) {
      for (const [, list = ''] of proseOf(file).matchAll(/\bhostile ((?:[FH]\d\d(?:, | and | to )?)+)/gi))
        for (const [id] of list.matchAll(/[FH]\d\d/g)) if (!ids.has(id)) unknown.push(`${file}: ${id}`);
    }
    expect(unknown).toEqual([]);
    expect(ids.size).toBe(99);
  });
});
