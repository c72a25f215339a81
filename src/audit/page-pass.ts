/** Reads all pages of a crawl, one after the other: judges them, applies the rules of pages, and keeps their facts. */
import { CrawlError } from '../base/errors.ts';
import type { FindingBook } from '../core/findings/finding-book.ts';
import { secretParameter } from '../core/audit-rules/secret-parameter.ts';
import { pageVerdict } from '../core/page-verdict/page-verdict.ts';
import { actingRule } from '../core/sign-in/acting-link.ts';
import { signOutRule } from '../core/sign-in/sign-out-link.ts';
import type { StoredDetails } from '../crawl-folder/stored-details.ts';
import type { HeadReference, PageFacts, PageSummary, PlacedLink } from '../model/audit-facts.ts';
import type { PageRule } from '../model/audit-rule.ts';
import type { AuditedPage } from '../model/finding.ts';
import { declaredTypeOf } from '../model/media-type.ts';
import { DETAILED_HEADER_LENGTH, type PageDetails } from '../model/page-details.ts';
import type { MeasuredPage } from '../model/paint.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';
import type { AxeCount } from './axe-count.ts';
import { isNamed } from './coverage.ts';
import { inPageOrder, isCopy, type AuditRecord } from './crawl-records.ts';
import { FragmentBook } from './fragment-book.ts';
import { InventoryBook } from './inventory-book.ts';
import type { PageNames } from './page-names.ts';
import { isExternal } from './link-book.ts';
import { pageAccessibility } from './page-accessibility.ts';
import { hasUpgrade } from './page-policies.ts';
import { charsetIn, encodingLabel, readDocument, type ReadDocument } from './read-document.ts';
import { applyRule, type RuleFaults } from './rule-faults.ts';
import type { AuditedSite } from './site-origins.ts';
import { storedDocument } from './stored-document.ts';

interface PagePassNeeds {
  readonly folder: string;
  readonly records: ReadonlyMap<string, AuditRecord>;
  readonly site: AuditedSite;
  readonly names: PageNames;
  readonly policy: UrlPolicy;
  readonly rules: readonly PageRule[];
  readonly signedIn: boolean;
  /** Is a page with the mark of `--signed-in` signed in for sure? */
  readonly marksProve: boolean;
  /** Null where the crawl recorded none. */
  readonly details: StoredDetails | null;
  /** Does the URL lead to a folder that was served for the crawl? */
  readonly isServed: (url: string) => boolean;
  /** Measured pages by URL. */
  readonly measured: ReadonlyMap<string, MeasuredPage>;
  /** Counts the checks of axe-core; null where the crawl did not ask it. */
  readonly axe: AxeCount | null;
  readonly book: FindingBook;
  readonly faults: RuleFaults;
}

/** The facts of a page that its record has. */
type KnownFacts = Omit<
  PageSummary,
  'title' | 'description' | 'hasScripts' | 'canonicals' | 'alternates' | 'confirmed' | 'upgradesRequests'
>;

/** Verdicts on pages whose markup is not that of the page they stand for. */
const WALLS: ReadonlySet<unknown> = new Set(['challenge', 'consent-wall', 'error-page', 'soft-404', 'not-stored']);

export class PagePass {
  /** Summaries of captured pages, in the order of findings. */
  readonly summaries: Map<string, PageSummary> = new Map();
  /** Audited pages, failed ones too. */
  readonly audited: AuditedPage[] = [];
  readonly fragments: FragmentBook = new FragmentBook();
  readonly notes: string[] = [];
  readonly inventory: InventoryBook = new InventoryBook();
  /** URLs that only a guess named, and that are no page: they do not count as parts of the site. */
  readonly unnamed: Set<string> = new Set();
  /** Places of the first links to failed URLs, by `from to`. */
  readonly #places = new Map<string, PlacedLink>();
  readonly #placed = new Map<string, number>();
  readonly #needs: PagePassNeeds;

  constructor(needs: PagePassNeeds) {
    this.#needs = needs;
  }

