import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approveCrawl } from '../../../src/compare/approve-crawl.ts';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { documentOf, prose } from '../../support/audited-site.ts';
import { comparedSites, storeComparedSite, toldBy } from '../../support/compared-sites.ts';

const PAGES = { '/': documentOf(prose('The harbour')) };
const OPTIONS = { seeds: ['https://example.org/'] };

function finding(rule: string, id: string): object {
  return {
    ...{ id: id.repeat(16), rule, severity: 'error', confidence: 'high', url: 'https://example.org/', target: null },
    ...{ message: `Something about ${rule}`, evidence: {}, group: rule },
    sources: { count: 1, first: [{ url: 'https://example.org/' }] },
  };
}

const WHOLE = { state: 'finished', end: 'all-visited' };
const GONE = 'https://other.example/gone';

/** A line of external.jsonl. */
function askedFor(verdict: string): string {
  const looked = { status: null, chain: [GONE], permanent: false, looks: [], detail: null };
  return `${JSON.stringify({ url: GONE, verdict, ...looked })}\n`;
}

interface SecondAudit {
  /** Null where it asked for no links to other sites. */
  readonly verdict: string | null;
  readonly crawl?: Readonly<Record<string, unknown>>;
  /** The first one is compared as a baseline. */
  readonly approved?: true;
}

