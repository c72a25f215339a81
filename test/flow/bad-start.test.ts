/** A crawl that cannot start says why and names the cure, exits with 2, and changes nothing. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, runFromNowhere } from '../support/command.ts';
import { folderTree } from '../support/folder-tree.ts';
import { httpOrigin } from '../support/origin.ts';
import { startUserRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-bad-start-'));
  await chmod(base, 0o755);
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A working folder with a site, an interrupted crawl, a recorded one, and a folder with somebody's files. */
async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(base, 'home-'));
  await chmod(home, 0o755); // root starts the browser as another user, who must be able to enter
  await mkdir(join(home, 'site'));
  await writeFile(join(home, 'site/index.html'), '<!doctype html><title>Site</title><h1>Site</h1>');
  await mkdir(join(home, 'thesis'));
  await writeFile(join(home, 'thesis/chapter.txt'), 'four years of work');
  await mkdir(join(home, 'crawled/snapshots'), { recursive: true });
  const description = {
    id: 'c-0123456789ab',
    state: 'interrupted',
    seeds: ['https://example.org/'],
    options: { seeds: ['https://example.org/'] },
    started: '2026-01-01T00:00:00.000Z',
  };
  await writeFile(join(home, 'crawled/crawl.json'), JSON.stringify(description));
  await writeFile(join(home, 'crawled/pages.jsonl'), '{}\n');
  await writeFile(join(home, 'crawled/snapshots/1.html'), 'old');
  await mkdir(join(home, 'recorded/archive'), { recursive: true });
  await writeFile(join(home, 'recorded/crawl.json'), JSON.stringify({ ...description, state: 'finished' }));
  await writeFile(join(home, 'recorded/archive/index.cdxj'), '');
  await symlink('recorded', join(home, 'same'));
  return home;
}

interface Expectation {
  readonly code: string;
  /** Texts that the message must contain: the value, and the cure. */
  readonly says: readonly (string | RegExp)[];
  readonly variables?: Readonly<Record<string, string>>;
}

type Run = (
  args: readonly string[],
  home: string,
  variables: Readonly<Record<string, string>>,
) => Promise<{ readonly code: number | null; readonly output: string }>;

/** Runs without a new process: most of these end before a process would have started. */
const here: Run = (args, home, variables) => runHere(args, home, {}, variables);
const asProcess: Run = (args, home, variables) => runCommand(args, home, variables).ended;

async function expectRefusal(
  home: string,
  args: readonly string[],
  expectation: Expectation,
  run: Run = here,
): Promise<void> {
  const { code, says, variables = {} } = expectation;
  const before = await folderTree(home);
  const { code: exit, output } = await run(args, home, variables);
  expect({ exit, output }).toMatchObject({ exit: 2 });
  expect(output).toContain(`[${code}]`);
  for (const words of says) expect(output).toMatch(words);
  expect(output).not.toMatch(/fault of the program|\n\s+at /);
  expect(await folderTree(home)).toEqual(before);
}

/** A program in the working folder that ends with an error. */
async function brokenProgram(home: string, name: string, words: string): Promise<string> {
  const path = join(home, name);
  await writeFile(path, `#!/bin/sh\necho "${words}" >&2\nexit 1\n`, { mode: 0o755 });
  return path;
}

const NEW = ['crawl', 'site', '-o', 'new/deep/folder'];
const OVERWRITE = ['crawl', 'site', '-o', 'crawled', '--overwrite'];

it.each([undefined, null, 'https://example.org/'])('the library refuses %j in place of options', async (given) => {
  await expect(startCrawl(given as unknown as StartOptions)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/^options: .* is not accepted: give an object$/) as string,
  });
});

