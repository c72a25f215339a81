import { expect, test } from 'vitest';
import { withoutRequestedTexts } from '../../../../src/core/links/data/requested-data.ts';
import type { FoundLink } from '../../../../src/model/link.ts';

function link(own: Partial<FoundLink>): FoundLink {
  return {
    ...{ href: '/guide.md', base: 'http://a.test/', resolved: null, kind: 'attribute', confidence: 'low' },
    ...{ context: 'body/@data-page', stage: 'load', frame: null, text: '', rel: [] },
    ...own,
  };
}

test.each<[string, FoundLink, boolean]>([
  ['data of the body', link({}), false],
  ['a text of a script', link({ kind: 'script', context: 'literal' }), false],
  ['data of the body that was not requested', link({ href: '/other.md' }), true],
  ['data of an element', link({ context: 'div/@data-card' }), true],
  ['an anchor', link({ kind: 'anchor', context: 'a/@href', confidence: 'high' }), true],
])('%s, where the page requested /guide.md', (_, found, stays) => {
  expect(withoutRequestedTexts([found], ['http://a.test/guide.md'])).toEqual(stays ? [found] : []);
});
