import { expect, it } from 'vitest';
import { SignOutMemory } from '../../../../src/core/sign-in/sign-out-memory.ts';

const quit = (from: number): string => `https://a.test/quit?from=${from}`;

it('whatever was visited since the crawl was signed in is a suspect, by its path', () => {
  const memory = new SignOutMemory();
  memory.wasIn('https://a.test/');
  memory.wasIn('https://a.test/1');
  memory.visited(quit(1));
  expect(memory.isSuspect(quit(2))).toBe(false);
  memory.isOut();
  expect(memory.isSuspect(quit(2))).toBe(true);
  expect(memory.isSuspect('https://a.test/1?x')).toBe(true);
  expect(memory.isSuspect('https://a.test/')).toBe(false);
  memory.cleared(quit(3));
  expect(memory.isSuspect(quit(2))).toBe(false);
});

it('a path signs out when two of its addresses have, and none has not', () => {
  const memory = new SignOutMemory();
  memory.proved(quit(1));
  expect([memory.signsOut(quit(2)), memory.isSuspect(quit(2))]).toEqual([false, true]);
  memory.proved(quit(2));
  expect(memory.signsOut(quit(3))).toBe(true);
  memory.wasIn(quit(4));
  expect(memory.signsOut(quit(3))).toBe(false);
});
