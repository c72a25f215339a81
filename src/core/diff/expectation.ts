/** The expected result of a crawl, and its differences from a finished crawl (docs/regression.md, "A site as a test"). */
import type { LinkKind } from '../../model/link-kinds.ts';
import type { RuleInfo } from '../../model/finding.ts';
import type { LinkRecord, PageRecord, RecordOutcome, SkippedRecord, SkipReason } from '../../model/record.ts';
import { PICTURE_RULE, type ExpectedPictures } from './expected-pictures.ts';
import { differenceRule, type DifferenceRule } from './facet.ts';

/** expected.json. Keys of pages are addresses: `/path` on the first host, `name:/path` on a named one, or whole URLs. */
export interface Expected {
  /** For editors; has no effect. */
  readonly $schema?: string | undefined;
  /** Flags of `crawl` by their names; true for a switch, a list for one that is given several times. */
  readonly options: Readonly<Record<string, string | true | readonly string[]>>;
  /** All lines of pages.jsonl. */
  readonly pages: Readonly<Record<string, ExpectedPage>>;
  /** Must be in skipped.jsonl; others may be, too. */
  readonly skipped: Readonly<Record<string, { readonly reason: SkipReason }>>;
  /** Must be in links.jsonl; others may be, too. */
  readonly links: readonly { readonly from: string; readonly to: string; readonly kind: LinkKind }[];
  /** All findings of an audit, an entry for each, so that equal entries count; nothing is audited where this is left out. */
  readonly findings?: readonly { readonly rule: string; readonly page: string }[] | undefined;
  /** Pictures of all captured pages; none are taken where this is left out. */
  readonly screenshots?: ExpectedPictures | undefined;
  /** Exit code of the crawl. */
  readonly exit: number;
}

interface ExpectedPage {
  /** Any of several will do. */
  readonly outcome: RecordOutcome | readonly RecordOutcome[];
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly redirect?: string | undefined;
}

/** The result of a crawl. */
export interface FoundSite {
  readonly pages: readonly Pick<
    PageRecord,
    'url' | 'finalUrl' | 'outcome' | 'status' | 'title' | 'detail' | 'referrer'
  >[];
  readonly skipped: readonly Pick<SkippedRecord, 'url' | 'reason'>[];
  readonly links: readonly Pick<LinkRecord, 'from' | 'to' | 'kind'>[];
  /** Null where it was not audited. */
  readonly findings: readonly { readonly rule: string; readonly url: string; readonly message: string }[] | null;
}

const RULES: Readonly<Record<'page' | 'skip' | 'link' | 'finding', DifferenceRule>> = {
  page: differenceRule({
    id: 'unexpected-page',
    severity: 'error',
    category: 'site',
    about: 'page',
    title: 'Page that is missing, is another, or is not expected',
    why: 'expected.json names all pages.',
    fix: 'Mend the site; if it is as it should be, run with --update and review expected.json.',
  }),
  skip: differenceRule({
    id: 'unexpected-skip',
    severity: 'error',
    category: 'site',
    about: 'page',
    title: 'Address that was to be skipped',
    why: 'expected.json names it, with the reason.',
  }),
  link: differenceRule({
    id: 'missing-link',
    severity: 'error',
    category: 'links',
    about: 'page',
    title: 'Link that was not found',
    why: 'expected.json names it.',
  }),
  finding: differenceRule({
    id: 'unexpected-finding',
    severity: 'error',
    category: 'site',
    about: 'page',
    title: 'Finding that is missing, or is not expected',
    why: 'expected.json names all findings of the audit.',
  }),
};

export const EXPECTATION_RULES: readonly RuleInfo[] = [...Object.values(RULES), PICTURE_RULE];

interface Unexpected {
  readonly rule: DifferenceRule;
  readonly url: string;
  readonly message: string;
}

/** @param urlOf the URL of a key of expected.json */
export function* unexpected(
  found: FoundSite,
  expected: Expected,
  urlOf: (key: string) => string,
): Generator<Unexpected> {
  yield* pageDifferences(found, expected, urlOf);
  yield* skipDifferences(found, expected, urlOf);
  yield* linkDifferences(found, expected, urlOf);
  if (found.findings !== null && expected.findings !== undefined)
    yield* findingDifferences(found.findings, expected.findings, urlOf);
}

function* pageDifferences(found: FoundSite, expected: Expected, urlOf: (key: string) => string): Generator<Unexpected> {
  const pages = new Map<string, FoundSite['pages'][number]>();
  for (const page of found.pages) {
    if (pages.has(page.url)) yield { rule: RULES.page, url: page.url, message: `recorded twice: ${page.url}` };
    pages.set(page.url, page);
  }
  for (const [key, wanted] of Object.entries(expected.pages)) {
    const url = urlOf(key);
    const page = pages.get(url);
    pages.delete(url);
    for (const message of page === undefined ? [`missing page: ${key}`] : pageFaults(key, page, wanted, urlOf))
      yield { rule: RULES.page, url, message };
  }
  for (const { url, outcome, referrer } of pages.values())
    yield { rule: RULES.page, url, message: `invented page: ${url} (${outcome}, from ${referrer ?? 'nowhere'})` };
}

