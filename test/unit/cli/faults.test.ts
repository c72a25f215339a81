import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { milliseconds, type Milliseconds } from '../../../src/base/units.ts';
import { listenForFaults } from '../../../src/cli/faults.ts';
import { run } from '../../../src/cli/run.ts';
import { FakeCrawl } from './fake-crawl.ts';
import { FakeShell } from './fake-shell.ts';

const WORDS = ['crawl', 'https://example.org/'];

/** A clock whose time the test sets. */
function handClock(): Clock & { at: number } {
  const clock = { ...systemClock, at: 0, monotonic: (): Milliseconds => milliseconds(clock.at) };
  return clock;
}

describe('an error that nobody caught', () => {
  test.each(['uncaughtException', 'unhandledRejection'])('breaks the crawl off where it is an %s', async (event) => {
    const crawl = new FakeCrawl({ untilStopped: true });
    const shell = new FakeShell({ words: WORDS, crawl });
    const error = new Error('unforeseen\u001b[31m');
    setImmediate(() => shell.faults.emit(event, error));
    expect(await run(shell)).toBe(3);
    expect(crawl.faults).toEqual([error]);
    expect(crawl.disposed).toBe(true);
    expect(shell.errorText).toContain('fault of the program, please report it: Error: unforeseen\n');
    expect(shell.errorText).toContain('its state is being saved');
    expect(shell.errorText).not.toContain('\u001b');
    expect(shell.exits).toEqual([]);
    // a failure may occur again until the process has ended
    expect(shell.faults.listenerCount(event)).toBe(1);
  });

  test('is a slip of the user where a promise of an extension was not waited for: it is told, and the crawl goes on', async () => {
    const crawl = new FakeCrawl({ untilStopped: true });
    const shell = new FakeShell({ words: [...WORDS, '--page-script', '/**=hooks.mjs'], crawl });
    const error = new Error('page.click: Target closed');
    error.stack = `${String(error)}\n    at click (/opt/x/node_modules/playwright-core/a.js:1:2)\n    at settled (file:///home/me/hooks.mjs:3:14)`;
    setImmediate(() => {
      for (let times = 0; times < 9; times += 1) shell.faults.emit('unhandledRejection', error);
      crawl.stop('drain');
    });
    expect(await run(shell)).toBe(130);
    expect(crawl.faults).toEqual([]);
    const told = 'a promise of an extension failed, and nobody waited for it';
    expect(shell.errorText.split(told)).toHaveLength(4);
    expect(shell.errorText).toContain('page.click: Target closed at settled (file:///home/me/hooks.mjs:3:14)');
  });

  test('before the crawl has started keeps it from starting', async () => {
    const shell = new FakeShell({
      words: WORDS,
      engine: {
        startCrawl: async ({ signal }) =>
          await new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('given up')));
            shell.faults.emit('uncaughtException', new Error('unforeseen'));
          }),
      },
    });
    expect(await run(shell)).toBe(3);
    expect(shell.errorText).toContain('unforeseen');
  });

  test('is listened for as long as a crawl runs', async () => {
    const shell = new FakeShell({ words: WORDS });
    expect(await run(shell)).toBe(0);
    expect(shell.faults.eventNames()).toEqual([]);
  });

  test('is not listened for where nothing is crawled', async () => {
    const shell = new FakeShell({ words: ['--version'] });
    expect(await run(shell)).toBe(0);
    expect(shell.faults.eventNames()).toEqual([]);
  });

  test('a second time ends the process at once, but not within the same moment', () => {
    const source = new EventEmitter();
    const clock = handClock();
    const told: string[] = [];
    using _listening = listenForFaults(source, clock, (how, error) => told.push(`${how} ${String(error)}`), false);
    source.emit('uncaughtException', 'one');
    clock.at = 900;
    source.emit('unhandledRejection', 'two');
    expect(told).toEqual(['break-off one']);
    clock.at = 1000;
    source.emit('uncaughtException', 'three');
    expect(told).toEqual(['break-off one', 'at-once three']);
  });
});
