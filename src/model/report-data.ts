/** Data that the HTML report hands to its own script: rows of short tuples, as there may be tens of thousands. Texts are cut and safe to show. */
import type { RuleCategory } from './finding.ts';

export interface ReportData {
  /** Origins of the seeds, left out of displayed addresses. */
  readonly origins: readonly string[];
  /** Table of addresses; rows refer to them by index. */
  readonly urls: readonly string[];
  readonly rules: readonly ReportRule[];
  /** Groups: name, and the index of its rule. */
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
  /** Number of pages that show it. */
  pages: number,
  sources: readonly (readonly [url: number, text: string])[],
  /** 0 new, 1 accepted, 2 accepted until a day that has passed. */
  standing: number,
  /** Reason why it is accepted. */
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
  /** Number of findings that name it. */
  findings: number,
  /** Reason why it was not judged; empty where it was. */
  reason: string,
];

/** May the address be clickable? It must be a whole http(s) URL without redacted parts. */
export function isShownLink(url: string): boolean {
  return /^https?:\/\/[^\s…]+$/.test(url) && !url.includes('REDACTED');
}

/** The address without the origin of the site. */
export function shortAddress(url: string, origins: readonly string[]): string {
  const origin = origins.find((each) => url.startsWith(`${each}/`));
  return origin === undefined ? url : url.slice(origin.length);
}
