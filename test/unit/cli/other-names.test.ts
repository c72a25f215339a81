import { expect, test } from 'vitest';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import { flagKnownAs, OTHER_NAMES } from '../../../src/cli/flags/other-names.ts';

const ours = new Set(FLAGS.map(({ name }) => name));
const others = Object.values(OTHER_NAMES).flat();

test('every other name belongs to one flag, and is none itself', () => {
  expect(Object.keys(OTHER_NAMES).filter((name) => !ours.has(name))).toEqual([]);
  expect(others.filter((name) => ours.has(name))).toEqual([]);
  expect(others.filter((name, index) => others.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['max-pages', 'limit'],
  ['maxRequestsPerCrawl', 'limit'],
  ['max_depth', 'depth'],
  ['ignore-robots', 'no-robots'],
  ['URLFile', null],
  ['depth', null],
  ['xyzzy', null],
])('%s is known as %s', (name, flag) => {
  expect(flagKnownAs(name)?.name ?? null).toBe(flag);
});
