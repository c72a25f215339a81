/**
 * What the pages of a cluster take from an API: which addresses they ask, and what their scripts make of the answers. Learnt from pages
 * that a browser showed; whether it holds is for those to say who compare (asked-answers.ts).
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

/** Pages that change what is known, and pages in a row that fit nothing: then the cluster is left to the browser (arbitrary). */
const MOST_CHANGES = 8;
const MOST_MISFITS = 3;
/** Pages that a new rule has to hold for, too, and characters of their answers and links: a site decides how long those are. */
const MOST_SAMPLES = 16;
const MOST_SAMPLED = 524_288;
/** Characters of the answers of a page that is learnt from: that is done on the main thread. */
const MOST_LEARNT = 131_072;
/** Links of one answer that are texts in it. */
const MOST_STRINGS = 1000;

/** How answers are read. */
interface AnswerRules {
  readonly links: readonly LinkRule[];
  /** Fields whose values pages show. */
  readonly shown: ReadonlySet<string>;
}

/** What is known of a cluster, as other processes may be told of it. */
export interface LearntPlan {
  readonly addresses: LearntAddresses;
  /** By which records know the requests, in their order. */
  readonly requestLinks: readonly (readonly FoundLink[])[];
  readonly links: readonly LinkRule[];
  readonly shown: readonly string[];
}

/** What answers add to a page's markup. */
export interface AnswerReading {
  readonly links: readonly FoundLink[];
  readonly text: string;
  readonly traits: readonly string[];
}

export class AnswerPlan {
  readonly #addresses = new AnswerAddresses();
  /** By which records know the requests themselves, in their order. */
  #requestLinks: readonly (readonly FoundLink[])[] = [];
  #links: readonly LinkRule[] = [];
  #shown: ReadonlySet<string> | null = null;
  /** Of pages before. */
  readonly #samples: AnsweredSample[] = [];
  #changes = 0;
  #misfits = 0;

  /** Is there nothing more to be hoped for? */
  get isGivenUp(): boolean {
    return this.#misfits >= MOST_MISFITS || this.#changes >= MOST_CHANGES;
  }

  /** Null where there is nothing to be told. */
  get learnt(): LearntPlan | null {
    if (this.isGivenUp || this.#shown === null) return null;
    const [addresses, requestLinks, links] = [this.#addresses.learnt, this.#requestLinks, this.#links];
    return { addresses, requestLinks, links, shown: [...this.#shown] };
  }

  /** Adds what others have learnt of the cluster. That it holds is for those to say who compare, as of what was learnt here. */
  adopt({ addresses, requestLinks, links, shown }: LearntPlan): void {
    if (this.#addresses.adopt(addresses)) this.#requestLinks = requestLinks;
    const known = new Set(this.#links.map((rule) => JSON.stringify(rule)));
    const more = links.filter((rule) => !known.has(JSON.stringify(rule)));
    this.#links = [...this.#links, ...more].slice(0, MOST_RULES);
    const before = this.#shown;
    this.#shown = new Set(before === null ? shown : shown.filter((pattern) => before.has(pattern)));
  }

  /** Addresses that a page would ask; null where they are not known. */
  addressesOf(page: string): readonly string[] | null {
    return this.isGivenUp || this.#shown === null ? null : this.#addresses.of(page);
  }

  get rules(): AnswerRules {
    return { links: this.#links, shown: this.#shown ?? new Set() };
  }

  /** The requests as links of a page. @param addresses as {@link addressesOf} gave them @param base of the page */
  requestLinks(addresses: readonly string[], base: string): readonly FoundLink[] {
    return addresses.flatMap((href, index) =>
      (this.#requestLinks[index] ?? []).map((link) => ({ ...link, href, base: link.base === '' ? '' : base })),
    );
  }

  /**
   * A page of the cluster was rendered.
   * @param plain its markup alone @returns whether that changed what is known
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
    // texts of the answers that read like addresses are found in them without a rule
    const added = rendered.foundLinks.filter((link) => link.context !== 'json' && !known.has(renderedLinkKey(link)));
    const sample = answeredSample(leaves, rendered.foundLinks);
    if (sample.size > MOST_SAMPLED) return this.#misfit();
    const rules = rulesFor(added, sample, this.#samples);
    this.#keep(sample);
    const shown = shownPatterns(leaves, rendered.text ?? '', this.#shown);
    // a field that one page does not show, and all others do, is no news of its links
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
  /** One for each address. */
  readonly texts: readonly string[];
  readonly base: string;
  readonly requested: readonly string[];
  readonly rules: AnswerRules;
}

/** Reads answers by what is known of them. @returns null where they are not JSON, or too large */
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