  /** @throws the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const records = [...this.#needs.records.values()].filter(isNamed).toSorted(inPageOrder);
    for (const record of records) {
      if (record.outcome === 'redirected' || record.outcome === 'not-html') continue;
      signal.throwIfAborted();
      await this.#page(record);
    }
  }

  placeOf(from: string, to: string): PlacedLink | null {
    return this.#places.get(`${from} ${to}`) ?? null;
  }

  async #page(record: AuditRecord): Promise<void> {
    const { site, signedIn, marksProve } = this.#needs;
    const stored = record.outcome === 'captured' ? await this.#stored(record) : null;
    const { url, outcome, status, words } = record;
    const { policy } = this.#needs;
    const read = stored === null ? null : readDocument({ html: stored.html, url, words, policy, isXml: record.isXml });
    const verdict = pageVerdict({
      url,
      outcome,
      status,
      isCut: record.isCut || read?.cut === true,
      timedOut: record.timedOut,
      isEmpty: record.isEmpty,
      signedIn,
      isMarked: marksProve && record.signedIn === true,
      document: read?.signs ?? null,
    });
    if ((verdict !== true || isSamePage(record) || isCopy(record)) && this.#isGuess(record)) {
      this.unnamed.add(url);
      return;
    }
    const judged = verdict === true && this.#isPart(record, read) ? 'part' : verdict;
    this.audited.push(auditedPage(record, judged));
    if (outcome !== 'captured') return;
    const { depth, rendered, robots, duplicateOf, similarity } = record;
    const shownAs = this.#needs.records.get(record.written ?? '')?.outcome === 'captured' ? record.written : null;
    const known = { url, status, depth, judged, rendered, robots, duplicateOf, similarity, shownAs };
    if (read === null) {
      const { title } = record;
      const nothing = { hasScripts: true, title: title ?? '', description: null, canonicals: [], alternates: [] };
      this.summaries.set(url, { ...known, ...nothing, confirmed: [], upgradesRequests: false });
      return;
    }
    const details = (await this.#needs.details?.of(url)) ?? null;
    const { images, structured, h1, lang, viewport, charsets, insecureForms, metaPolicies } = read.facts;
    const { malformed, misplaced, relativePreviews } = read.facts;
    const summary = this.#summary(known, read, details);
    this.summaries.set(url, summary);
    if (!WALLS.has(judged)) this.#keepPlaces(url, read);
    const rules = this.#needs.rules.filter(({ alsoOn = [] }) => judged === true || alsoOn.includes(judged));
    if (judged !== true && rules.length === 0) return;
    if (judged === true) this.fragments.addPage(url, read.ids);
    if (details !== null && judged === true) this.inventory.addPage(details);
    if (judged === true) this.#needs.axe?.addPage(url, details?.axe ?? null);
    this.#apply(rules, {
      ...summary,
      ...{ images, structured, h1, lang, viewport, charsets, insecureForms, metaPolicies },
      ...{ malformed, misplaced, relativePreviews },
      accessibility: pageAccessibility(details?.axe ?? null, url, this.#needs.axe?.catalogue ?? null),
      paint: this.#needs.measured.get(url) ?? null,
      failedFrames: this.#failedFrames(details),
      ...{ details, words, bytes: record.bytes, ttfb: record.ttfb },
      isFromServer: !this.#needs.isServed(url),
      linkCount: new Set(read.anchors.map(({ to }) => to.split('#', 1)[0])).size,
      pending: record.timedOut ? record.pending : null,
      secretLinks: read.anchors
        .filter(({ to, requested }) => secretParameter(requested) !== null && site.isOwn(to))
        .map(({ requested, place }) => ({ ...place(), to: requested })),
      // a folder that is served for the crawl has our header
      headerCharset: this.#needs.isServed(url) ? null : (stored?.headerCharset ?? declaredCharset(details)),
      nofollow: read.anchors
        .filter(({ to, isNofollow }) => isNofollow && site.isOwn(to))
        .map(({ place }) => place())
        .filter(({ to, text }) => actingRule(to) === null && signOutRule({ url: to, text }) === null),
    });
  }

  /** The facts that are kept: those of the document, and those of its headers. */
  #summary(known: KnownFacts, { facts }: ReadDocument, details: PageDetails | null): PageSummary {
    const { site, names } = this.#needs;
    const inHeaders = names.inHeaders(known.url);
    const crawled = <Reference extends { readonly url: string | null }>(reference: Reference): Reference => ({
      ...reference,
      url: reference.url === null ? null : site.crawled(reference.url),
    });
    const named = [...facts.canonicals, ...inHeaders.canonicals.map((address) => ({ href: address, url: address }))];
    const canonicals = new Map<string, HeadReference>();
    // header and markup mostly name the same address
    for (const each of named)
      if (!canonicals.has(each.url ?? each.href)) canonicals.set(each.url ?? each.href, crawled(each));
    const { title, description, hasScripts } = facts;
    return {
      ...known,
      ...{ title, description, hasScripts },
      canonicals: [...canonicals.values()],
      alternates: facts.alternates.map(crawled),
      confirmed: inHeaders.alternates.map((address) => site.crawled(address)),
      upgradesRequests: facts.upgradesRequests || (details?.headers ?? []).some(isUpgrade),
    };
  }

  #failedFrames(details: PageDetails | null): readonly string[] {
    const documents = (details?.behaviour?.failed.first ?? []).filter(({ type }) => type === 'document');
    return documents.map(({ url }) => url).filter((url) => FAILED.has(this.#needs.records.get(url)?.outcome));
  }

  #isGuess({ url, confidence }: AuditRecord): boolean {
    return confidence === 'low' && this.#needs.names.isGuessed(url);
  }

  /** Is it a document for frames, or one that a script puts into a page? Those have no title. */
  #isPart(record: AuditRecord, read: ReadDocument | null): boolean {
    const { names } = this.#needs;
    if (names.isFramed(record.url)) return true;
    return read?.facts.title === '' && (names.isScripted(record.url) || this.#isGuess(record));
  }

  #apply(rules: readonly PageRule[], page: PageFacts): void {
    const { book, faults } = this.#needs;
    for (const rule of rules) {
      applyRule(rule, faults, () => {
        for (const observation of rule.checkPage(page)) book.add(rule, { ...observation, url: page.url });
      });
    }
  }

  async #stored(record: AuditRecord): ReturnType<typeof storedDocument> {
    try {
      return await storedDocument(this.#needs.folder, record.snapshot);
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      if (this.notes.length < 20)
        this.notes.push(`${record.url} is not judged: ${error.message.split('\n', 1)[0] ?? ''}`);
      return null;
    }
  }

  /** Keeps the places of links to URLs that failed or redirect, and of links to places in pages. */
  #keepPlaces(url: string, { anchors, fragments }: ReadDocument): void {
    const { records } = this.#needs;
    for (const { to, place } of anchors) {
      const target = records.get(to);
      const key = `${url} ${to}`;
      const failed =
        target === undefined
          ? (to.startsWith('http:') && url.startsWith('https:')) || this.#mayBeBroken(to)
          : target.outcome !== 'captured' && target.outcome !== 'not-html';
      const count = this.#placed.get(to) ?? 0;
      if (!failed || count >= PLACES || this.#places.has(key)) continue;
      this.#placed.set(to, count + 1);
      this.#places.set(key, place());
    }
    this.fragments.addLinks(
      fragments
        .filter(({ to, fragment }) => !records.has(`${to}#${fragment}`))
        .flatMap(({ to, fragment, place }) => {
          const page = this.#finalOf(to);
          return page === null ? [] : [{ target: to, page, fragment, from: url, place }];
        }),
    );
  }

  /** Is it a link to another site, not yet checked? A site may have very many. */
  #mayBeBroken(to: string): boolean {
    const { records, site } = this.#needs;
    const known = this.#placed.get(to);
    return (
      (known === undefined ? this.#placed.size < EXTERNALS : known < EXTERNAL_PLACES) &&
      isExternal(to, { records, isOwn: site.isOwn })
    );
  }

  /** The captured page behind redirects; null where there is none. */
  #finalOf(url: string): string | null {
    let at = this.#needs.records.get(url);
    for (let hops = 0; at?.redirect != null && hops < 10; hops += 1) at = this.#needs.records.get(at.redirect);
    return at?.outcome === 'captured' ? at.url : null;
  }
}

