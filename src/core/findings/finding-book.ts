/** Collects findings: observations of the same thing become one, with all their sources counted. */
import { hash64 } from '../../base/hash.ts';
import { cutText } from '../../base/cut-text.ts';
import type { Observation, RuleSubject } from '../../model/audit-rule.ts';
import { SEVERITIES, type Evidence, type Finding, type FindingSource, type RuleInfo } from '../../model/finding.ts';
import { steadyAddress } from '../../model/url/steady-address.ts';
import type { SiteAddresses } from './site-address.ts';

/** Sources that are listed; all are counted. */
const LISTED = 20;
/** Findings kept of one rule: a site with more different ones has one defect everywhere, and the rest is counted. */
const MOST_OF_A_RULE = 5000;
const MESSAGE = 500;
const TEXT = 1000;

interface OpenFinding {
  readonly finding: Omit<Finding, 'sources'>;
  count: number;
  /** The page of the latest observation. */
  last: string;
  readonly first: FindingSource[];
}

/** The parts of a rule that a book needs; rules of comparisons are no rules of audits. */
type NotedRule = Pick<RuleInfo, 'id' | 'severity'> & { readonly about: RuleSubject };

export class FindingBook {
  readonly #open = new Map<string, OpenFinding>();
  readonly #counts = new Map<string, number>();
  readonly #dropped = new Map<string, number>();
  readonly #addresses: SiteAddresses;

  constructor(addresses: SiteAddresses) {
    this.#addresses = addresses;
  }

  /** Observations come in the order of depth and address of their pages: the first ones are listed. */
  add(rule: NotedRule, observation: Observation & { readonly url: string }): void {
    const id = this.#idOf(rule, observation);
    const sources = observation.sources ?? { count: 1, first: [{ url: observation.url }] };
    const known = this.#open.get(id);
    if (known !== undefined) {
      // a page may show the thing several times, and counts once
      if (sources.count === 1 && known.last === observation.url) return;
      known.last = observation.url;
      known.count += sources.count;
      known.first.push(...sources.first.slice(0, LISTED - known.first.length).map(shownSource));
      return;
    }
    const ofRule = this.#counts.get(rule.id) ?? 0;
    if (ofRule >= MOST_OF_A_RULE) {
      this.#dropped.set(rule.id, (this.#dropped.get(rule.id) ?? 0) + 1);
      return;
    }
    this.#counts.set(rule.id, ofRule + 1);
    const { url, target = null, message, evidence = {}, severity = rule.severity, confidence = 'high' } = observation;
    this.#open.set(id, {
      finding: {
        id,
        rule: rule.id,
        severity,
        confidence,
        url,
        target,
        message: cutText(this.#addresses.relativeMessage(message), MESSAGE),
        evidence: shownEvidence(evidence),
        // a defect of the layout or the server is mended in one place, whatever the templates
        group: rule.about === 'layout' ? rule.id : `${rule.id} ${this.#addresses.template(url)}`,
      },
      count: sources.count,
      last: url,
      first: sources.first.slice(0, LISTED).map(shownSource),
    });
  }

  /** Removes all findings of a rule. @returns whether there were any */
  withdraw(rule: string): boolean {
    const ids = [...this.#open].filter(([, { finding }]) => finding.rule === rule).map(([id]) => id);
    for (const id of ids) this.#open.delete(id);
    this.#counts.delete(rule);
    this.#dropped.delete(rule);
    return ids.length > 0;
  }

  /** Sorted. */
  findings(): readonly Finding[] {
    return [...this.#open.values()]
      .map(({ finding, count, first }): Finding => ({ ...finding, sources: { count, first } }))
      .toSorted(inOrder);
  }

  /** Describes the observations that were left out. */
  notes(): readonly string[] {
    return [...this.#dropped].map(
      ([rule, count]) =>
        `${rule}: ${count} observations beyond the first ${MOST_OF_A_RULE} findings of the rule are left out`,
    );
  }

  #idOf(rule: NotedRule, { url, target, isBuilt = false, thing = '' }: Observation & { readonly url: string }): string {
    const steady = (address: string): string => (isBuilt ? steadyAddress(address) : address);
    const about = steady(this.#addresses.relativeText(thing));
    const place = (): string => {
      switch (rule.about) {
        case 'page':
          return this.#addresses.relative(url);
        case 'layout':
          return this.#addresses.template(url);
        case 'target':
          return steady(this.#addresses.relative(target ?? url));
        case 'element':
        case 'site':
          return '';
      }
    };
    return hash64([rule.id, place(), about].join('\n'));
  }
}

function inOrder(one: Finding, other: Finding): number {
  return (
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    compare(one.rule, other.rule) ||
    other.sources.count - one.sources.count ||
    compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function shownSource({ url, selector, text }: FindingSource): FindingSource {
  return {
    url,
    ...(selector === undefined ? {} : { selector }),
    ...(text === undefined || text === '' ? {} : { text }),
  };
}

function shownEvidence(evidence: Evidence): Evidence {
  const { selector, snippet, header, request, change, chain, others } = evidence;
  return {
    ...(selector === undefined ? {} : { selector: cutText(selector, TEXT) }),
    ...(snippet === undefined ? {} : { snippet: cutText(snippet, TEXT) }),
    ...(header === undefined ? {} : { header: cutText(header, TEXT) }),
    ...(request === undefined ? {} : { request: cutText(request, TEXT * 3) }),
    ...(change === undefined ? {} : { change: cutText(change, TEXT * 3) }),
    ...(chain === undefined ? {} : { chain: chain.slice(0, LISTED) }),
    ...(others === undefined ? {} : { others: others.slice(0, LISTED) }),
  };
}

/** The parts of a rule that reports show. */
export function ruleInfo({ id, severity, category, title, why, fix, source }: RuleInfo): RuleInfo {
  return { id, severity, category, title, why, fix, source };
}
