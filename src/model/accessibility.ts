/**
 * What axe-core says of pages: its rules (axe.json of a crawl folder) and what it found on a page (in its line of details.jsonl). What comes from
 * a page is hostile: names of rules are those that the package has, and texts are cut where they are taken.
 */
import type { Sample } from './page-details.ts';

/** `all` pages, or one page of each `template`. */
export const AXE_CHOICES = ['all', 'template'] as const;
export type AxeChoice = (typeof AXE_CHOICES)[number];

/** As axe-core has them. */
export const AXE_IMPACTS = ['minor', 'moderate', 'serious', 'critical'] as const;
export type AxeImpact = (typeof AXE_IMPACTS)[number];

/**
 * How the check of a page ended.
 * - `timed-out`: it did not end in its time, or the page did not answer.
 * - `too-large`: the page has more elements, or is larger, than is checked.
 * - `failed`: it broke on this page.
 */
export const AXE_ENDS = ['done', 'timed-out', 'too-large', 'failed'] as const;
export type AxeEnd = (typeof AXE_ENDS)[number];

export interface AxeNode {
  readonly selector: string;
  /** Its markup, cut. */
  readonly snippet: string;
  /** What is wrong with it, in the words of axe-core. */
  readonly why: string;
}

export interface AxeViolation {
  /** Name of the rule: `image-alt`. */
  readonly rule: string;
  readonly impact: AxeImpact;
  readonly nodes: Sample<AxeNode>;
}

/** The check of one page. */
export interface AxeCheck {
  readonly end: AxeEnd;
  readonly violations: readonly AxeViolation[];
  /** Elements about which it could not decide. */
  readonly undecided: number;
}

/** A rule of axe-core, in its words. */
export interface AxeRule {
  readonly id: string;
  readonly help: string;
  readonly description: string;
  /** https:, the page of axe-core about the rule. */
  readonly helpUrl: string;
  /** `wcag2aa`, `best-practice`, `cat.color` … */
  readonly tags: readonly string[];
}

/** With what a crawl checks its pages. */
export interface AxeCatalogue {
  /** Of axe-core. */
  readonly version: string;
  readonly pages: AxeChoice;
  readonly rules: readonly AxeRule[];
}

/** Bounds of a check, for the script that makes it. */
export interface AxeInput {
  /** Elements of a page, and its width times its height, beyond which it is not checked. */
  readonly elements: number;
  readonly pixels: number;
  /** Elements that are listed of each rule, and characters of each text. */
  readonly listed: number;
  readonly length: number;
}

/** A check as the page's process gives it: unchecked. */
export interface RawAxeCheck {
  readonly end: AxeEnd;
  readonly violations: readonly {
    readonly rule: string;
    readonly impact: string;
    readonly nodes: Sample<AxeNode>;
  }[];
  readonly undecided: number;
}
