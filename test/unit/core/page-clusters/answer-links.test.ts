import { describe, expect, it } from 'vitest';
import { answerData } from '../../../../src/core/page-clusters/answer-leaves.ts';
import {
  linksBy,
  rulesFor,
  answeredSample,
  shownPatterns,
  textBy,
} from '../../../../src/core/page-clusters/answer-links.ts';
import type { FoundLink } from '../../../../src/model/link.ts';
import { anchorOf } from '../../../support/page.ts';

const PAGE = 'http://a.test/p/1';

const link = (href: string, text = '', more: Partial<FoundLink> = {}): FoundLink =>
  anchorOf(href, PAGE, { text, ...more });

const leaves = (...answers: readonly unknown[]) =>
  answerData(answers.map((each) => JSON.stringify(each)))?.leaves ?? [];

/** Links made of a second answer by the rules learnt from a first one and its page. */
function made(first: unknown, links: readonly FoundLink[], second: unknown): readonly string[] {
  const rules = rulesFor(links, answeredSample(leaves(first), links));
  return linksBy(rules, leaves(second), PAGE).map(({ href, text }) => (text === '' ? href : `${href} ${text}`));
}

describe('links of an answer', () => {
  it('are its texts, alone and between others, with the texts beside them', () => {
    const answer = (...names: readonly string[]) => ({
      items: names.map((name) => ({ slug: name, title: `The ${name}` })),
    });
    const links = [link('/shop/red.html', 'The red'), link('/shop/blue.html', 'The blue')];
    expect(made(answer('red', 'blue'), links, answer('green'))).toEqual(['/shop/green.html The green']);
    const whole = [link('/x', 'more'), link('/y', 'more')];
    expect(made({ next: ['/x', '/y'] }, whole, { next: ['/z'] })).toEqual(['/z more']);
  });

  it('may be figures after a sign that says so, and texts that a URL writes otherwise', () => {
    expect(made([{ id: 7 }, { id: 8 }], [link('/p/7'), link('/p/8')], [{ id: 9 }])).toEqual(['/p/9']);
    expect(made([{ id: 7 }, { id: 8 }], [link('/p7'), link('/p8')], [{ id: 9 }])).toEqual([]);
    const tags = [link('/tag/a%20b'), link('/tag/c')];
    expect(made({ tags: ['a b', 'c'] }, tags, { tags: ['d/e'] })).toEqual(['/tag/d%2Fe']);
  });

  it('are none of a field that leads nowhere on the page: none is invented', () => {
    const links = [link('/p/a'), link('/p/b')];
    expect(made({ all: ['a', 'b', 'c'] }, links, { all: ['d'] })).toEqual([]);
    // of two fields with the same value, the field counts whose values are all links
    expect(made({ all: ['a', 'b', 'c'], shown: ['a', 'b'] }, links, { all: ['d', 'e'], shown: ['e'] })).toEqual([
      '/p/e',
    ]);
  });

  it('are none that a page before did not have', () => {
    const [late, early] = [[link('/more/14')], [link('/p/x')]];
    const rules = rulesFor(late, answeredSample(leaves({ id: 14 }), late));
    expect(rules).toHaveLength(1);
    expect(
      rulesFor(late, answeredSample(leaves({ id: 14 }), late), [answeredSample(leaves({ id: 3 }), early)]),
    ).toEqual([]);
  });

  it('are of several lists, several answers and several kinds', () => {
    const links = [
      link('/p/a', 'A'),
      link('/by/x', '', { rel: ['author'] }),
      link('/img/a.png', '', { kind: 'resource', context: 'img/@src' }),
    ];
    const rules = rulesFor(links, answeredSample(leaves({ list: [{ slug: 'a' }] }, { author: 'x' }), links));
    const again = linksBy(rules, leaves({ list: [{ slug: 'b' }, { slug: 'c' }] }, { author: 'y' }), PAGE);
    expect(again.map(({ href, kind, rel }) => `${href} ${kind} ${rel.join()}`)).toEqual([
      '/p/b anchor ',
      '/p/c anchor ',
      '/by/y anchor author',
      '/img/b.png resource ',
      '/img/c.png resource ',
    ]);
  });

  it('are not made of frames, and not of more than may be', () => {
    const framed = [link('/p/a', '', { frame: 'http://a.test/frame' })];
    expect(rulesFor(framed, answeredSample(leaves(['a']), framed))).toEqual([]);
    const many = Array.from({ length: 3000 }, (_, n) => `n${n}`);
    const rules = rulesFor([link('/p/n0')], answeredSample(leaves(['n0']), [link('/p/n0')]));
    expect(linksBy(rules, leaves(many), PAGE)).toHaveLength(2000);
    expect(answerData([JSON.stringify(Array.from({ length: 6000 }, (_, n) => n))])).toBeNull();
    expect(answerData(['['.repeat(50) + ']'.repeat(50)])).toBeNull();
    expect(answerData(['<html>'])).toBeNull();
  });

  it('takes its time with a hostile address and answer', () => {
    const href = '/a'.repeat(5000);
    const answer = Array.from({ length: 4000 }, (_, n) => (n % 2 === 0 ? 'a' : `/a${n}`));
    const before = process.cpuUsage();
    rulesFor(
      Array.from({ length: 500 }, () => link(href)),
      answeredSample(leaves(answer), [link(href)]),
    );
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});

describe('texts of an answer', () => {
  it('are those that stand on each page, in their order', () => {
    const one = leaves({ name: 'Red  shoe', about: 'made of cloth', secret: 'not shown', price: 7 });
    const shown = shownPatterns(one, 'Red shoe\n\nmade of cloth 7', null);
    expect(textBy(shown, leaves({ name: 'Hat', about: 'of felt', secret: 'no', price: 8 }))).toBe('Hat\nof felt');
    const both = shownPatterns(leaves({ name: 'Hat', about: 'of felt', secret: 'there' }), 'Hat, there', shown);
    expect(textBy(both, leaves({ name: 'Hat', about: 'of felt', secret: 'there' }))).toBe('Hat');
  });
});
