import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A room imports lower floors and itself, nothing else (ARCHITECTURE.md, "Floors"). */
const FLOORS: readonly (readonly string[])[] = [
  ['src/base', 'src/devtools'],
  ['src/model', 'src/system'],
  ['src/core/*', 'browsers'],
  ['src/redis', 'src/egress', 'src/site-server', 'src/offload'],
  ['src/frontier', 'src/fetch', 'src/render', 'src/similar', 'src/snapshot', 'src/graph'],
  ['src/capture', 'src/dispatch', 'src/pipeline', 'src/export'],
  ['src/crawl'],
  ['src/cli', 'src/index.ts'],
];

/** Packages that only some rooms may know. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ioredis: ['src/redis', 'src/frontier', 'src/fetch', 'src/similar', 'src/dispatch'],
  bullmq: ['src/dispatch'],
  'playwright-core': ['src/devtools', 'browsers'],
  undici: ['src/egress', 'src/fetch'],
  commander: ['src/cli'],
  pino: ['src/crawl'],
  tldts: ['src/model'],
  yazl: ['src/export'],
  yauzl: ['src/export'],
  'node-sqlite3-wasm': ['src/export'],
};

function roomOf(file: string): string {
  const [top = '', room = '', third = ''] = file.split('/');
  if (top !== 'src') return top;
  if (room === 'core') return `src/core/${third}`;
  return `src/${room}`;
}

function floorOf(room: string): number {
  const pattern = room.startsWith('src/core/') ? 'src/core/*' : room;
  return FLOORS.findIndex((floor) => floor.includes(pattern));
}

interface Import {
  readonly file: string;
  readonly target: string;
}

async function imports(): Promise<readonly Import[]> {
  const files = [
    ...(await readdir(join(root, 'src'), { recursive: true })).map((name) => `src/${name}`),
    ...(await readdir(join(root, 'browsers'))).map((name) => `browsers/${name}`),
  ].filter((name) => name.endsWith('.ts') && !name.includes('/generated/'));
  const found: Import[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    for (const match of text.matchAll(/(?:^|\n)(?:import|export)[^;]*?from '([^']+)';|import\('([^']+)'\)/g)) {
      found.push({ file, target: match[1] ?? match[2] ?? '' });
    }
  }
  return found;
}

const all = await imports();
const local = all
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: relative(root, resolve(root, dirname(file), target)) }));

describe('the floors', () => {
  it('hold every file of src and browsers', () => {
    const homeless = [...new Set(all.map(({ file }) => file))].filter((file) => floorOf(roomOf(file)) < 0);
    expect(homeless).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });

  it('are imported only downwards', () => {
    const wrong = local.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from !== to && !(floorOf(to) < floorOf(from));
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('keep packages to the rooms that own them', () => {
    const wrong = all.filter(({ file, target }) => {
      const rooms = PACKAGES[target.startsWith('@') ? target : (target.split('/', 1)[0] ?? '')];
      return rooms !== undefined && !rooms.includes(roomOf(file));
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });
});

describe('core', () => {
  it('decides and does nothing: it knows neither the clock nor chance nor Node', async () => {
    const files = [...new Set(all.map(({ file }) => file))].filter((file) => file.startsWith('src/core/'));
    const impure: string[] = [];
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8');
      if (/\bawait\b|\basync\b|Date\.now|Math\.random|performance\.|process\.|from 'node:/.test(text))
        impure.push(file);
    }
    expect(files.length).toBeGreaterThan(10);
    expect(impure).toEqual([]);
  });
});

describe('the environment of the process', () => {
  it('is read in two places only', async () => {
    const files = [...new Set(all.map(({ file }) => file))];
    const readers: string[] = [];
    for (const file of files) {
      if (/process\.env/.test(await readFile(join(root, file), 'utf8'))) readers.push(file);
    }
    expect(readers.filter((file) => !file.startsWith('src/cli/')).toSorted()).toEqual(['src/crawl/environment.ts']);
  });
});
