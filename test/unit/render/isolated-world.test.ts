import { expect, test } from 'vitest';
import { parseScroll } from '../../../src/render/interact/answer-shapes.ts';
import { parseCollection } from '../../../src/render/page/isolated-world.ts';

const FACTS = {
  url: 'http://a.example/',
  title: 't',
  description: null,
  canonical: null,
  lang: null,
  h1: [],
  robots: [],
  bytes: 1,
  pageClock: 1,
  cookies: 0,
  shows: true,
  activity: { frames: 0, idles: 0, animations: 0 },
  contentType: 'text/html',
  parsing: false,
  scripted: false,
};
const LINK = { href: '/a', kind: 'anchor', context: 'a/@href', text: 'a', rel: '' };
const answer = (changes: object): unknown => ({
  facts: FACTS,
  base: 'http://a.example/',
  links: { kept: [LINK], total: 1 },
  navigations: { kept: [], total: 0 },
  html: '<p>',
  text: 'p',
  tags: 1,
  scrolls: false,
  ...changes,
});

test('an answer of the right shape is taken', () => {
  expect(parseCollection(answer({}))).toEqual(answer({}));
});

test('links of another shape are dropped, and the rest is kept', () => {
  const kept = [LINK, null, 7, { ...LINK, href: 1 }, { ...LINK, kind: 'history' }, { ...LINK, text: 'x'.repeat(201) }];
  expect(parseCollection(answer({ links: { kept, total: -5 } }))?.links).toEqual({ kept: [LINK], total: 1 });
});

test('more than is wanted is cut', () => {
  const kept = Array.from({ length: 10_500 }, () => LINK);
  const many = {
    links: { kept, total: 10_500 },
    facts: { ...FACTS, title: 'x'.repeat(5000), h1: Array(80).fill('h') },
  };
  const parsed = parseCollection(answer(many));
  expect(parsed?.links.kept).toHaveLength(10_000);
  expect(parsed?.links.total).toBe(10_500);
  expect(parsed?.facts.title).toHaveLength(1000);
  expect(parsed?.facts.h1).toHaveLength(50);
});

test.each([null, 'text', [], {}, answer({ facts: null }), answer({ html: 1 }), answer({ navigations: [] })])(
  'an answer of another shape is none: %j',
  (value) => {
    expect(parseCollection(value)).toBeNull();
  },
);

test('keys of the prototype change no prototype', () => {
  const hostile: unknown = JSON.parse(
    JSON.stringify(answer({})).replace('"base"', '"__proto__":{"polluted":1},"base"'),
  );
  expect(parseCollection(hostile)).not.toBeNull();
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('a look at what scrolls has all its values or is none', () => {
  const look = { height: 1, links: 2, nodes: 3, scrollable: true, recycled: false, moved: true };
  expect(parseScroll(look)).toEqual(look);
  expect(parseScroll({ height: 1, links: 2, nodes: 3, scrollable: true })).toBeNull();
  expect(parseScroll({ height: 1 })).toBeNull();
});
