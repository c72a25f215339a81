import { expect, test } from 'vitest';
import { asHeldRequest } from '../../../../src/core/interaction/held-links.ts';
import type { LinkKind } from '../../../../src/model/link-kinds.ts';
import type { FoundLink } from '../../../../src/model/link.ts';

const link = (kind: LinkKind, href: string, text = ''): FoundLink => ({
  ...{ href, base: 'http://a.test/', resolved: null, kind, confidence: 'high', context: 'c' },
  ...{ stage: 'click', frame: null, text, rel: [] },
});

test.each(['history', 'navigation', 'window-open', 'click', 'form'] as const)(
  'what a script did by way of %s is a request that was held',
  (kind) => expect(asHeldRequest(link(kind, '/x'))).toMatchObject({ kind: 'request', context: 'c (held)', href: '/x' }),
);

test.each([
  ['/items/3/delete', ''],
  ['/x', 'Yes, delete it'],
  ['/x', 'Place order'],
  ['/logout', ''],
  ['/x', 'Confirm'],
])('the anchor %s %s, which promises harm, is no link that is followed', (href, text) =>
  expect(asHeldRequest(link('anchor', href, text)).kind).toBe('request'),
);

test.each([
  ['anchor', '/terms', 'Terms'],
  ['anchor', '/order-history', 'Order history'],
  ['frame', '/help', ''],
  ['request', '/delete', ''],
  ['resource', '/delete.png', ''],
] as const)('the %s %s stays what it is', (kind, href, text) => {
  const found = link(kind, href, text);
  expect(asHeldRequest(found)).toBe(found);
});
