import { describe, expect, it } from 'vitest';
import { createKnownUrls, groupUrls, type DiscoveredUrl } from '../../../src/frontier/url-groups.ts';
import type { Candidate } from '../../../src/model/candidate.ts';
import { canonicalUrl } from '../../../src/model/url/canonical-url.ts';

const url = (text: string): Candidate['url'] => canonicalUrl(text) ?? expect.fail(text);
const candidate = (text: string, more: Partial<Candidate> = {}): Candidate => ({
  url: url(text),
  depth: 1,
  redirects: 0,
  hops: 0,
  referrer: url('https://example.org/'),
  kind: 'anchor',
  confidence: 'high',
  ...more,
});

const mixed: readonly DiscoveredUrl[] = [
  candidate('https://example.org/a/1'),
  candidate('https://example.org/b/2', { depth: 2 }),
  candidate('https://other.example/a/1'),
  candidate('https://example.org/a/2'),
  candidate('https://example.org/a/3', { confidence: 'low' }),
  candidate('https://example.org/a/4', { kind: 'form' }),
  candidate('https://example.org/a/5', { hops: 1 }),
  candidate('https://example.org/a/6', { redirects: 1 }),
  candidate('https://example.org/a/7', { referrer: null }),
  { url: 'mailto:a@example.org', reason: 'unsupported-scheme', rule: 'scheme mailto:', referrer: null },
  candidate('https://example.org/b/8', { depth: 2 }),
  candidate('https://example.org/a/9'),
  candidate(`https://example.org/${'long/'.repeat(100)}`),
];

describe('groupUrls', () => {
  it('makes the same of URLs that it remembers', () => {
    const known = createKnownUrls();
    const first = groupUrls(mixed, known);
    expect(first).toEqual(groupUrls(mixed));
    expect(groupUrls(mixed, known)).toEqual(first);
    expect(groupUrls([...mixed].reverse(), known)).toEqual(groupUrls([...mixed].reverse()));
  });

  it('groups what comes in the same way, in the order of its first URL', () => {
    const { order } = groupUrls(mixed);
    expect(order.map((each) => mixed.indexOf(each))).toEqual([0, 3, 11, 12, 1, 10, 2, 4, 5, 6, 7, 8, 9]);
  });

  it('begins another group where one is full', () => {
    const many = Array.from({ length: 501 }, (_, index) => candidate(`https://example.org/${index}`));
    const { fields, order } = groupUrls(many);
    const heads = fields.flatMap((field, index) => (field === 'https://example.org' ? [fields[index + 8]] : []));
    expect(heads).toEqual(['250', '250', '1']);
    expect(order).toEqual(many);
  });
});
