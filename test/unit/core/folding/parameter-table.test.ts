/** The table in memory, crawled over sites that are functions: what is folded, and above all what is not. */
import { describe, expect, test } from 'vitest';
import { fnv1a } from '../../../../src/base/hash.ts';
import { addressOf } from '../../../../src/core/folding/address.ts';
import {
  isFolded,
  isPosition,
  learn,
  learntNames,
  NEW_FAMILY,
  NEW_ROW,
  plainSpot,
  positionSpot,
  type FamilyRecord,
  type RowRecord,
  type Spot,
} from '../../../../src/core/folding/parameter-table.ts';
import { storedCanonicalUrl } from '../../../../src/model/url/canonical-url.ts';

/** The text of a site at an address. */
type Site = (path: string) => string;

interface Crawl {
  readonly visited: readonly string[];
  readonly folded: readonly string[];
  /** Texts of the site that no visit saw. */
  readonly lost: readonly string[];
  readonly undone: number;
}

/** Visits all paths that are not folded at their turn; undone folds are queued again. */
function crawl(site: Site, paths: readonly string[], placesOf: (path: string) => readonly string[] = () => []): Crawl {
  const table = new Table();
  const [visited, seen] = [[] as string[], new Set<string>()];
  let folded: string[] = [];
  let undone = 0;
  const queue = [...paths];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (table.folds(path)) {
      folded.push(path);
      continue;
    }
    visited.push(path);
    seen.add(site(path));
    if (!table.learn(path, site(path), placesOf(path))) continue;
    undone += 1;
    queue.push(...folded);
    folded = [];
  }
  const lost = new Set(paths.map(site).filter((text) => !seen.has(text)));
  return { visited, folded, lost: [...lost], undone };
}

class Table {
  family: FamilyRecord = NEW_FAMILY;
  readonly #rows = new Map<string, RowRecord>();
  readonly #isKept: (name: string) => boolean;

  constructor(isKept: (name: string) => boolean = () => false) {
    this.#isKept = isKept;
  }