describe.concurrent('a crawl does not start, and changes nothing,', () => {
  it.each<[string, readonly string[], Expectation]>([
    ['with an unknown flag', [...NEW, '--depht', '3'], { code: 'USAGE', says: ['--depht', 'Did you mean --depth?'] }],
    [
      'with a number out of range',
      [...NEW, '--workers', '9999'],
      { code: 'USAGE', says: ['--workers: "9999"', 'from 0 to 1000'] },
    ],
    [
      'with an archive of what an ungated browser loads',
      [...NEW, '--snapshot', 'warc', '--browser', 'ws://127.0.0.1:9/', '--ungated-browser'],
      { code: 'USAGE', says: ['does not pass through this program', 'leave warc out'] },
    ],
    [
      'with a browser of another machine, which cannot reach the proxy',
      [...NEW, '--browser', 'ws://browsers.example.org:3000/'],
      { code: 'BROWSER_UNUSABLE', says: ['browsers.example.org is on another machine', '--ungated-browser'] },
    ],
    [
      'with a gate that is opened for no browser',
      [...NEW, '--ungated-browser'],
      { code: 'USAGE', says: ['is for a browser at an endpoint', '--ungated-browser'] },
    ],
    [
      'with a duration that is none',
      [...NEW, '--delay', 'soon'],
      { code: 'USAGE', says: ['--delay: "soon"', /Accepted: .*500ms/] },
    ],
    [
      'with a seed of another scheme',
      ['crawl', 'ftp://example.org/', '-o', 'new'],
      { code: 'SEED_INVALID', says: ['"ftp://example.org/"', 'https://'] },
    ],
    [
      'with a seed without a scheme',
      ['crawl', 'example.org', '-o', 'new'],
      { code: 'SEED_INVALID', says: ['"example.org"', 'https://example.org'] },
    ],
    [
      'in the folder of another crawl',
      ['crawl', 'site', '-o', 'crawled'],
      { code: 'OUTPUT_EXISTS', says: ['crawled', '--overwrite', '--resume'] },
    ],
    [
      "in a folder with somebody's files",
      ['crawl', 'site', '-o', 'thesis'],
      { code: 'OUTPUT_EXISTS', says: ['thesis', '--output'] },
    ],
    [
      "in a folder with somebody's files, --overwrite or not",
      ['crawl', 'site', '-o', 'thesis', '--overwrite'],
      { code: 'OUTPUT_EXISTS', says: ['thesis'] },
    ],
    [
      'in the place of the recording that it would crawl',
      ['crawl', 'site', 'recorded', '-o', 'same', '--overwrite'],
      { code: 'USAGE', says: ['same is what is to be crawled', '--output'] },
    ],
    [
      'in the place of a file',
      ['crawl', 'site', '-o', 'thesis/chapter.txt'],
      { code: 'OUTPUT_UNUSABLE', says: ['chapter.txt', 'file'] },
    ],
    [
      'from a folder without a crawl',
      ['resume', 'thesis'],
      { code: 'NOTHING_TO_RESUME', says: ['thesis', 'crawl.json'] },
    ],
    [
      'from a crawl whose state is gone',
      ['resume', 'crawled'],
      { code: 'STATE_LOST', says: ['c-0123456789ab', '--overwrite'] },
    ],
    [
      'with a browser that is not there',
      [...NEW, '--browser', '/nonexistent'],
      { code: 'BROWSER_MISSING', says: ['--browser "/nonexistent"', 'apt-get install chromium'] },
    ],
    [
      'on a machine without a browser',
      NEW,
      { code: 'BROWSER_MISSING', says: ['apt-get install chromium'], variables: { PATH: '', HOME: '/nonexistent' } },
    ],
    [
      'with a Redis server that does not answer',
      [...NEW, '--redis', 'redis://127.0.0.1:1'],
      { code: 'REDIS_UNREACHABLE', says: ['redis://127.0.0.1:1', 'leave --redis away'] },
    ],
    [
      'with a config file that is not there',
      [...NEW, '-c', 'none.yaml'],
      { code: 'CONFIG_INVALID', says: ['none.yaml'] },
    ],
    [
      'with a value of the environment that is not accepted',
      NEW,
      { code: 'USAGE', says: ['ORBWEAVER_LIMIT', '"many"'], variables: { ORBWEAVER_LIMIT: 'many' } },
    ],
  ])('%s', async (_what, args, expectation) => {
    await expectRefusal(await makeHome(), args, expectation);
  });

  it.each<[string, string, readonly string[]]>([
    ['an unknown key', 'depht: 3\n', ['depht']],
    ['a value of the wrong type', 'workers: many\n', ['workers', 'many']],
  ])('with a config file that holds %s', async (_what, text, says) => {
    const home = await makeHome();
    await writeFile(join(home, 'orbweaver.yaml'), text);
    await expectRefusal(home, [...NEW, '-c', 'orbweaver.yaml'], {
      code: 'CONFIG_INVALID',
      says: ['orbweaver.yaml', ...says],
    });
  });

  it('on a machine without Redis', async () => {
    const home = await makeHome();
    const browser = process.env['ORBWEAVER_BROWSER'] ?? '/usr/bin/chromium-headless-shell';
    const expectation = {
      code: 'REDIS_MISSING',
      says: ['apt-get install redis-server', '--redis'],
      variables: { PATH: join(home, 'thesis') },
    };
    await expectRefusal(home, [...NEW, '--browser', browser], expectation, asProcess);
  });

  it.each([['one that replaces another', OVERWRITE]])(
    'with a browser that ends at once, for %s',
    async (_what, args) => {
      const home = await makeHome();
      const browser = await brokenProgram(home, 'browser', 'error while loading shared libraries: libdoom.so.6');
      const expectation = { code: 'BROWSER_UNUSABLE', says: [browser, 'libdoom.so.6'] };
      await expectRefusal(home, [...args, '--browser', browser], expectation, asProcess);
    },
  );

  it.each([
    ['a new crawl', NEW],
    ['one that replaces another', OVERWRITE],
  ])('with a private Redis that ends at once, for %s', async (_what, args) => {
    const home = await makeHome();
    await brokenProgram(home, 'redis-server', 'no Redis today');
    await expectRefusal(home, args, {
      code: 'REDIS_UNREACHABLE',
      says: ['redis-server'],
      variables: { PATH: `${home}:${process.env['PATH']}` },
    });
  });

  it('with a Redis server that evicts keys', async () => {
    await using redis = await startUserRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    await expectRefusal(await makeHome(), [...NEW, '--redis', redis.url], {
      code: 'REDIS_UNFIT',
      says: ['allkeys-lru', 'CONFIG SET maxmemory-policy noeviction'],
    });
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('with a Redis user without channels, as ACL SETUSER makes it by default', async () => {
    await using redis = await startUserRedis();
    await redis.client.call('ACL', 'SETUSER', 'crawler', 'on', '>word', '~*', '+@all', 'resetchannels');
    const url = redis.url.replace('//', '//crawler:word@');
    await expectRefusal(await makeHome(), [...NEW, '--redis', url], {
      code: 'REDIS_UNFIT',
      says: ['does not let its user', 'ACL SETUSER <user> ~* &*'],
    });
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('with a port for figures that another program has, and ends', async () => {
    await using taken = await httpOrigin((_request, response) => response.end());
    const home = await makeHome();
    const { port } = new URL(taken.url);
    const expectation = { code: 'USAGE', says: [`--metrics: nobody can listen at 127.0.0.1:${port}`, 'another port'] };
    await expectRefusal(home, [...OVERWRITE, '--render', 'never', '--metrics', port], expectation, asProcess);
  });

  it('from a folder that has been removed', async () => {
    const nowhere: Run = (args, home) => runFromNowhere(args, home).ended;
    const expectation = { code: 'USAGE', says: ['has been removed', 'Go to one that is there: cd'] };
    await expectRefusal(await makeHome(), NEW, expectation, nowhere);
  });

  it('in the folder of a crawl that is running', async () => {
    const home = await makeHome();
    await writeFile(join(home, 'site/index.html'), '<title>1</title><a href="2.html">2</a>');
    await writeFile(join(home, 'site/2.html'), '<title>2</title>');
    const running = runCommand(['crawl', 'site', '-o', 'live', '-v', '--delay', '1h', '--no-robots'], home);
    await until(() => running.output().includes('captured'), `a page: ${running.output()}`);
    const inUse = { code: 'OUTPUT_IN_USE', says: [`process ${running.child.pid}`, 'live'] };
    for (const args of [
      ['crawl', 'site', '-o', 'live', '--overwrite'],
      ['resume', 'live'],
    ]) {
      const { code, output } = await runCommand(args, home).ended;
      expect({ code, output }).toMatchObject({ code: 2 });
      for (const words of [`[${inUse.code}]`, ...inUse.says]) expect(output).toContain(words);
    }
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
  });
});
