import { describe, expect, it } from 'vitest';
import { calendarWords } from '../../../../src/core/fingerprint/calendar-words.ts';
import {
  contentSketch,
  MOST_PICTURES,
  MOST_WORDS,
  saysTheSame,
} from '../../../../src/core/fingerprint/content-sketch.ts';

const words = (lines: readonly string[], url = 'http://a.test/x'): readonly number[] =>
  contentSketch(lines, url, []).words;
const sameWords = (one: readonly string[], other: readonly string[]): boolean =>
  contentSketch(one, 'http://a.test/x', []).fingerprint === contentSketch(other, 'http://a.test/y', []).fingerprint;

describe('the content sketch of a page leaves out', () => {
  it.each([
    ['figures', ['Page 7 of 12'], ['Page 112 of 1300']],
    ['numbers of any length in a word', ['model m7x'], ['model m1234x']],
    ['names that a program numbered', ['ticket 7f3a91c0d2'], ['ticket 00ab44ff9e1']],
    ['English dates', ['Monday, 4 May 2026'], ['Saturday, 28 December 1999']],
    ['German dates', ['Freitag, 4. März'], ['Dienstag, 11. Oktober']],
    ['French dates', ['mardi 3 août'], ['jeudi 14 février']],
    ['Russian dates, as they are bent', ['4 мая 2026'], ['11 декабря 2020']],
    ['Japanese dates', ['2026年11月22日'], ['1999年1月3日']],
    ['the order of lines', ['Kettle', 'Lamp', 'Rug'], ['Rug', 'Kettle', 'Lamp']],
    ['lines that come again', ['Sold out', 'Kettle', 'Sold out'], ['Kettle', 'Sold out']],
    ['case and white space', ['  Sold   OUT '], ['sold out']],
  ])('%s', (_, one, other) => {
    expect(sameWords(one, other)).toBe(true);
  });

  it.each([
    ['its path', ['/find/chair', 'No results for chair'], ['/find/lamp', 'No results for Lamp']],
    ['its query', ['/?q=red&s=xl', 'red, xl'], ['/?q=blue&s=m', 'blue, m']],
    ['what is escaped in it', ['/M%C3%BCller', 'Herr Müller'], ['/Weber', 'Herr Weber']],
  ])('words of %s', (_, [one = '', says = ''], [other = '', answers = '']) => {
    const fingerprint = (path: string, line: string): number =>
      contentSketch([line], `http://a.test${path}`, []).fingerprint;
    expect(fingerprint(one, says)).toBe(fingerprint(other, answers));
  });
});

describe('the content sketch of a page keeps', () => {
  it.each([
    ['one other word', ['There are no events'], ['There are two events']],
    ['which words stand beside each other', ['red wool and blue silk'], ['blue wool and red silk']],
    ['words of Chinese, a character each', ['没有结果'], ['没有活动']],
  ])('%s', (_, one, other) => {
    expect(sameWords(one, other)).toBe(false);
  });

  it('pictures by their address, but for what only keeps it from a cache', () => {
    const pictures = (...urls: readonly string[]): readonly number[] =>
      contentSketch([], 'http://a.test/', urls).pictures;
    expect(pictures('http://a.test/1.png')).not.toEqual(pictures('http://a.test/2.png'));
    expect(pictures('http://a.test/1.png?w=200')).not.toEqual(pictures('http://a.test/1.png?w=400'));
    expect(pictures('http://a.test/1.png?t=1700000000000')).toEqual(pictures('http://a.test/1.png?t=1700000099999'));
  });
});

describe('of much that a page says', () => {
  const long = Array.from(
    { length: 3000 },
    (_, at) => `word${String.fromCodePoint(97 + (at % 26))}${'abcdefghij'.charAt(at % 10)}x${'qrstuvw'.charAt(at % 7)}`,
  );

  it('some is kept, and the same of a page that says all of it and more', () => {
    const some = words(long.slice(0, 900));
    const more = new Set(words(long));
    expect(some.length).toBeLessThanOrEqual(MOST_WORDS);
    expect(some.length).toBeGreaterThan(MOST_WORDS / 4);
    expect([...more].every((word) => word < 2 ** 32)).toBe(true);
    const rare = some.filter((word) => Math.clz32(word) >= Math.min(...[...more].map((each) => Math.clz32(each))));
    expect(rare.filter((word) => !more.has(word)).length).toBeLessThan(rare.length / 2);
  });

  it('pictures are bounded as well', () => {
    const urls = Array.from({ length: 500 }, (_, at) => `http://a.test/${at}.png`);
    expect(contentSketch([], 'http://a.test/', urls).pictures.length).toBeLessThanOrEqual(MOST_PICTURES);
  });
});

describe('two pages say the same', () => {
  const sketch = (...lines: readonly string[]) => contentSketch(lines, 'http://a.test/x', []);
  it('when most of all that they say is said by both', () => {
    expect(saysTheSame(sketch('Nothing is planned', 'Home'), sketch('Home', 'Nothing is planned'))).toBe(true);
    expect(saysTheSame(sketch('Item'), sketch('Item not found'))).toBe(false);
    expect(saysTheSame(sketch('Part', 'Price', 'Zinc bolt'), sketch('No such part'))).toBe(false);
  });
  it('when one says most of what the other does, and names some things beside it', () => {
    const nothing = 'Nothing was found. Perhaps you like one of these';
    expect(saysTheSame(sketch(nothing, 'red chairs', 'old lamps'), sketch(nothing, 'soup', 'bread and jam'))).toBe(
      true,
    );
    expect(saysTheSame(sketch(nothing), sketch('All of our chairs are made of oak by hand', 'red chairs'))).toBe(false);
  });
  it('when neither has anything of its own', () => {
    expect(saysTheSame(sketch(), sketch())).toBe(true);
    expect(saysTheSame(sketch(), sketch('Something'))).toBe(false);
  });
});

it('months and days are known in many languages, and no words of two letters', () => {
  const known = calendarWords();
  for (const word of [
    'november',
    'thursday',
    'sept',
    'mittwoch',
    'août',
    'lunes',
    'stycznia',
    'σεπτεμβρίου',
    'вторник',
  ]) {
    expect(known, word).toContain(word);
  }
  expect([...known].filter((word) => word.length < 3)).toEqual([]);
});