/** Outcomes of which the rules on links tell. */
const FAILED: ReadonlySet<unknown> = new Set(['http-error', 'unreachable', 'timed-out']);
/** Places of links to one target that are kept; findings list no more sources. */
const PLACES = 20;
/** Links to other sites whose places are kept, and places of one. Arbitrary. */
const EXTERNALS = 20_000;
const EXTERNAL_PLACES = 3;

/** May the policy upgrade requests? What stands beyond the kept part of a long one is not known, and the directive mostly stands last. */
function isUpgrade([name, value]: PageDetails['headers'][number]): boolean {
  return name === 'content-security-policy' && (hasUpgrade(value) || value.length >= DETAILED_HEADER_LENGTH);
}

/** The encoding that the answer's Content-Type declared, by the crawl's details; null where it declared none. */
function declaredCharset(details: PageDetails | null): string | null {
  const label = charsetIn(declaredTypeOf(details?.headers ?? []));
  return label === null ? null : encodingLabel(label);
}

function auditedPage(record: AuditRecord, judged: AuditedPage['judged']): AuditedPage {
  const { url, status, depth, bytes, title, snapshot, duplicateOf } = record;
  return { url, status, depth, bytes, title, judged, screenshot: snapshot.screenshot, duplicateOf };
}

/** A fragment that was taken for a route shows the same as its page without it: it is a place there, or nothing. */
function isSamePage({ url, duplicateOf }: Pick<AuditRecord, 'url' | 'duplicateOf'>): boolean {
  const [page = url] = url.split('#', 1);
  return page !== url && duplicateOf === page;
}

/** Was it captured, and does it show something else than the page without its fragment? */
export function isOwnPage(record: Pick<AuditRecord, 'url' | 'outcome' | 'duplicateOf'>): boolean {
  return record.outcome === 'captured' && !isSamePage(record);
}
