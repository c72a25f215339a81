/** What the HTML report hands to its own script: rows of short tuples, for there may be tens of thousands. All texts are cut and made safe to show. */
import type { RuleCategory } from './finding.ts';

export interface ReportData {
  /** Origins of the seeds: they are left out where an address is shown. */
  readonly origins: readonly string[];
  /** Addresses, by whose numbers the rows name them. */
  readonly urls: readonly string[];
  readonly rules: readonly ReportRule[];
  /** Group: its name and its rule's number. */
  readonly groups: readonly (readonly [name: string, rule: number])[];
  readonly findings: readonly ReportFindingRow[];
  readonly pages: readonly ReportPageRow[];
}

interface ReportRule {
  readonly id: string;
  readonly title: string;
  readonly category: RuleCategory;
  readonly why: string;
  readonly fix: string;
  readonly source: readonly [name: string, url: string];
}

export type ReportFindingRow = readonly [
  group: number,
  /** Index in SEVERITIES. */
  severity: number,
  url: number,
  message: string,
  evidence: readonly (readonly [name: string, value: string])[],
  /** Pages that show it. */
  pages: number,
  sources: readonly (readonly [url: number, text: string])[],
  /** 0 new, 1 accepted, 2 accepted until a day that is over. */
  standing: number,
  /** Why it is accepted. */
  reason: string,
];

export type ReportPageRow = readonly [
  url: number,
  title: string,
  /** 0 where there was no answer. */
  status: number,
  depth: number,
  /** Bytes of the document; -1 where they are not known. */
  bytes: number,
  /** Findings that name it. */
  findings: number,
  /** Why it was not judged; empty where it was. */
  reason: string,
];

/** Whether an address is one to click on: whole, of the web, nothing hidden in it. */
export function isShownLink(url: string): boolean {
  return /^https?:\/\/[^\s…]+$/.test(url) && !url.includes('REDACTED');
}

/** The address without the origin of the site. */
export function shortAddress(url: string, origins: readonly string[]): string {
  const origin = origins.find((each) => url.startsWith(`${each}/`));
  return origin === undefined ? url : url.slice(origin.length);
}