  #row({ row }: Spot): RowRecord {
    return this.#rows.get(`${this.family.version} ${row}`) ?? NEW_ROW;
  }

  folds(path: string): boolean {
    const url = storedCanonicalUrl(`http://a.test${path}`);
    const address = addressOf(url);
    const spots = [positionSpot(address, this.family, this.#isKept), plainSpot(address, this.family, this.#isKept)];
    return spots.some((spot) => spot !== null && isFolded(url, this.family, this.#row(spot), spot));
  }

  /** @returns whether folds are undone */
  learn(path: string, text: string, names: readonly string[] = []): boolean {
    const address = addressOf(storedCanonicalUrl(`http://a.test${path}`));
    const places = names.map(fnv1a);
    for (let undone = false; ;) {
      const position = positionSpot(address, this.family, this.#isKept);
      const spot =
        position !== null && isPosition(position, { places })
          ? position
          : plainSpot(address, this.family, this.#isKept);
      const learnt = learn(this.family, this.#row(spot), spot, { address, content: fnv1a(text), places });
      this.family = learnt.family;
      undone ||= learnt.undone;
      if (learnt.row === null) continue;
      this.#rows.set(`${this.family.version} ${spot.row}`, learnt.row);
      return undone;
    }
  }
}

const range = (count: number, from = 1): readonly number[] => Array.from({ length: count }, (_, index) => from + index);
const WORDS = 'ash birch cedar elm fir hazel larch maple oak pine rowan yew'.split(' ');
const pageOf = (path: string): string => path.replace(/[?].*$/, '');
const of = (path: string, name: string): string | null => new URL(path, 'http://a.test').searchParams.get(name);

/** Pages named by words, each with every value of a parameter. */
const grid = (name: string, values: readonly (string | number)[]): readonly string[] => [
  ...WORDS.map((word) => `/${word}`),
  ...values.flatMap((value) => WORDS.map((word) => `/${word}?${name}=${value}`)),
];

describe('parameters that change nothing are folded', () => {
  test('where few values come on many pages', () => {
    const { visited, folded, lost } = crawl(pageOf, grid('ref', WORDS));
    expect(lost).toEqual([]);
    expect(visited.length + folded.length).toBe(WORDS.length * 13);
    expect(folded.length).toBeGreaterThan(WORDS.length * 7);
  });

  test('where each link has a value of its own', () => {
    const token = (index: number): string => (0xda39a3ee5e6b + index * 7919).toString(16);
    const paths = range(20).flatMap((turn) =>
      WORDS.map((word, index) => `/${word}?visit=${token(turn * 100 + index)}`),
    );
    const { visited, folded, lost } = crawl(pageOf, paths);
    expect(lost).toEqual([]);
    expect(visited.length).toBeLessThan(WORDS.length * 5);
    expect(folded.length + visited.length).toBe(240);
  });

  test('beside one that matters, once that has been seen', () => {
    const paths = range(8).flatMap((sort) =>
      WORDS.flatMap((word) => ['', ...WORDS].map((ref) => `/${word}?edition=${sort}&ref=${ref}`)),
    );
    const { folded, lost } = crawl((path) => `${pageOf(path)} ${of(path, 'edition')}`, paths);
    expect(lost).toEqual([]);
    expect(folded.length).toBeGreaterThan(paths.length / 2);
  });

  test('where they are places in the pages of an application', () => {
    const places = (path: string): readonly string[] => range(10).map((n) => `${/#\/(\w+)/.exec(path)?.[1]}-part-${n}`);
    const paths = WORDS.flatMap((word) => [
      `/#/${word}`,
      ...places(`/#/${word}`).map((name) => `/#/${word}?id=${name}`),
    ]);
    const { visited, lost } = crawl(pageOf, paths, places);
    expect(lost).toEqual([]);
    expect(visited.length).toBeLessThan(WORDS.length * 4);
  });
});

describe('nothing is lost', () => {
  const shuffled = (paths: readonly string[], turn: number): readonly string[] =>
    paths.toSorted((one, other) => fnv1a(`${turn}${one}`) - fnv1a(`${turn}${other}`));

  test.each<[what: string, site: Site, paths: readonly string[]]>([
    ['of pages that are counted', (path) => `${pageOf(path)} ${of(path, 'page')}`, grid('page', range(12))],
    [
      'of pages that are counted by another name',
      (path) => `${pageOf(path)} ${of(path, 'leaf')}`,
      grid('leaf', range(12)),
    ],
    [
      'of a list whose end was seen first',
      (path) => `${pageOf(path)} ${Number(of(path, 'leaf') ?? 0) > 4 ? 'no more' : of(path, 'leaf')}`,
      [...grid('leaf', range(12)).toReversed(), ...WORDS.map((word) => `/${word}?leaf=0`)],
    ],
    [
      'where it matters on one page only',
      (path) => (pageOf(path) === '/elm' ? path : pageOf(path)),
      grid('mode', WORDS),
    ],
    [
      'where it matters from the fifth value on',
      (path) => `${pageOf(path)} ${Math.max(4, Number(of(path, 'tier') ?? 0))}`,
      grid('tier', range(12)),
    ],
    [
      'where it matters from the fifth value on, and there is one page',
      (path) => `${pageOf(path)} ${Math.max(4, Number(of(path, 'tier') ?? 0))}`,
      ['/elm', ...range(30).map((tier) => `/elm?tier=${tier}`)],
    ],
    [
      'where only two parameters together matter',
      (path) => (of(path, 'a') !== null && of(path, 'b') !== null ? path : pageOf(path)),
      WORDS.flatMap((word) =>
        ['', '?a=x', '?b=x', '?a=x&b=x', '?a=y', '?b=y', '?a=y&b=y', '?a=x&b=y'].map((query) => `/${word}${query}`),
      ),
    ],
    [
      'of a search, most of which finds nothing',
      (path) => (/oak|elm/.test(of(path, 'find') ?? '') ? path : '/'),
      WORDS.map((word) => `/s?find=${word}`),
    ],
    [
      'of things that are named by a token',
      (path) => path,
      WORDS.flatMap((word) => range(5).map((n) => `/${word}?key=${(0xda39a3ee5e6b + n).toString(16)}`)),
    ],
    [
      'of days, most of which have nothing',
      (path) => (/1[37]$/.test(path) ? path : pageOf(path)),
      range(20, 10).map((day) => `/plan?for=2024-05-${day}`),
    ],
    [
      'of routes that only look like places',
      (path) => path,
      WORDS.flatMap((word) => WORDS.map((name) => `/#/${word}?id=${name}`)),
    ],
  ])('%s', (_what, site, paths) => {
    for (const turn of range(20)) {
      expect(crawl(site, paths).lost).toEqual([]);
      expect([turn, crawl(site, shuffled(paths, turn)).lost]).toEqual([turn, []]);
    }
  });

  test('where a place in a page is a page of its own', () => {
    const paths = WORDS.flatMap((word) => ['', '?tab=a', '?tab=b', '?tab=c'].map((query) => `/#/${word}${query}`));
    expect(
      crawl(
        (path) => path,
        paths,
        () => ['a', 'b', 'c'],
      ).lost,
    ).toEqual([]);
  });
});

describe('what proves wrong', () => {
  const table = (): Table => {
    const made = new Table();
    for (const word of WORDS.slice(0, 4))
      for (const query of ['', '?r=a', '?r=b']) made.learn(`/${word}${query}`, word);
    return made;
  };

  test('is undone, and what was learnt is learnt anew with the parameter as part of the page', () => {
    const made = table();
    expect(learntNames(made.family)).toEqual(['r']);
    made.learn('/oak', 'oak');
    made.learn('/oak?r=a', 'oak');
    expect(made.folds('/oak?r=b')).toBe(true);
    expect(made.learn('/oak?r=c', 'another')).toBe(true);
    expect(made.family).toMatchObject({ version: 2, matters: ['r'], columns: {} });
    expect(made.folds('/oak?r=b')).toBe(false);
  });

  test('is no news where nothing was folded', () => {
    const made = new Table();
    made.learn('/oak', 'oak');
    expect(made.learn('/oak?r=c', 'another')).toBe(false);
  });

  test('is no page that is never the same: of it nothing is learnt', () => {
    const made = table();
    made.learn('/oak', 'oak');
    made.learn('/oak?r=a', 'oak');
    made.learn('/oak?r=a', 'another');
    expect(made.folds('/oak?r=b')).toBe(false);
    expect(made.family.matters).toEqual([]);
  });
});

test('a visit that is made twice teaches nothing new', () => {
  const made = new Table();
  for (let turn = 0; turn < 5; turn += 1) for (const query of ['', '?r=a']) made.learn(`/oak${query}`, 'oak');
  expect(made.family).toMatchObject({ columns: { 'r=a': 1 }, compared: 1 });
});

test('what the user keeps is never folded', () => {
  const made = new Table((name) => name === 'ref');
  for (const path of grid('ref', WORDS)) made.learn(path, pageOf(path));
  expect(made.folds('/oak?ref=new')).toBe(false);
  expect(learntNames(made.family)).toEqual([]);
});
