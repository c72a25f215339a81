import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { CrawlError } from '../../../src/base/errors.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { untilAborted } from '../../../src/base/until-aborted.ts';
import { run } from '../../../src/cli/run.ts';
import type { Crawl } from '../../../src/crawl/crawl.ts';
import type { CrawlEvent } from '../../../src/crawl/events.ts';
import type { StartOptions } from '../../../src/crawl/start-crawl.ts';
import { storeCrawl } from '../../support/stored-crawl.ts';
import { FakeCrawl, pageOf } from './fake-crawl.ts';
import { runFake, FakeShell, type FakeShellOptions } from './fake-shell.ts';

const SEED = 'https://example.org/';
let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-cli-')));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs `crawl` in the test's folder. */
const crawl = async (words: readonly string[], options: Partial<FakeShellOptions> = {}) =>
  runFake({ workingFolder: folder, ...options, words: ['crawl', ...words] });

async function* eventsOf(...events: readonly CrawlEvent[]): AsyncGenerator<CrawlEvent> {
  yield* events;
}

/** What `await using` throws where the block failed, and then the closing. */
function suppressed(fault: unknown): Error {
  const closing = new Error('ENOENT: no such file or directory, rename');
  return Object.assign(new Error('An error was suppressed during disposal.'), {
    name: 'SuppressedError',
    error: closing,
    suppressed: fault,
  });
}

