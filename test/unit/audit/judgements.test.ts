/** Judgements of single rules where the standard, or what search engines and browsers do, decides. */
import { describe, expect, it } from 'vitest';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import { documentOf, prose, storeSite, type AuditedSiteParts } from '../../support/audited-site.ts';

const NAV = '<a href="/">Start</a> <a href="/about">About</a>';
const page = (title: string, head = '', body = ''): string =>
  documentOf(`${NAV}${prose(title)}${body}`, { title, head });
const about = page('About the town');

/** The findings of one rule: address of the page and target, both without the origin. */
async function found(rule: string, parts: AuditedSiteParts): Promise<readonly string[]> {
  await using site = await storeSite(parts);
  const { findings, coverage } = await auditCrawl(site.folder, { only: [rule] });
  expect(coverage.judged).toBeGreaterThan(0);
  return findings
    .map(({ url, target }) =>
      [url, target ?? '']
        .map((each) => each.replace('https://example.org', ''))
        .join(' ')
        .trim(),
    )
    .toSorted();
}

async function messages(rule: string, parts: AuditedSiteParts): Promise<readonly string[]> {
  await using site = await storeSite(parts);
  return (await auditCrawl(site.folder, { only: [rule] })).findings.map(({ message }) => message);
}

describe('a redirect', () => {
  const linked = page('The harbour', '', '<a href="/a">a</a>');

  it('to its own address is a circle', async () => {
    const pages = { '/': linked, '/about': about, '/a': { redirect: '/a' } };
    expect(await found('redirect-loop', { pages })).toEqual(['/ /a']);
    expect(await messages('sitemap-entry-failed', { pages, sitemap: ['/', '/a'] })).toEqual([
      'The sitemap names /a, which is redirected in a circle',
    ]);
  });

  it('is counted in a chain that ends at a page that was not visited', async () => {
    const pages = {
      '/': linked,
      '/about': about,
      '/a': { redirect: '/b' },
      '/b': { redirect: 'https://other.example/' },
    };
    expect(await messages('redirect-chain', { pages })).toEqual([
      'Link to /a, which is redirected 2 times before https://other.example/',
    ]);
    expect(
      await found('redirect-chain', { pages: { ...pages, '/a': { redirect: 'https://other.example/' } } }),
    ).toEqual([]);
  });
});

describe('a request by http', () => {

  it.each([
    ['img/@src', 'warning'],
    ['img/@srcset', 'error'],
    ['source/@srcset', 'error'],
    ['video/@poster', 'warning'],
  ])('for %s is a finding of severity %s', async (context, severity) => {
    await using site = await storeSite({
      pages: { '/': page('The harbour') },
      links: [{ from: '/', to: 'http://cdn.example/x.png', kind: 'resource', context }],
    });
    const { findings } = await auditCrawl(site.folder, { only: ['mixed-content'] });
    expect(findings.map((finding) => finding.severity)).toEqual([severity]);
  });
});