/** What is told where a broken link to another site and an orphan page were found, and nothing now. */
async function toldOfNothing({ verdict, crawl = {}, approved }: SecondAudit): Promise<readonly string[]> {
  const broken = { ...finding('broken-external-link', 'd'), target: GONE, message: `Link to ${GONE}, which answers` };
  const findings = [broken, finding('orphan-page', 'e')];
  await using old = await storeComparedSite({ pages: PAGES, findings, crawl: WHOLE });
  await writeFile(join(old.folder, 'external.jsonl'), askedFor('broken'));
  await using now = await storeComparedSite({ pages: PAGES, findings: [], crawl: { ...WHOLE, ...crawl } });
  if (verdict !== null) await writeFile(join(now.folder, 'external.jsonl'), askedFor(verdict));
  const baseline = join(old.base, 'baseline');
  if (approved === true) await approveCrawl(old.folder, baseline);
  const { findings: told } = await diffCrawls(approved === true ? baseline : old.folder, now.folder);
  return told.map(({ rule }) => rule).toSorted();
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

  it('of axe-core have the words of the crawl that was checked, before or now', async () => {
    const [label, help] = ['Images must have alternative text', 'https://dequeuniversity.com/rules/axe/4.14/image-alt'];
    const rule = { id: 'image-alt', help: label, description: 'Ensure images have text', helpUrl: help, tags: [] };
    await using plain = await storeComparedSite({ pages: PAGES, findings: [] });
    await using faulty = await storeComparedSite({ pages: PAGES, findings: [image] });
    await writeFile(join(faulty.folder, 'axe.json'), JSON.stringify({ version: '4', pages: 'all', rules: [rule] }));
    const wordsOf = async (old: string, now: string): Promise<readonly unknown[]> => {
      const { rules } = await diffCrawls(old, now);
      return rules.filter(({ id }) => id.includes('-axe-')).map(({ id, title, source }) => [id, title, source.url]);
    };
    expect(await wordsOf(plain.folder, faulty.folder)).toEqual([['new-axe-image-alt', `New: ${label}`, help]]);
    expect(await wordsOf(faulty.folder, plain.folder)).toEqual([['fixed-axe-image-alt', `Fixed: ${label}`, help]]);
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

  it.each([
    ['all of both', { verdict: 'ok' }, ['fixed-broken-external-link', 'fixed-orphan-page']],
    ['a link whose check shows nothing', { verdict: 'blocked' }, ['fixed-orphan-page']],
    ['the same against a baseline', { verdict: 'unsure', approved: true }, ['fixed-orphan-page']],
    ['all against a baseline', { verdict: 'ok', approved: true }, ['fixed-broken-external-link', 'fixed-orphan-page']],
    ['links that were not asked for', { verdict: null }, ['fixed-orphan-page']],
    ['half a crawl', { verdict: 'ok', crawl: { end: 'page-limit' } }, ['fixed-broken-external-link']],
  ] satisfies readonly (readonly [string, SecondAudit, readonly string[]])[])(
    'are fixed only where both audits looked for them: %s',
    async (_name, audit, rules) => {
      expect(await toldOfNothing(audit)).toEqual(rules);
    },
  );

  it.each([
    ['a crawl', false],
    ['a baseline', true],
  ])('on a link are not fixed where its target fails otherwise now: against %s', async (_name, approved) => {
    const of = (id: string, rule: string, path: string, status: number): object => ({
      ...finding(rule, id),
      ...{ target: `https://example.org${path}`, message: `Link to ${path}, which answers with status ${status}` },
    });
    const [failed, worked] = [of('a', 'link-target-failed', '/a', 500), of('b', 'link-target-failed', '/b', 500)];
    await using old = await storeComparedSite({ pages: PAGES, findings: [failed, worked], crawl: WHOLE });
    const gone = of('c', 'broken-link', '/a', 404);
    await using now = await storeComparedSite({ pages: PAGES, findings: [gone], crawl: WHOLE });
    const baseline = join(old.base, 'baseline');
    if (approved) await approveCrawl(old.folder, baseline);
    expect(toldBy(await diffCrawls(approved ? baseline : old.folder, now.folder))).toEqual([
      'new-broken-link: Link to /a, which answers with status 404',
      'fixed-link-target-failed: Link to /b, which answers with status 500',
    ]);
  });

  it('of addresses that redirected and fail now are not fixed', async () => {
    const of = (id: string, rule: string, way: string): object => ({
      ...{ ...finding(rule, id), target: 'https://example.org/old' },
      message: `The sitemap names /old, which ${way}`,
    });
    const before = [of('a', 'sitemap-entry-redirects', 'redirects to /b'), of('b', 'redirect-chain', 'redirects')];
    const failing = [of('c', 'sitemap-entry-failed', 'is gone'), of('d', 'broken-link', 'is gone')];
    const { findings } = await comparedSites({ pages: PAGES, findings: before }, { pages: PAGES, findings: failing });
    expect(findings.map(({ rule }) => rule)).toEqual(['new-broken-link', 'new-sitemap-entry-failed']);
    const mended = await comparedSites({ pages: PAGES, findings: failing }, { pages: PAGES, findings: before });
    expect(mended.findings.map(({ rule }) => rule)).toContain('fixed-broken-link');
  });

  it('that went with the only pages that had them are not fixed: a note counts them', async () => {
    const on = (id: string, ...paths: readonly string[]): object => {
      const first = paths.map((path) => ({ url: `https://example.org${path}` }));
      return { ...finding('missing-title', id), url: first[0]?.url, sources: { count: first.length, first } };
    };
    const pages = { ...PAGES, '/two': documentOf(prose('The market')), '/three': documentOf(prose('The town')) };
    const result = await comparedSites(
      { pages, findings: [on('a', '/two'), on('b', '/two', '/three'), on('c', '/two', '/')] },
      { pages: { ...PAGES, '/two': {}, '/three': {} }, findings: [] },
    );
    expect(result.findings.map(({ rule }) => rule)).toEqual(['removed-page', 'removed-page', 'fixed-missing-title']);
    expect(result.notes).toEqual(['2 findings of before went with their removed pages, and are not called fixed']);
  });

  it('on pages that the crawl of before did not see, or that failed there, are not new: a note counts them', async () => {
    const on = (id: string, ...paths: readonly string[]): object => {
      const first = paths.map((path) => ({ url: `https://example.org${path}` }));
      return { ...finding('missing-title', id), url: first[0]?.url, sources: { count: first.length, first } };
    };
    const more = (path: string): string => documentOf(prose(`The market ${path}`));
    const skip = { url: 'https://example.org/two', reason: 'depth', rule: '', referrer: null } as const;
    const result = await comparedSites(
      { pages: { ...PAGES, '/three': { status: 503 }, '/four': { status: 404 } }, skipped: [skip], findings: [] },
      {
        pages: { ...PAGES, '/two': more('two'), '/three': more('three'), '/four': more('four') },
        findings: [on('a', '/two'), on('b', '/two', '/three'), on('c', '/two', '/'), on('d', '/four')],
      },
    );
    const told = result.findings.map(({ rule, url }) => `${rule} ${new URL(url).pathname}`);
    expect(told).toEqual([
      'new-missing-title /two',
      'new-missing-title /four',
      'changed-status /four',
      'changed-status /three',
    ]);
    expect(result.notes).toEqual([
      '2 findings of now are on pages that the crawl of before did not see, and are not called new',
      'before: the crawl did not see the whole site (it held pages back)',
    ]);
  });

  it('on links to other sites are not new where nobody asked for them before: a note says so', async () => {
    await using old = await storeComparedSite({ pages: PAGES, findings: [] });
    await using now = await storeComparedSite({ pages: PAGES, findings: [finding('broken-external-link', 'd')] });
    await writeFile(join(now.folder, 'external.jsonl'), askedFor('broken'));
    const { findings, notes } = await diffCrawls(old.folder, now.folder);
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      'the crawls differ in links to other sites: not asked before, asked now; some differences may be of that',
    ]);
  });
});
