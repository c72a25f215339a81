import { describe, expect, test } from 'vitest';
import type { FoundLink } from '../../../src/model/link.ts';
import { TakenLinks } from '../../../src/render/interact/taken-links.ts';

const PAGE = 'http://a.test/';
const BUTTON = { words: 'Export', isDestructive: false };

function link(href: string): FoundLink {
  return {
    ...{ href, base: PAGE, resolved: null, kind: 'navigation', confidence: 'high', context: 'download' },
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