describe('a crawl that runs', () => {
  const events = () =>
    eventsOf(
      { kind: 'note', message: 'a Crawl-delay was cut' },
      { kind: 'page', page: pageOf() },
      { kind: 'failed', page: pageOf({ url: 'https://example.org/b', detail: 'status 404' }) },
    );

  test('tells notes and failures on standard error, the summary on standard output', async () => {
    const { code, shell } = await crawl([SEED], { crawl: new FakeCrawl({ events: events() }) });
    expect(code).toBe(0);
    expect(shell.errorText).toBe(
      'note  a Crawl-delay was cut\nfailed  https://example.org/b  status 404\n      linked from https://example.org/\n',
    );
    expect(shell.outputText).toMatch(/^Finished: .*\nFolder: {2}\/somewhere\/out\n$/s);
  });

  test('tells each page with -v', async () => {
    const { shell } = await crawl([SEED, '-v'], { crawl: new FakeCrawl({ events: events() }) });
    expect(shell.errorText).toContain('captured   200    371 ms    60 links  https://example.org/a');
  });

  test('names a Redis of another machine in the command that resumes, but no password and no server of this machine', async () => {
    const told = async (redis: string): Promise<string | undefined> => {
      const report = { state: 'interrupted', end: 'interrupted' } as const;
      const { shell } = await crawl([SEED, '--redis', redis], { crawl: new FakeCrawl({ report }) });
      return /Resume:.*/.exec(shell.outputText)?.[0];
    };
    expect(await told('redis://10.0.0.5:6379')).toMatch(/ resume \S+ --redis redis:\/\/10\.0\.0\.5:6379$/);
    expect(await told('redis://127.0.0.1:6379')).not.toContain('--redis');
    expect(await told('redis://:qzw8-secret@10.0.0.5:6379')).not.toContain('qzw8');
  });

  test('leaves to the environment what it gives: flags are shown without passwords, and would outrank it', async () => {
    const told = async (
      words: readonly string[],
      variables: Readonly<Record<string, string>>,
    ): Promise<string | undefined> => {
      const report = { state: 'interrupted', end: 'interrupted' } as const;
      const { shell } = await crawl([SEED, ...words], { variables, crawl: new FakeCrawl({ report }) });
      return /Resume:.*/.exec(shell.outputText)?.[0];
    };
    const all = {
      ORBWEAVER_PROXY: 'http://me:qzw8-secret@proxy.example:3128',
      ORBWEAVER_HTTP_AUTH: 'me:qzw8-secret@example.org',
      ORBWEAVER_HEADER: 'X-Key: qzw8-secret',
      ORBWEAVER_BROWSER: 'ws://127.0.0.1:3000/?token=qzw8-secret',
    };
    expect(await told([], all)).toMatch(/ resume \S+$/);
    const proxied = await told(['--proxy', 'http://h:1'], { ORBWEAVER_PROXY_AUTH: 'me:qzw8-secret' });
    expect(proxied).toMatch(/ --proxy http:\/\/h:1$/);
    const typed = await told(['--http-auth', 'me:qzw8-secret@example.org'], {});
    expect(typed).toMatch(/ --http-auth '…@example\.org'$/);
  });

  test('tells nothing with -q while all goes well', async () => {
    const { shell } = await crawl([SEED, '-q'], {
      crawl: new FakeCrawl({ events: events() }),
      variables: { ORBWEAVER_DELYA: '1' },
    });
    expect([shell.errorText, shell.outputText]).toEqual(['', '']);
  });

  test('tells with -q why it ended early', async () => {
    const report = { state: 'failed', end: 'broken', cause: 'the disk is full' } as const;
    const { code, shell } = await crawl([SEED, '-q'], { crawl: new FakeCrawl({ report }) });
    expect(code).toBe(3);
    expect(shell.errorText).toContain('the disk is full');
    expect(shell.outputText).toBe('');
  });

  test.each([
    ['audit', [SEED]],
    ['crawl', [SEED, '-q']],
  ])('by %s whose seed failed is told so in words, without a command that could do nothing', async (command, words) => {
    const cause = 'https://example.org/: the name example.org does not exist';
    const totals = { discovered: 1, visited: 0, failed: 1, skipped: 0, queued: 0 };
    const report = { folder: join(folder, 'none'), state: 'failed', end: 'seeds-failed', cause, totals } as const;
    const { shell } = await runFake({
      words: [command, ...words],
      workingFolder: folder,
      crawl: new FakeCrawl({ report }),
    });
    expect(shell.errorText).toContain(`Failed: no seed could be visited: ${cause}\n`);
    expect(shell.errorText).not.toMatch(/seeds-failed|resume/);
  });

  test('tells with -q the command that resumes, where something is left', async () => {
    const report = { state: 'interrupted', end: 'interrupted' } as const;
    const { shell } = await crawl([SEED, '-q'], { crawl: new FakeCrawl({ report }) });
    expect(shell.errorText).toContain('Interrupted: the state is saved\norbweaver resume /somewhere/out\n');
  });

  test('leaves standard output to the report that the user sends there', async () => {
    await using stored = await storeCrawl({ pages: [pageOf()] });
    const report = { folder: stored.folder };
    const words = [SEED, '--audit', '--external', 'none', '--reporter'];
    const { shell } = await crawl([...words, 'json=-'], { crawl: new FakeCrawl({ report }) });
    expect(JSON.parse(shell.outputText)).toHaveProperty('coverage');
    expect(shell.errorText).toMatch(/^Finished: .*\nFolder: {2}\S+\n/s);
    const listed = await crawl([...words, 'list'], { crawl: new FakeCrawl({ report }) });
    expect(listed.shell.outputText).toMatch(/^Finished: /);
  });

  test('tells of variables that set nothing', async () => {
    const { shell } = await crawl([SEED], { variables: { ORBWEAVER_DELYA: '1' } });
    expect(shell.errorText).toContain('note  ORBWEAVER_DELYA sets nothing; did you mean ORBWEAVER_DELAY?');
  });

  test('is disposed', async () => {
    const running = new FakeCrawl();
    await crawl([SEED], { crawl: running });
    expect(running.disposed).toBe(true);
  });

  test('gets a log on standard error with --log-json', async () => {
    const { shell } = await crawl([SEED, '--log-json', '--log-level', 'warn']);
    expect(shell.logLevels).toEqual(['warn']);
    expect(shell.started[0]?.options.log).toBeDefined();
    const without = await crawl([SEED]);
    expect([without.shell.logLevels, without.shell.started[0]?.options.log]).toEqual([[], undefined]);
  });

  test('that cannot start ends with its error, code and cure', async () => {
    const startCrawl = async () => {
      throw new CrawlError('BROWSER_MISSING', 'No Chromium was found.\nInstall one: npm run setup');
    };
    const { code, shell } = await crawl([SEED], { engine: { startCrawl } });
    expect(code).toBe(2);
    expect(shell.errorText).toBe(
      'error  No Chromium was found. [BROWSER_MISSING]\n       Install one: npm run setup\n',
    );
  });

  test('whose options the engine refuses names the flag', async () => {
    const startCrawl = async () => {
      throw new CrawlError('USAGE', 'timeLimit: 5 is not accepted: too small', { data: { option: 'timeLimit' } });
    };
    const { code, shell } = await crawl([SEED], { engine: { startCrawl } });
    expect(code).toBe(2);
    expect(shell.errorText).toMatch(
      /^error {2}--time-limit: 5 is not accepted: too small \[USAGE\]\n {7}Accepted: a duration/,
    );
  });

  test.each([
    ['its folder and what was to be closed are gone', (fault: CrawlError) => suppressed(fault)],
    [
      'only closing fails',
      (fault: CrawlError) => new AggregateError([new Error('ENOENT: rename'), fault], 'not everything could be closed'),
    ],
  ])('that ends because %s says why in words', async (_name, made) => {
    const fault = new CrawlError('OUTPUT_UNUSABLE', 'cannot write out/pages.jsonl: there is no such folder');
    const startCrawl = async () => {
      throw made(fault);
    };
    const { code, shell } = await crawl([SEED], { engine: { startCrawl } });
    expect(code).toBe(3);
    expect(shell.errorText).toContain('cannot write out/pages.jsonl: there is no such folder');
    expect(shell.errorText).not.toContain('fault of the program');
  });

  test('that meets a fault of the program asks for a report and exits with 3', async () => {
    const startCrawl = async () => {
      throw new TypeError('x is undefined');
    };
    const { code, shell } = await crawl([SEED], { engine: { startCrawl } });
    expect(code).toBe(3);
    expect(shell.errorText).toContain('fault of the program');
    expect(shell.errorText).toContain('x is undefined');
  });
});

