import { expect, test } from 'vitest';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import { flagNameMeantBy, OTHER_NAMES } from '../../../src/cli/flags/other-names.ts';

const ours = new Set(FLAGS.map(({ name }) => name));
const others = Object.values(OTHER_NAMES).flat();

test('every other name belongs to one flag, and is none itself', () => {
  expect(Object.keys(OTHER_NAMES).filter((name) => !ours.has(name))).toEqual([]);
  expect(others.filter((name) => ours.has(name))).toEqual([]);
  expect(others.filter((name, index) => others.indexOf(name) !== index)).toEqual([]);
});

const names = [...ours];

test.each([
  ['max-pages', 'limit'],
  ['maxRequestsPerCrawl', 'limit'],
  ['max_depth', 'depth'],
  ['ignore-robots', 'no-robots'],
  ['URLFile', 'url-list'],
  ['depth', 'depth'],
  ['depht', 'depth'],
  ['USER_AGENT', 'user-agent'],
  ['pageTimeout', 'page-timeout'],
  ['max-pagez', 'limit'], // nearer than --min-pages
  ['xyzzy', null],
])('%s is most likely meant for %s', (name, flag) => {
  expect(flagNameMeantBy(name, names)).toBe(flag);
});

test('a name is meant for one of the flags in question only', () => {
  expect(flagNameMeantBy('max-pagez', ['min-pages'])).toBe('min-pages');
  expect(flagNameMeantBy('max-pages', ['scope'])).toBeNull();
});