function* pageFaults(
  key: string,
  { outcome, detail, status, title, finalUrl }: FoundSite['pages'][number],
  wanted: ExpectedPage,
  urlOf: (key: string) => string,
): Generator<string> {
  const outcomes = [wanted.outcome].flat();
  if (!outcomes.includes(outcome)) {
    const why = detail === null ? '' : ` (${detail})`;
    yield `wrong outcome of ${key}: ${outcome}${why} instead of ${outcomes.join(' or ')}`;
  }
  if (wanted.status !== undefined && status !== wanted.status)
    yield `wrong status of ${key}: ${status} instead of ${wanted.status}`;
  if (wanted.title !== undefined && title !== wanted.title)
    yield `wrong title of ${key}: ${JSON.stringify(title)} instead of ${JSON.stringify(wanted.title)}`;
  if (wanted.redirect !== undefined && finalUrl !== urlOf(wanted.redirect))
    yield `wrong redirect of ${key}: to ${finalUrl} instead of ${wanted.redirect}`;
}

function* skipDifferences(found: FoundSite, expected: Expected, urlOf: (key: string) => string): Generator<Unexpected> {
  const reasons = new Map(found.skipped.map(({ url, reason }) => [url, reason]));
  for (const [key, { reason }] of Object.entries(expected.skipped)) {
    const url = urlOf(key);
    const given = reasons.get(url);
    if (given === undefined) yield { rule: RULES.skip, url, message: `missing skipped: ${key} (${reason})` };
    else if (given !== reason)
      yield { rule: RULES.skip, url, message: `wrong reason for skipping ${key}: ${given} instead of ${reason}` };
  }
  const visited = new Set(found.pages.map(({ url }) => url));
  for (const url of reasons.keys())
    if (visited.has(url)) yield { rule: RULES.skip, url, message: `both visited and skipped: ${url}` };
}

function* linkDifferences(
  { links }: FoundSite,
  expected: Expected,
  urlOf: (key: string) => string,
): Generator<Unexpected> {
  if (expected.links.length === 0) return;
  const known = new Set(links.map(({ from, to, kind }) => JSON.stringify([from, to, kind])));
  for (const { from, to, kind } of expected.links) {
    if (!known.has(JSON.stringify([urlOf(from), urlOf(to), kind])))
      yield { rule: RULES.link, url: urlOf(from), message: `missing link: ${from} → ${to} (${kind})` };
  }
}

function* findingDifferences(
  found: NonNullable<FoundSite['findings']>,
  expected: NonNullable<Expected['findings']>,
  urlOf: (key: string) => string,
): Generator<Unexpected> {
  const left = new Map<string, (typeof found)[number][]>();
  for (const finding of found) {
    const alike = left.get(`${finding.rule} ${finding.url}`);
    if (alike === undefined) left.set(`${finding.rule} ${finding.url}`, [finding]);
    else alike.push(finding);
  }
  for (const { rule, page } of expected) {
    const url = urlOf(page);
    if (left.get(`${rule} ${url}`)?.shift() === undefined)
      yield { rule: RULES.finding, url, message: `missing finding: ${rule} on ${page}` };
  }
  for (const { rule, url, message } of [...left.values()].flat())
    yield { rule: RULES.finding, url, message: `a finding that is not expected: ${rule} on ${url}: ${message}` };
}

/**
 * The result of a crawl in the form of expected.json: options stay; links are the expected ones that were found.
 * @param keyOf the key of a URL
 */
export function expectationOf(
  found: FoundSite,
  before: Pick<Expected, 'options' | 'links' | 'findings' | 'screenshots' | '$schema'>,
  exit: number,
  { keyOf, urlOf }: { readonly keyOf: (url: string) => string; readonly urlOf: (key: string) => string },
): Expected {
  const known = new Set(found.links.map(({ from, to, kind }) => JSON.stringify([from, to, kind])));
  const byKey = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> =>
    Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return {
    ...(before.$schema === undefined ? {} : { $schema: before.$schema }),
    options: before.options,
    pages: byKey(found.pages.map((page) => [keyOf(page.url), expectedPage(page, keyOf)] as const)),
    skipped: byKey(
      found.skipped.flatMap(({ url, reason }) => (reason === 'probe' ? [] : [[keyOf(url), { reason }] as const])),
    ),
    links: before.links.filter(({ from, to, kind }) => known.has(JSON.stringify([urlOf(from), urlOf(to), kind]))),
    ...(found.findings === null || before.findings === undefined
      ? {}
      : { findings: found.findings.map(({ rule, url }) => ({ rule, page: keyOf(url) })) }),
    ...(before.screenshots === undefined ? {} : { screenshots: before.screenshots }),
    exit,
  };
}

function expectedPage(
  { url, outcome, status, title, finalUrl }: FoundSite['pages'][number],
  keyOf: (url: string) => string,
): ExpectedPage {
  return {
    outcome,
    ...(status === null ? {} : { status }),
    ...(outcome === 'captured' && title !== null && title !== '' ? { title } : {}),
    ...(outcome === 'redirected' && finalUrl !== url ? { redirect: keyOf(finalUrl) } : {}),
  };
}
