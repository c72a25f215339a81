import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A module imports only itself and modules of lower layers (ARCHITECTURE.md, "Layers"). */
const LAYERS: readonly (readonly string[])[] = [
  ['src/base', 'browsers/protocol'],
  ['src/model', 'src/offload', 'src/site-server', 'browsers/playwright'],
  ['src/core/*', 'src/redis', 'src/egress', 'src/crawl-folder', 'src/storage', 'browsers/launch'],
  [
    'src/options',
    'src/frontier',
    'src/dedup',
    'src/traps',
    'src/fleet',
    'src/warc',
    'src/render',
    'browsers/inpage',
    'browsers/report-page',
  ],
  ['src/fetch', 'src/inspect', 'src/replay', 'src/report'],
  ['src/dispatch', 'src/pipeline', 'src/audit'],
  ['src/crawl', 'src/external', 'src/compare'],
  ['src/cli', 'src/index.ts'],
];

/** The modules that crawl. Code that reads a finished crawl imports none of them, directly or indirectly. */
const CRAWLING = ['redis', 'egress', 'frontier', 'render', 'fetch', 'dispatch', 'pipeline', 'crawl', 'external'];

/** Packages that only these modules may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ioredis: ['src/redis', 'src/frontier', 'src/fetch', 'src/dedup', 'src/traps', 'src/fleet', 'src/dispatch'],
  bullmq: ['src/dispatch'],
  'playwright-core': ['browsers/protocol', 'browsers/playwright', 'browsers/launch'],
  undici: ['src/egress', 'src/fetch'],
  commander: ['src/cli'],
  pino: ['src/crawl'],
  tldts: ['src/model'],
  yazl: ['src/inspect'],
  yauzl: ['src/inspect', 'src/replay'],
  'jpeg-js': ['src/base'],
  'node-sqlite3-wasm': ['src/inspect'],
  '@duckduckgo/autoconsent': ['src/render'],
  'axe-core': ['src/render'],
  aws4fetch: ['src/storage'],
};

/** `src/render`, `src/core/links`, `browsers/launch`; plain scripts of `browsers` have no module. */
function moduleOf(file: string): string {
  const [top = '', name = '', third = ''] = file.split('/');
  return top === 'src' && name === 'core' ? `src/core/${third}` : `${top}/${name}`;
}

function layerOf(module: string): number {
  const pattern = module.startsWith('src/core/') ? 'src/core/*' : module;
  return LAYERS.findIndex((layer) => layer.includes(pattern));
}

interface Import {
  readonly file: string;
  readonly target: string;
  /** Is it loaded together with the file? */
  readonly isLoaded: boolean;
}

async function imports(): Promise<readonly Import[]> {
  const folders = ['src', 'browsers'];
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const files = names
    .flatMap((list, index) => list.map((name) => `${folders[index]}/${name}`))
    .filter((name) => name.endsWith('.ts') && !name.includes('/generated/'));
  const found: Import[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    for (const match of text.matchAll(/(?:^|\n)(?:import|export)[^;]*?from '([^']+)';|import\('([^']+)'\)/g)) {
      const isLoaded = match[1] !== undefined && !/^\s*(?:import|export) type/.test(match[0]);
      found.push({ file, target: match[1] ?? match[2] ?? '', isLoaded });
    }
  }
  return found;
}

const all = await imports();
const local = all
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target, isLoaded }) => ({
    file,
    target: relative(root, resolve(root, dirname(file), target)),
    isLoaded,
  }))
  .filter(({ target }) => target.endsWith('.ts') && !target.includes('/generated/'));

describe('the layers', () => {
  it('hold every file of src and browsers', () => {
    const homeless = [...new Set(all.map(({ file }) => file))].filter((file) => layerOf(moduleOf(file)) < 0);
    expect(homeless).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });

  it('name no module that is not there', () => {
    const modules = new Set(all.map(({ file }) => moduleOf(file)));
    const named = LAYERS.flat().filter((name) => name !== 'src/core/*');
    expect(named.filter((name) => !modules.has(name))).toEqual([]);
  });

  it('are imported only downwards', () => {
    const wrong = local.filter(({ file, target }) => {
      const [from, to] = [moduleOf(file), moduleOf(target)];
      return from !== to && !(layerOf(to) < layerOf(from));
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('keep packages to the modules that own them', () => {
    const wrong = all.filter(({ file, target }) => {
      const modules = PACKAGES[target.startsWith('@') ? target : (target.split('/', 1)[0] ?? '')];
      return modules !== undefined && !modules.includes(moduleOf(file));
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });
});

describe.each([
  ['inspect', 20],
  ['audit', 10],
  ['compare', 10],
])('%s', (module, files) => {
  it('reaches nothing that crawls, however long the way', () => {
    const own = local.map(({ file }) => file).filter((file) => moduleOf(file) === `src/${module}`);
    const reached = new Set<string>(own);
    expect(reached.size).toBeGreaterThan(files);
    for (const file of reached) for (const each of local) if (each.file === file) reached.add(each.target);
    const crawling = [...reached].filter((file) => CRAWLING.some((name) => file.startsWith(`src/${name}/`)));
    expect(crawling).toEqual([]);
  });
});

describe('report', () => {
  it('reaches nothing that crawls, however long the way', () => {
    const reached = new Set<string>(local.map(({ file }) => file).filter((file) => moduleOf(file) === 'src/report'));
    expect(reached.size).toBeGreaterThan(20);
    for (const file of reached) for (const each of local) if (each.file === file) reached.add(each.target);
    const crawling = [...reached].filter((file) => CRAWLING.some((name) => file.startsWith(`src/${name}/`)));
    expect(crawling).toEqual([]);
  });
});

describe('a worker', () => {
  it('loads nothing of a visit while it waits for its turn', () => {
    const reached = new Set(['src/crawl/fleet/start-worker.ts']);
    for (const file of reached)
      for (const each of local) if (each.file === file && each.isLoaded) reached.add(each.target);
    expect(reached).toContain('src/crawl/fleet/wait-for-core.ts');
    const visiting = ['src/render/', 'src/dispatch/', 'src/pipeline/', 'src/fetch/', 'browsers/playwright/'];
    expect([...reached].filter((file) => visiting.some((place) => file.startsWith(place)))).toEqual([]);
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
    expect(readers.filter((file) => !file.startsWith('src/cli/')).toSorted()).toEqual([
      'src/crawl/crawl-environment.ts',
    ]);
  });
});
