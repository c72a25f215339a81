/**
 * Reads, without a browser, the unread style sheets and scripts of a document, as the browser's answers are read
 * (render/extract/answer-tasks.ts). If a file may differ from the one that a browser would load, the page is left to a browser.
 */
import type { Milliseconds } from '../../base/units.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { KnownSubresources, LoadedSubresources } from '../../core/page-clusters/known-subresources.ts';
import { linkedPaths } from '../../core/links/application-base.ts';
import type { Egress } from '../../egress/egress.ts';
import type { FoundLink } from '../../model/link.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import type { Offload } from '../../offload/offload.ts';
import { SCRIPT_LENGTH, SCRIPTS_LENGTH } from '../../render/extract/answer-bodies.ts';
import { ANSWER_LINKS, MENTIONED_NAMES, SHEET_LINKS } from '../../render/extract/answer-tasks.ts';
import { mayLoadParts, ROUTE_PARTS } from '../../render/extract/part-task.ts';
import { fetchText, type FetchedText } from './fetch-text.ts';

/** Most unread files of a page that is still read without a browser (arbitrary). */
const MOST = 10;
/** Most rounds of sheets that import sheets. */
const ROUNDS = 5;

interface SubresourceParts {
  readonly egress: Pick<Egress, 'dispatcher' | 'subresourceTurn'>;
  readonly offload: Offload;
  readonly known: KnownSubresources;
}

interface SubresourceOptions {
  readonly userAgent: string;
  readonly extraHeaders: UserHeaders;
  /** Time limit for each file. */
  readonly settleTimeout: Milliseconds;
}

/** The page that names the files. */
interface NamingPage {
  readonly parts: LoadedSubresources;
  /** The document's own address, and the base of its references. */
  readonly url: string;
  readonly base: string;
  readonly links: readonly FoundLink[];
}

export class UnreadSubresources {
  readonly #options: SubresourceOptions;
  readonly #parts: SubresourceParts;

  constructor(options: SubresourceOptions, parts: SubresourceParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Reads the page's unread files. Sheets are known from then on, even if a browser must do the rest.
   * @returns links in the texts of scripts; null where a browser must load the page @throws the signal's reason
   */
  async read(page: NamingPage, signal: AbortSignal): Promise<readonly FoundLink[] | null> {
    const { known } = this.#parts;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sheets, scripts } = known.unknownOf(page.parts);
      if (sheets.length + scripts.length > MOST) return null;
      // imports of a sheet are only known once it is read
      if (sheets.length === 0) return await this.#scripts(scripts, page, signal);
      // oxlint-disable-next-line no-await-in-loop -- see above
      if (!(await this.#sheets(sheets, page, signal))) return null;
    }
    return null;
  }

  async #sheets(urls: readonly string[], page: NamingPage, signal: AbortSignal): Promise<boolean> {
    const { known, offload } = this.#parts;
    const read = await Promise.all(
      urls.map(async (url) => {
        const sheet = await this.#text(url, page, 'text/css,*/*;q=0.1', signal);
        if (sheet === null || sheet.contentType !== 'text/css') return false;
        const links = await offload.run(SHEET_LINKS, sheet, { url, size: sheet.text.length }, signal);
        if (links.kind !== 'done') return false;
        known.learnSheet(url, links.value);
        return true;
      }),
    );
    return read.every(Boolean);
  }

  /** Scripts become known only if all of them can be read: otherwise the browser, which must load the page, reads the unknown ones. */
  async #scripts(urls: readonly string[], page: NamingPage, signal: AbortSignal): Promise<readonly FoundLink[] | null> {
    const { known } = this.#parts;
    const texts = await Promise.all(urls.map((url) => this.#text(url, page, '*/*', signal)));
    const scripts: FetchedText[] = [];
    let length = 0;
    const awaited = new Set([...page.parts.scripts]);
    for (const script of texts) {
      if (script === null || !/(?:java|ecma)script$/.test(script.contentType)) return null;
      const importsOthers = importedBy(script).some((url) => !awaited.has(url) && !known.hasScript(url));
      length += script.text.length;
      if (importsOthers || script.text.length > SCRIPT_LENGTH || length > SCRIPTS_LENGTH) return null;
      scripts.push(script);
    }
    if (!(await this.#learnParts(scripts, signal))) return null;
    const found = await Promise.all(scripts.map((script) => this.#linksOf(script, page, signal)));
    if (found.includes(null)) return null;
    for (const { text, url } of scripts) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: they are few
      const words = await this.#parts.offload.run(MENTIONED_NAMES, { text, url }, { url, size: text.length }, signal);
      if (words.kind !== 'done') return null;
      known.learnMentionedNames(words.value);
    }
    const links = scripts.flatMap(({ text }, index) => (known.learnScriptText(text) ? (found[index] ?? []) : []));
    for (const url of [...urls, ...scripts.map((script) => script.url)]) known.learnScript(url);
    return links;
  }

  /** Learns which parts the scripts load: one may be a part of another. */
  async #learnParts(scripts: readonly FetchedText[], signal: AbortSignal): Promise<boolean> {
    const { known, offload } = this.#parts;
    for (const { text, url } of scripts) {
      if (!mayLoadParts(text)) continue;
      // oxlint-disable-next-line no-await-in-loop -- few scripts load parts of routes
      const parts = await offload.run(ROUTE_PARTS, { text, url }, { url, size: text.length }, signal);
      if (parts.kind !== 'done') return false;
      known.routeParts.learn(url, parts.value, false);
    }
    return true;
  }

  async #linksOf(
    { text, url }: FetchedText,
    { url: pageUrl, base, links }: NamingPage,
    signal: AbortSignal,
  ): Promise<readonly FoundLink[] | null> {
    const { known, offload } = this.#parts;
    const linked = linkedPaths(links, pageUrl);
    const isBaseSaid = base !== pageUrl.replace(/#.*$/s, '');
    const facts = {
      base,
      url,
      requested: [],
      isBaseSaid,
      linked,
      pageUrl,
      isLater: false,
      begins: known.routeParts.beginsIn(url),
    };
    const script = { text, name: 'script' as const, ...facts };
    const read = await offload.run(ANSWER_LINKS, script, { url, size: text.length }, signal);
    return read.kind === 'done' ? read.value : null;
  }

  #text(url: string, page: NamingPage, accept: string, signal: AbortSignal): Promise<FetchedText | null> {
    return fetchText({ url, page: page.url, accept, ...this.#options }, this.#parts.egress, signal);
  }
}

/** URLs of modules that a script imports by a literal name, statically or dynamically. */
function importedBy({ text, url }: FetchedText): readonly string[] {
  return [
    ...text.matchAll(/\b(?:from|import)\s{0,20}\(?\s{0,20}["'`]((?:\.{0,2}\/|https?:)[^"'`\s]{1,500})["'`]/g),
  ].flatMap(([, specifier = '']) => parsedUrl(specifier, url)?.href ?? []);
}
