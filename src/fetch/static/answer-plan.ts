/**
 * Knowledge of how a cluster's pages use an API: the addresses that they request, and the content that their scripts take from the answers. It is
 * learnt from rendered pages; the caller compares to find out whether it holds (asked-answers.ts).
 */
import { jsonStrings } from '../../core/links/data/json-strings.ts';
import { withoutRequestedData } from '../../core/links/data/requested-data.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Page } from '../../model/page.ts';
import { AnswerAddresses, type LearntAddresses } from '../../core/page-clusters/answer-addresses.ts';
import { answerData } from '../../core/page-clusters/answer-leaves.ts';
import {
  linksBy,
  MOST_RULES,
  rulesFor,
  answeredSample,
  shownPatterns,
  textBy,
  type AnsweredSample,
  type LinkRule,
} from '../../core/page-clusters/answer-links.ts';
import { renderedLinkKey } from '../../core/page-clusters/render-comparison.ts';

/** Most pages that change the knowledge, and consecutive pages that do not fit: then the cluster is left to the browser (arbitrary). */
const MOST_CHANGES = 8;
const MOST_MISFITS = 3;
/** Earlier pages that a new rule must fit, and characters of their answers and links, whose length the site decides. */
const MOST_SAMPLES = 16;
const MOST_SAMPLED = 524_288;
/** Most characters of a page's answers to learn from, because learning runs on the main thread. */
const MOST_LEARNT = 131_072;
/** Most links from one answer that are texts in it. */
const MOST_STRINGS = 1000;

/** Rules for reading answers. */
interface AnswerRules {
  readonly links: readonly LinkRule[];
  /** Fields with values that pages show. */
  readonly shown: ReadonlySet<string>;
}

/** Knowledge of a cluster in the form for other processes. */
export interface LearntPlan {
  readonly addresses: LearntAddresses;
  /** Links that stand for the requests in records, in the order of the requests. */
  readonly requestLinks: readonly (readonly FoundLink[])[];
  readonly links: readonly LinkRule[];
  readonly shown: readonly string[];
}

/** Content that answers add to a page's markup. */
export interface AnswerReading {
  readonly links: readonly FoundLink[];
  readonly text: string;
  readonly traits: readonly string[];
}

export class AnswerPlan {
  readonly #addresses = new AnswerAddresses();
  /** Links that stand for the requests in records, in the order of the requests. */
  #requestLinks: readonly (readonly FoundLink[])[] = [];
  #links: readonly LinkRule[] = [];
  #shown: ReadonlySet<string> | null = null;
  /** Samples of earlier pages. */
  readonly #samples: AnsweredSample[] = [];
  #changes = 0;
  #misfits = 0;

  /** Is the cluster left to the browser? */
  get isGivenUp(): boolean {
    return this.#misfits >= MOST_MISFITS || this.#changes >= MOST_CHANGES;
  }

  /** The knowledge for other processes; null where there is none. */
  get learnt(): LearntPlan | null {
    if (this.isGivenUp || this.#shown === null) return null;
    const [addresses, requestLinks, links] = [this.#addresses.learnt, this.#requestLinks, this.#links];
    return { addresses, requestLinks, links, shown: [...this.#shown] };
  }

  /** Adds knowledge of other processes. As with our own, the caller compares to find out whether it holds. */
  adopt({ addresses, requestLinks, links, shown }: LearntPlan): void {
    if (this.#addresses.adopt(addresses)) this.#requestLinks = requestLinks;
    const known = new Set(this.#links.map((rule) => JSON.stringify(rule)));
    const more = links.filter((rule) => !known.has(JSON.stringify(rule)));
    this.#links = [...this.#links, ...more].slice(0, MOST_RULES);
    const before = this.#shown;
    this.#shown = new Set(before === null ? shown : shown.filter((pattern) => before.has(pattern)));
  }

  /** Addresses that a page would request; null where they are not known. */
  addressesOf(page: string): readonly string[] | null {
    return this.isGivenUp || this.#shown === null ? null : this.#addresses.of(page);
  }

  get rules(): AnswerRules {
    return { links: this.#links, shown: this.#shown ?? new Set() };
  }

  /** The requests as links of a page. @param addresses from {@link addressesOf} @param base of the page */
  requestLinks(addresses: readonly string[], base: string): readonly FoundLink[] {
    return addresses.flatMap((href, index) =>
      (this.#requestLinks[index] ?? []).map((link) => ({ ...link, href, base: link.base === '' ? '' : base })),
    );
  }

  /**
   * Learns from a rendered page of the cluster.
   * @param plain its markup alone @returns whether that changed the knowledge
   */
  learn(rendered: Page, plain: Page): boolean {
    const answers = rendered.jsonAnswers ?? [];
    const urls = answers.map(({ url }) => url);
    if (!this.#addresses.learn(plain.url, urls)) return this.#misfit();
    const ordered = this.#addresses.inOrder(urls) ?? urls;
    const texts = ordered.map((url) => answers.find((each) => each.url === url)?.text ?? '');
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const leaves = length > MOST_LEARNT ? undefined : answerData(texts)?.leaves;
    if (leaves === undefined) return this.#misfit();
    if (this.#requestLinks.length === 0) this.#requestLinks = ordered.map((url) => requestsAmong(rendered, url));
    const made = linksBy(this.#links, leaves, rendered.finalUrl);
    const requests = this.requestLinks(ordered, rendered.finalUrl);
    const known = new Set([...plain.foundLinks, ...made, ...requests].map(renderedLinkKey));
    // address-like texts of the answers are found without a rule
    const added = rendered.foundLinks.filter((link) => link.context !== 'json' && !known.has(renderedLinkKey(link)));
    const sample = answeredSample(leaves, rendered.foundLinks);
    if (sample.size > MOST_SAMPLED) return this.#misfit();
    const rules = rulesFor(added, sample, this.#samples);
    this.#keep(sample);
    const shown = shownPatterns(leaves, rendered.text ?? '', this.#shown);
    // a field that only this page does not show is no news about links
    const isNews = rules.length > 0 || this.#shown === null;
    this.#links = [...this.#links, ...rules].slice(0, MOST_RULES);
    this.#shown = shown;
    if (isNews) this.#changes += 1;
    this.#misfits = 0;
    return isNews;
  }

  #keep(sample: AnsweredSample): void {
    this.#samples.push(sample);
    const sampled = (): number => this.#samples.reduce((sum, { size }) => sum + size, 0);
    while (this.#samples.length > MOST_SAMPLES || sampled() > MOST_SAMPLED) this.#samples.shift();
  }

  #misfit(): true {
    this.#misfits += 1;
    return true;
  }
}

interface AnswersToRead {
  /** One text per address. */
  readonly texts: readonly string[];
  readonly base: string;
  readonly requested: readonly string[];
  readonly rules: AnswerRules;
}

/** Reads answers by the rules. @returns null where they are not JSON, or too large */
export function readAnswers({ texts, base, requested, rules }: AnswersToRead): AnswerReading | null {
  const data = answerData(texts);
  if (data === null) return null;
  const { leaves, traits } = data;
  const strings = texts.flatMap((text) =>
    withoutRequestedData(jsonStrings(text, base), requested).slice(0, MOST_STRINGS),
  );
  return { links: [...linksBy(rules.links, leaves, base), ...strings], text: textBy(rules.shown, leaves), traits };
}

function requestsAmong({ foundLinks }: Page, url: string): readonly FoundLink[] {
  return foundLinks.filter(({ kind, href }) => kind === 'request' && href === url);
}