describe('progress', () => {
  /** A clock whose sleeps end at `step()`. */
  function steppedClock() {
    const sleepers: (() => void)[] = [];
    const slept: number[] = [];
    const clock: Clock = {
      now: () => epochMs(0),
      monotonic: () => milliseconds(0),
      sleep: async (duration, signal) =>
        new Promise((settle, refuse) => {
          slept.push(duration);
          sleepers.push(settle);
          signal.addEventListener('abort', () => refuse(new Error('aborted')), { once: true });
        }),
    };
    return { clock, slept, step: () => sleepers.shift()?.() };
  }

  async function runStepped(words: readonly string[], isTTY: boolean) {
    const stepped = steppedClock();
    async function* steps(): AsyncGenerator<CrawlEvent> {
      for (let count = 0; count < 2; count += 1) {
        stepped.step();
        await new Promise((settle) => setImmediate(settle));
      }
      yield* [];
    }
    const { shell } = await crawl(words, { crawl: new FakeCrawl({ events: steps() }), clock: stepped.clock, isTTY });
    return { shell, slept: stepped.slept };
  }

  test('without a terminal is a line each ten seconds', async () => {
    const { shell, slept } = await runStepped([SEED], false);
    expect(new Set(slept)).toEqual(new Set([10_000]));
    expect(shell.errorText).toBe('1:05  128 pages  32 queued  4.2/s\n'.repeat(2));
  });

  test('on a terminal is one line that is gone at the end', async () => {
    const { shell } = await runStepped([SEED], true);
    expect(shell.errorText).toContain('128 pages');
    expect(shell.errorText).not.toContain('\n');
    expect(shell.errorText.endsWith('\r\u001b[2K')).toBe(true);
  });

  test.each([['--no-progress'], ['-q'], ['--log-json']])('is not shown with %s', async (flag) => {
    const { shell } = await runStepped([SEED, flag], true);
    expect(shell.errorText).toBe('');
  });
});

