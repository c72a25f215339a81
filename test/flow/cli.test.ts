/** The program as its users see it: a process with arguments, streams, signals and an exit code. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = join(root, 'fixtures/sites/static-site');
const program = join(root, 'dist/bin/orbweaver.js');
let folder = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-cli-flow-')));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  /** The exit code, once the streams are closed. */
  readonly ended: Promise<number | null>;
}

function start(...words: readonly string[]): Started {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return { child, output: () => output, errors: () => errors, ended };
}

/** Waits until the errors contain a text; an early end of the process ends the wait. */
async function errorsHold(started: Started, pattern: RegExp): Promise<void> {
  while (!pattern.test(started.errors()) && started.child.exitCode === null && started.child.signalCode === null) {
    await Promise.race([once(started.child.stderr ?? started.child, 'data'), started.ended]);
  }
  expect(started.errors()).toMatch(pattern);
}

function pagesOf(output: string): readonly string[] {
  const lines = readFileSync(join(folder, output, 'pages.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => (JSON.parse(line) as { url: string }).url);
}

describe('the program', () => {
  test('crawls a folder, tells pages on standard error and sums up on standard output', async () => {
    const crawl = start('crawl', site, '-o', 'whole', '-v', '--limit', '5');
    expect(await crawl.ended).toBe(0);
    expect(crawl.output()).toMatch(
      /^Finished at the page limit: .*\nFolder: {2}\.\/whole\nGo on: {3}.* resume \.\/whole --limit 10\n$/s,
    );
    expect(crawl.errors()).toMatch(/^captured {3}200 .* http:\/\/127\.0\.0\.1:\d+\/$/m);
    expect(crawl.errors()).not.toContain('\u001b');
  });

  test('saves on Ctrl-C, prints the command that resumes, and that command finishes the crawl', async () => {
    const crawl = start('crawl', site, '-o', 'stopped', '-v', '--delay', '100ms', '--limit', '12');
    await errorsHold(crawl, /captured/);
    crawl.child.kill('SIGINT');
    expect(await crawl.ended).toBe(130);
    expect(crawl.errors()).toContain('Ctrl-C again stops at once');
    expect(crawl.output()).toMatch(/^Interrupted: /);
    const [, command = ''] = /^Resume: {2}node \S+orbweaver\.js (.*)$/m.exec(crawl.output()) ?? [];
    expect(command).toBe('resume ./stopped');

    const resumed = start(...command.split(' '));
    expect(await resumed.ended).toBe(0);
    expect(resumed.output()).toMatch(/^Finished/);
    const pages = pagesOf('stopped');
    expect(new Set(pages).size).toBe(pages.length);
    expect(JSON.parse(readFileSync(join(folder, 'stopped/crawl.json'), 'utf8'))).toMatchObject({ state: 'finished' });
  });

  test('goes on under nohup when its terminal goes away, saves on SIGTERM and exits with 143', async () => {
    const crawl = start('crawl', site, '-o', 'terminated', '-v', '--delay', '100ms');
    await errorsHold(crawl, /captured/);
    crawl.child.kill('SIGHUP');
    await errorsHold(crawl, /captured[^]*captured/);
    crawl.child.kill('SIGTERM');
    expect(await crawl.ended).toBe(143);
    expect(crawl.output()).toMatch(/^Interrupted: .*\nResume: /s);
  });

  test('exits with 3 where no seed can be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    server.close();
    await once(server, 'close');
    const crawl = start('crawl', `http://127.0.0.1:${port}/`, '-o', 'nobody', '--retries', '0');
    expect(await crawl.ended).toBe(3);
    expect(crawl.output()).toMatch(/^Failed: no seed could be visited: .*\nCause: /s);
  });

  test.each([
    [['crawl', 'https://example.org/', '--depht', '3'], 'Did you mean --depth?'],
    [['crawl', 'ftp://example.org/'], '[SEED_INVALID]'],
    [['resume', 'nothing'], '[NOTHING_TO_RESUME]'],
  ])('exits with 2 and writes nothing for %j', async (words, message) => {
    const before = readdirSync(folder);
    const crawl = start(...words);
    expect(await crawl.ended).toBe(2);
    expect(crawl.errors()).toContain(message);
    expect([crawl.output(), readdirSync(folder)]).toEqual(['', before]);
  });

  test('does not fall over a reader that leaves early', async () => {
    const help = start('crawl', '--help');
    help.child.stdout?.destroy();
    expect(await help.ended).toBe(0);
    expect(help.errors()).toBe('');
  });

  test('says that standard output cannot be written, and ends with 3: 1 would be the verdict of a gate', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, 'version'], { stdio: ['ignore', full, 'pipe'] });
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += String(chunk)));
    expect(await once(child, 'close')).toEqual([3, null]);
    closeSync(full);
    expect(errors).toMatch(/^error {2}standard output cannot be written: ENOSPC: .*\n$/);
  });

  test('ends with 3 for an error that nothing in the program caught', async () => {
    writeFileSync(
      join(folder, 'later.mjs'),
      `export default { name: 'later', auditRules: [] };
       process.nextTick(() => { throw new Error('thrown later'); });`,
    );
    const audit = start('audit', 'whole', '--external', 'none', '--extension', 'later.mjs');
    expect(await audit.ended).toBe(3);
    expect(audit.errors()).toMatch(/^error {2}this is a fault of the program.*\n {7}Error: thrown later\n/);
  });

  test('serves a folder until it is stopped', async () => {
    const server = start('serve', site);
    await errorsHold(server, /Ctrl-C ends the server/);
    const response = await fetch(server.output().trim());
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<title>')]);
    server.child.kill('SIGINT');
    expect(await server.ended).toBe(0);
  });
});
