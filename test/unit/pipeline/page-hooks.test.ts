import { expect, test } from 'vitest';
import { silentLog, type LogFields } from '../../../src/base/log.ts';
import { defineExtension } from '../../../src/pipeline/extension.ts';
import { createPageHooks } from '../../../src/pipeline/page-hooks.ts';

const settled = (): void => {};

test('hooks are called by the names of their extension and their own, and match by globs or functions', () => {
  const warnings: (LogFields | undefined)[] = [];
  const extension = defineExtension({
    name: 'mine',
    pageHooks: [
      { name: 'glob', matches: '/shop/**', settled },
      { name: 'function', matches: (url) => url.endsWith('/a'), settled },
      { name: 'broken', matches: () => fail(), settled },
    ],
  });
  const hooks = createPageHooks([extension], { ...silentLog, warn: (_event, fields) => void warnings.push(fields) });
  const matching = (url: string): readonly string[] =>
    hooks.filter((hook) => hook.matches(url)).map(({ name }) => name);
  expect(matching('https://a.test/shop/a')).toEqual(['mine/glob', 'mine/function']);
  expect(matching('https://a.test/other')).toEqual([]);
  expect(warnings).toEqual([expect.objectContaining({ hook: 'mine/broken', stage: 'matches', error: 'no' })]);
});

test.each([
  [
    'a glob that matches nothing',
    { name: 'a', matches: 'shop', settled },
    /matches is not accepted: the glob matches no URL/,
  ],
  ['no function', { name: 'a', matches: '**' }, /must have a function before or settled/],
  ['no pages', { name: 'a', settled }, /must be a glob of URLs or a function/],
])('a hook with %s is refused', (_what, hook, words) => {
  expect(() => defineExtension({ name: 'mine', pageHooks: [hook as never] })).toThrow(words);
});

function fail(): never {
  throw new Error('no');
}