describe('an interruption', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s after the last visit leaves the audit out, says so, and passes no gate',
    async (signal, expected) => {
      const report = { folder: join(folder, 'out'), state: 'finished', end: 'all-visited' } as const;
      const fake = new FakeCrawl({ untilStopped: true, report });
      const words = ['audit', SEED, '--fail-on', 'error'];
      const shell = new FakeShell({ words, workingFolder: folder, crawl: fake });
      const code = run(shell);
      while (shell.started.length === 0) await new Promise((settle) => setImmediate(settle));
      shell.signals.emit(signal);
      expect(await code).toBe(expected);
      expect(shell.errorText).toContain('it was not judged');
      expect(shell.outputText).toBe('');
    },
  );

  test('after the last visit of a crawl that nobody judges changes nothing', async () => {
    const report = { folder: join(folder, 'out'), state: 'finished', end: 'all-visited' } as const;
    const fake = new FakeCrawl({ untilStopped: true, report });
    const shell = new FakeShell({ words: ['crawl', SEED], workingFolder: folder, crawl: fake });
    const code = run(shell);
    while (shell.started.length === 0) await new Promise((settle) => setImmediate(settle));
    shell.signals.emit('SIGINT');
    expect(await code).toBe(0);
  });

  /** Starts a crawl that waits for its end, and returns its shell while it runs. */
  async function running(variables: Record<string, string> = {}) {
    let now = 0;
    const clock: Clock = { ...systemClock, monotonic: () => milliseconds(now) };
    const fake = new FakeCrawl({ untilStopped: true, report: { folder: join(folder, "it's out") } });
    const shell = new FakeShell({ words: ['crawl', SEED], variables, workingFolder: folder, crawl: fake, clock });
    const code = run(shell);
    while (shell.started.length === 0) await new Promise((settle) => setImmediate(settle));
    return { shell, fake, code, at: (time: number) => (now = time) };
  }

  test('by Ctrl-C drains, says so, prints the command that resumes, and exits with 130', async () => {
    const { shell, fake, code } = await running();
    shell.signals.emit('SIGINT');
    expect(await code).toBe(130);
    expect(fake.stops).toEqual(['drain']);
    expect(shell.errorText).toContain('Ctrl-C again stops at once.');
    expect(shell.outputText).toContain("Resume:  orbweaver resume './it'\\''s out'\n");
    expect(shell.signals.listenerCount('SIGINT')).toBe(0);
  });

  test('by SIGTERM exits with 143', async () => {
    const { shell, fake, code } = await running();
    shell.signals.emit('SIGTERM');
    expect([await code, fake.stops]).toEqual([143, ['drain']]);
  });

  test('by a second Ctrl-C stops at once', async () => {
    const { shell, fake, code, at } = await running();
    shell.signals.emit('SIGINT');
    at(1000);
    shell.signals.emit('SIGINT');
    await code;
    expect(fake.stops).toEqual(['drain', 'at-once']);
    expect(shell.errorText).toContain('Stopping at once');
  });

  test('by a second Ctrl-C that takes long says what can be done', async () => {
    let [now, wake] = [0, (): void => {}];
    const late = new Promise<void>((resolve) => (wake = resolve));
    const sleep: Clock['sleep'] = (duration, signal) =>
      now < 20_000 ? untilAborted(late, signal) : systemClock.sleep(duration, signal);
    let release = (): void => {};
    const saving = new Promise<void>((resolve) => (release = resolve));
    const events = (async function* (): AsyncGenerator<CrawlEvent> {
      await saving;
    })();
    const clock: Clock = { ...systemClock, monotonic: () => milliseconds(now), sleep };
    const shell = new FakeShell({
      words: ['crawl', SEED],
      workingFolder: folder,
      crawl: new FakeCrawl({ events }),
      clock,
    });
    const code = run(shell);
    while (shell.started.length === 0) await new Promise((settle) => setImmediate(settle));
    shell.signals.emit('SIGINT');
    now = 1000;
    shell.signals.emit('SIGINT');
    expect(shell.errorText).not.toContain('Still saving');
    now = 20_000;
    wake();
    while (!shell.errorText.includes('Still saving')) await new Promise((settle) => setImmediate(settle));
    expect(shell.errorText).toContain('Ctrl-C once more ends the program');
    expect(shell.signals.listenerCount('SIGINT')).toBe(0); // so it does
    release();
    expect(await code).toBe(130);
  });

  test.each([
    [
      'npm run crawl of a clone',
      { npm_lifecycle_event: 'crawl', npm_package_name: 'orbweaver' },
      'npm run orbweaver --',
    ],
    ['npx', { npm_lifecycle_event: 'npx' }, 'npx orbweaver'],
    ["another package's script", { npm_lifecycle_event: 'nightly', npm_package_name: 'shop' }, 'npx orbweaver'],
  ])('under %s prints the command in the form that can be typed there', async (_what, variables, call) => {
    const { shell, code } = await running(variables);
    shell.signals.emit('SIGINT');
    await code;
    expect(shell.outputText).toContain(`Resume:  ${call} resume './it'\\''s out'\n`);
  });

  test('while the crawl is starting gives the start up', async () => {
    const startCrawl = async ({ signal }: StartOptions): Promise<Crawl> => {
      shell.signals.emit('SIGINT');
      signal?.throwIfAborted();
      throw new Error('the signal was not aborted');
    };
    const shell = new FakeShell({ words: ['crawl', SEED], workingFolder: folder, engine: { startCrawl } });
    expect(await run(shell)).toBe(130);
    expect(shell.errorText).toContain('Stopped before the crawl had started.');
    expect([shell.outputText, shell.signals.listenerCount('SIGINT')]).toEqual(['', 0]);
  });

  test('that comes too late to give the start up stops the crawl as soon as it has started', async () => {
    const fake = new FakeCrawl({ untilStopped: true });
    const startCrawl = async () => {
      shell.signals.emit('SIGTERM');
      return fake;
    };
    const shell = new FakeShell({ words: ['crawl', SEED], workingFolder: folder, engine: { startCrawl } });
    expect([await run(shell), fake.stops]).toEqual([143, ['drain']]);
  });
});
