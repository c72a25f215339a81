import { expect, it } from 'vitest';
import { packLinks, unpackLinks } from '../../../../src/fetch/static/packed-links.ts';
import type { FoundLink } from '../../../../src/model/link.ts';
import { anchorOf } from '../../../support/page.ts';

const link = (href: string, more: Partial<FoundLink> = {}): FoundLink => anchorOf(href, 'https://a.test/guide', more);

it('comes out as it went in, also as the clone that another thread gets', () => {
  const links = [
    link('/a', { text: 'A' }),
    link('/b', { rel: ['nofollow'] }),
    link('/c', { rel: ['nofollow', 'next'] }),
    link('/d'),
    link('#e', { confidence: 'low', isRoute: true }),
    link('/f', { resolved: 'https://a.test/f?%E4', frame: 'https://a.test/frame', text: '\ud800 \n' }),
    link('/g', { kind: 'resource', context: 'img/@src' }),
    link('/h'),
  ];
  const packed = packLinks(links);
  expect(packed.commons).toHaveLength(6);
  const back = unpackLinks(structuredClone(packed));
  expect(back).toEqual(links);
  expect(JSON.stringify(back.slice(0, 4))).toBe(JSON.stringify(links.slice(0, 4)));
  expect(unpackLinks(packLinks([]))).toEqual([]);
});
