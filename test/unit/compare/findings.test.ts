import { describe, expect, it } from 'vitest';
import { documentOf, prose } from '../../support/audited-site.ts';
import { comparedSites } from '../../support/compared-sites.ts';

const PAGES = { '/': documentOf(prose('The harbour')) };
const OPTIONS = { seeds: ['https://example.org/'] };

function finding(rule: string, id: string): object {
  return {
    ...{ id: id.repeat(16), rule, severity: 'error', confidence: 'high', url: 'https://example.org/', target: null },
    ...{ message: `Something about ${rule}`, evidence: {}, group: rule },
    sources: { count: 1, first: [{ url: 'https://example.org/' }] },
  };
}

describe('findings of audits', () => {
  const [link, title, image] = [
    finding('broken-link', 'a'),
    finding('missing-title', 'b'),
    finding('axe-image-alt', 'c'),
  ];

  it('are new, fixed, or as before, by their ids', async () => {
    const { findings } = await comparedSites(
      { pages: PAGES, findings: [link, title] },
      { pages: PAGES, findings: [title, image] },
    );
    expect(findings.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
      ['new-axe-image-alt', 'error', 'Something about axe-image-alt'],
      ['fixed-broken-link', 'notice', 'Something about broken-link'],
    ]);
  });

  it('are not compared where one crawl was not audited, or checked accessibility alone: a note says so', async () => {
    const without = await comparedSites({ pages: PAGES, findings: [link] }, { pages: PAGES });
    expect(without.findings).toEqual([]);
    expect(without.notes).toEqual(['the crawl of now was not audited: findings are not compared']);
    const checked = await comparedSites(
      { pages: PAGES, findings: [link], crawl: { options: OPTIONS } },
      { pages: PAGES, findings: [link, image], crawl: { options: { ...OPTIONS, audit: true, axe: 'all' } } },
    );
    expect(checked.findings).toEqual([]);
    expect(checked.notes).toEqual([
      'the crawls differ in --axe: not given before, all now; some differences may be of that',
    ]);
  });
});
