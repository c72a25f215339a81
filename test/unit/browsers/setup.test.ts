import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A clone with stand-ins for the programs that the set-up calls; each logs its call. */
let clone: string;
const isRoot = process.getuid?.() === 0;
const isDebian = existsSync('/etc/debian_version');
const LOCK = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } };

async function put(path: string, text: string, mode = 0o644): Promise<void> {
  const whole = join(clone, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, text);
  await chmod(whole, mode);
}

const note = (name: string): string => `echo "${name} $*" >> ${clone}/calls`;
const script = (name: string, body: string): Promise<void> => put(`bin/${name}`, `#!/bin/sh\n${body}\n`, 0o755);

async function calls(): Promise<string[]> {
  const text = await readFile(join(clone, 'calls'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** @param uid user to run as; the running process switches to it, because other users may have no access to the Node of the tests */
function setUp(uid?: number): Promise<Ended> {
  const become = uid === undefined ? [] : ['--import', `data:text/javascript,process.setuid(${uid})`];
  return new Promise((resolve) => {
    const env = { PATH: join(clone, 'bin'), HOME: clone, npm_execpath: join(clone, 'npm.mjs') };
    execFile(
      process.execPath,
      [...become, join(clone, 'browsers/setup.mjs')],
      { env, cwd: clone },
      (error, out, said) => {
        expect(out).toBe(''); // stdout belongs to the crawl
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, said });
      },
    );
  });
}

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
  await chmod(clone, 0o777);
  for (const path of ['browsers/setup.mjs', 'browsers/browser-places.mjs', 'scripts/sources-stamp.mjs']) {
    await mkdir(dirname(join(clone, path)), { recursive: true });
    await copyFile(path, join(clone, path));
  }
  await put('src/a.ts', '');
  await put('package.json', '{"type":"module"}');
  await put('tsconfig.json', '{}');
  await put('package-lock.json', JSON.stringify(LOCK));
  await put('node_modules/.package-lock.json', JSON.stringify(LOCK));
  const appending = (name: string) => `import { appendFileSync } from 'node:fs';
    appendFileSync('${clone}/calls', '${name} ' + process.argv.slice(2).join(' ') + '\\n');`;
  await put(
    'scripts/build.mjs',
    `${appending('build')}
     import { mkdirSync, writeFileSync } from 'node:fs';
     import { sourcesStamp, STAMP_FILE } from './sources-stamp.mjs';
     mkdirSync('dist', { recursive: true });
     writeFileSync(STAMP_FILE, sourcesStamp(process.cwd()));`,
  );
  await put('npm.mjs', appending('npm'));
  await put('node_modules/playwright-core/cli.js', `${appending('playwright')} process.exit(1);`);
  await put('bin/chromium-headless-shell', 'x', 0o755);
  await put('bin/redis-server', 'x', 0o755);
});
afterEach(() => rm(clone, { recursive: true }));

describe('the set-up of a clone', () => {
  it('builds once, and then does and says nothing until a source changes', async () => {
    expect(await setUp()).toEqual({ code: 0, said: 'orbweaver setup: building dist/\n' });
    expect(await setUp()).toEqual({ code: 0, said: '' });
    await put('src/b.ts', '');
    expect(await setUp()).toEqual({ code: 0, said: 'orbweaver setup: building dist/\n' });
    expect(await calls()).toEqual(['build ', 'build ']);
  });

  it('installs packages where those that are there are not those of the lock file', async () => {
    await put(
      'package-lock.json',
      JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/a': { version: '1.0.1' } } }),
    );
    const { code, said } = await setUp();
    expect([code, said.split('\n')[0]]).toEqual([0, 'orbweaver setup: npm ci']);
    expect((await calls())[0]).toMatch(/^npm ci --include=dev/);
  });

  it('does not miss optional packages of other platforms', async () => {
    const other = { 'node_modules/b-darwin': { version: '1.0.0', optional: true } };
    await put('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, ...other } }));
    await setUp();
    expect(await calls()).toEqual(['build ']);
  });

  it('ends with 2 and what the compiler said, where the build fails', async () => {
    await put('scripts/build.mjs', 'console.error("a.ts(1,1): error"); process.exit(1);');
    const { code, said } = await setUp();
    expect(code).toBe(2);
    expect(said).toContain('  | a.ts(1,1): error');
  });
});

describe.skipIf(!isDebian)('the set-up where browser and Redis are missing', () => {
  beforeEach(async () => {
    await rm(join(clone, 'bin'), { recursive: true });
    await script('apt-cache', 'echo "Candidate: 1.0"');
  });

  it.skipIf(!isRoot)('installs both in one go as root', async () => {
    const names = 'chromium-headless-shell fonts-liberation redis-server';
    await script(
      'apt-get',
      `${note('apt-get')}
       case "$*" in -q*) for n in chromium-headless-shell redis-server; do echo x > ${clone}/bin/$n; /bin/chmod 755 ${clone}/bin/$n; done;; esac`,
    );
    const { code, said } = await setUp();
    expect(code).toBe(0);
    expect(said).toContain(`orbweaver setup: apt-get install -y --no-install-recommends ${names}\n`);
    expect((await calls()).filter((call) => call.includes('install'))).toEqual([
      `apt-get -s install -y --no-install-recommends ${names}`,
      `apt-get -q install -y --no-install-recommends ${names}`,
    ]);
  });

  it.skipIf(!isRoot)('installs nothing where apt would remove something for it', async () => {
    await script('apt-get', `${note('apt-get')}; case "$*" in -s*) echo "Remv nodejs [20.1]";; esac`);
    const { code, said } = await setUp();
    expect(code).toBe(2);
    expect(said).toMatch(/apt would remove nodejs, so nothing was installed[^]*apt-get install -y/);
    expect((await calls()).filter((call) => call.startsWith('apt-get -q install'))).toEqual([]);
  });

  it("takes Playwright's browser where apt has none, and says what failed", async () => {
    await script('apt-cache', 'case "$2" in chromium*) echo "Candidate: (none)";; *) echo "Candidate: 1.0";; esac');
    await script(
      'apt-get',
      `${note('apt-get')}; case "$*" in -q*redis*) echo x > ${clone}/bin/redis-server; /bin/chmod 755 ${clone}/bin/redis-server;; esac`,
    );
    const { code, said } = await setUp();
    expect(code).toBe(2);
    expect(said).toContain('npx playwright-core install --with-deps --only-shell chromium-headless-shell');
    expect(await calls()).toContain('playwright install --only-shell chromium-headless-shell');
  });

  it('changes nothing in the system as another user, and ends with 2 and the command', async () => {
    await script('apt-get', note('apt-get'));
    const { code, said } = await setUp(isRoot ? 65534 : undefined);
    expect(code).toBe(2);
    expect(said).toMatch(/Chromium and redis-server not found[^]*sudo apt-get install -y [^\n]*redis-server/);
    expect(said).toMatch(/ORBWEAVER_BROWSER=<path>[^]*ORBWEAVER_REDIS_URL=/);
    expect((await calls()).filter((call) => call.startsWith('apt-get'))).toEqual([]);
  });
});
