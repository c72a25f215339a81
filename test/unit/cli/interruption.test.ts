import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { listenForInterruption } from '../../../src/cli/interruption.ts';

function listening() {
  let now = 0;
  const source = new EventEmitter();
  const calls: string[] = [];
  const clock = { now: () => epochMs(now), monotonic: () => milliseconds(now), sleep: async () => {} };
  const listener = listenForInterruption(source, clock, (how, signal) => calls.push(`${how} ${signal}`));
  return {
    calls,
    listener,
    source,
    press: (signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM', at: number) => {
      now = at;
      source.emit(signal);
    },
  };
}

test('the first signal asks for an orderly end, the second for one at once', () => {
  const { calls, press } = listening();
  press('SIGINT', 0);
  press('SIGINT', 1000);
  expect(calls).toEqual(['drain SIGINT', 'at-once SIGINT']);
});

test('one Ctrl-C that npm passes on counts once', () => {
  const { calls, press } = listening();
  press('SIGINT', 0);
  press('SIGINT', 5);
  expect(calls).toEqual(['drain SIGINT']);
  press('SIGINT', 301);
  expect(calls).toEqual(['drain SIGINT', 'at-once SIGINT']);
});

test('SIGTERM drains, and a second signal of either kind ends at once', () => {
  const { calls, press } = listening();
  press('SIGTERM', 0);
  press('SIGINT', 1000);
  expect(calls).toEqual(['drain SIGTERM', 'at-once SIGINT']);
});

test('a terminal that goes away drains, however often it says so, and never ends at once', () => {
  const { calls, press } = listening();
  for (const at of [0, 1000, 2000]) press('SIGHUP', at);
  expect(calls).toEqual(['drain SIGHUP']);
  press('SIGTERM', 3000);
  expect(calls).toEqual(['drain SIGHUP', 'at-once SIGTERM']);
});

test('a third signal is left to the system, which ends the process', () => {
  const { calls, press, source } = listening();
  for (const at of [0, 1000, 2000]) press('SIGINT', at);
  expect(calls.length).toBe(2);
  expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
});

test('disposing takes the listeners away', () => {
  const { listener, source } = listening();
  expect(source.listenerCount('SIGINT')).toBe(1);
  listener[Symbol.dispose]();
  expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
});
