/** The differences from an expected.json in the form of an audit, so that all reporters report them. */
import type { PictureVerdict } from './expected-pictures.ts';
import { unexpectedIn } from './expected-site.ts';
import { EXPECTATION_RULES, type Expected, type FoundSite } from '../core/diff/expectation.ts';
import { FindingBook } from '../core/findings/finding-book.ts';
import { originOf, SiteAddresses } from '../core/findings/site-address.ts';
import type { AuditResult } from '../model/finding.ts';

interface TestedSite {
  readonly found: FoundSite;
  readonly expected: Expected;
  /** Exit code of the crawl. */
  readonly code: number;
  readonly site: { readonly url: string; readonly origins: ReadonlyMap<string, string> };
  /** Path of expected.json. */
  readonly path: string;
  readonly folder: string;
  /** Null where no pictures are expected. */
  readonly pictures: PictureVerdict | null;
}

export function expectationResult({ found, expected, code, site, path, folder, pictures }: TestedSite): AuditResult {
  const book = new FindingBook(new SiteAddresses([originOf(site.url) ?? site.url]));
  const wrong = new Set<string>();
  for (const { rule, url, message } of unexpectedIn(found, expected, site.origins)) {
    wrong.add(url);
    book.add(rule, { url, message, thing: message });
  }
  for (const { rule, ...seen } of pictures?.unexpected ?? []) {
    for (const { url } of seen.sources?.first ?? [seen]) wrong.add(url);
    book.add(rule, seen);
  }
  const [rule] = EXPECTATION_RULES;
  if (code !== expected.exit && rule !== undefined) {
    const message = `the crawl ended with exit code ${code} instead of ${expected.exit}`;
    book.add({ ...rule, about: 'page' }, { url: site.url, message, thing: message });
  }
  const [before, now] = [Object.keys(expected.pages).length, found.pages.length];
  return {
    folder,
    seeds: [site.url],
    started: new Date().toISOString(),
    against: { folder: path, kind: 'expectation', seeds: [site.url], started: '' },
    coverage: {
      ...{ expected: before, seen: now, judged: before, notJudged: {}, notJudgedPages: [], limits: [] },
      compared: { before, now, both: Math.min(before, now), changed: wrong.size, isExpectation: true },
    },
    findings: book.findings(),
    rules: EXPECTATION_RULES,
    pages: [],
    notes: [...(pictures?.notes ?? []), ...book.notes()],
    ...(pictures === null || pictures.changes.length === 0 ? {} : { pictures: pictures.changes }),
  };
}
