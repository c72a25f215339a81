import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The environment without npm's variables: the npm below would believe that it runs inside this package. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|INIT_CWD$|NODE_ENV$|VITEST)/.test(name)),
);

let folder: string;
let files: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
  await run('npm', ['pack', '--pack-destination', folder, ...QUIET], { env: environment });
  const { stdout } = await run('sh', ['-c', 'tar -tzf orbweaver-*.tgz'], { cwd: folder });
  files = stdout.trim().split('\n');
  await mkdir(join(folder, 'user'));
  await writeFile(join(folder, 'user/package.json'), '{"name":"user","private":true}');
  await run('sh', ['-c', `npm install ${QUIET.join(' ')} ../orbweaver-*.tgz`], {
    cwd: join(folder, 'user'),
    env: environment,
  });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const orbweaver = (...args: readonly string[]) =>
  run('npx', ['--no-install', 'orbweaver', ...args], { cwd: join(folder, 'user'), env: environment });

describe('the packed program', () => {
  it('holds what runs, and no sources, tests or fixtures', () => {
    expect(
      files.filter(
        (file) => !/^package\/(dist\/(bin|src|browsers)\/|schemas\/|package\.json$|LICENSE$|[A-Z]+\.md$)/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$|\.test\.|\/fixtures\//.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'package/dist/bin/orbweaver.js',
        'package/dist/bin/THIRD-PARTY.txt',
        'package/dist/browsers/browser-places.mjs',
        'package/dist/browsers/launch/drop-privileges.sh',
        'package/dist/browsers/launch/limit-memory.sh',
      ]),
    );
    expect(files.filter((file) => file.endsWith('.lua')).length).toBeGreaterThan(0);
  });

  it('needs no package that only development has', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(join(folder, 'user/node_modules/orbweaver/package.json'), 'utf8'),
    );
    expect(manifest).not.toHaveProperty('scripts.install');
    expect(manifest).not.toHaveProperty('scripts.postinstall');
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], {
      cwd: join(folder, 'user'),
      env: environment,
    });
    expect(stdout).not.toMatch(/node_modules\/(typescript|vitest|esbuild)$/m);
  });

  it('explains itself', async () => {
    const { stdout } = await orbweaver('--help');
    expect(stdout).toMatch(/crawl[^]*resume[^]*doctor/);
  });

  it('can be imported as a library', async () => {
    const program = `import * as o from 'orbweaver'; console.log(typeof o.startCrawl, typeof o.canonicalUrl);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(folder, 'user'),
    });
    expect(stdout.trim()).toBe('function function');
  });

  it('crawls a folder', async () => {
    const site = join(folder, 'user/site');
    await mkdir(site);
    await writeFile(
      join(site, 'index.html'),
      '<!doctype html><title>one</title><p id="here"></p><script>here.innerHTML = "<a href=/two.html>two</a>"</script>',
    );
    await writeFile(join(site, 'two.html'), '<!doctype html><title>two</title>');
    await orbweaver('crawl', './site', '--output', 'out', '--no-progress');
    const pages = (await readFile(join(folder, 'user/out/pages.jsonl'), 'utf8')).trim().split('\n');
    const titles = pages.map((line) => (JSON.parse(line) as { readonly title?: string }).title);
    expect(titles.toSorted()).toEqual(['one', 'two']);
  });
});
