import { describe, expect, test } from 'vitest';
import type { FoundLink } from '../../../src/model/link.ts';
import { TakenLinks } from '../../../src/render/interact/taken-links.ts';

const PAGE = 'http://a.test/';
const BUTTON = { words: 'Export', isDestructive: false };

function link(href: string, base = PAGE): FoundLink {
  return {
    ...{ href, base, resolved: null, kind: 'navigation', confidence: 'high', context: 'download' },
    ...{ stage: 'click', frame: null, text: '', rel: [] },
  };
}

describe('links that an action brought', () => {
  test('a target counts as new once', () => {
    const taken = new TakenLinks([link('/known')]);
    expect(taken.takeIn([link('/known'), link('/new')], BUTTON)).toBe(1);
    expect(taken.takeIn([link('/new')], BUTTON)).toBe(0);
    expect([...taken.yielded]).toEqual(['http://a.test/new']);
  });

  test('long addresses that differ at their end are two, and each comes once', () => {
    const long = `/report?filter=${'x'.repeat(3000)}`;
    const taken = new TakenLinks([link(`${long}1`)]);
    expect(taken.takeIn([link(`${long}1`), link(`${long}2`), link(`${long}2`)], BUTTON)).toBe(1);
    expect(taken.found.map(({ href }) => href)).toEqual([`${long}2`]);
  });

  test('the links of a page come once, whatever address its actions give the page', () => {
    const hrefs = ['/a', 'b', '?c=1', '#d', 'https://other.test/e', '//other.test/f', ''];
    const taken = new TakenLinks(hrefs.map((href) => link(href)));
    const action = { words: 'Cancel order', isDestructive: true };
    expect(
      taken.takeIn(
        hrefs.map((href) => link(href, `${PAGE}#top`)),
        action,
      ),
    ).toBe(0);
    expect(taken.found).toEqual([]);
    // relative ones lead elsewhere from another path
    expect(
      taken.takeIn(
        hrefs.map((href) => link(href, `${PAGE}shop/x?y=/#z`)),
        BUTTON,
      ),
    ).toBe(4);
    expect(taken.found.map(({ href }) => href)).toEqual(['b', '?c=1', '#d', '']);
    expect(taken.takeIn([link('/a', 'http://b.test/')], BUTTON)).toBe(1);
  });

  test.each(['blob:http://a.test/94b16ee5-4d71', 'BLOB:http://a.test/1', 'data:text/csv,id%0A1'])(
    'a file that the page made itself (%s) is kept, and is no reason to go on',
    (href) => {
      const taken = new TakenLinks([]);
      expect(taken.takeIn([link(href)], BUTTON)).toBe(0);
      expect(taken.yielded.size).toBe(0);
      expect(taken.found.map((found) => found.href)).toEqual([href]);
    },
  );
});
