/**
 * Results of axe-core: its rules (axe.json of a crawl folder) and its findings on a page (in the page's line of details.jsonl). Text from a page
 * is hostile: rule names must be those of the package, and other texts are cut when they are read.
 */
import type { Sample } from './page-details.ts';

/** `all` pages, or one page of each `template`. */
export const AXE_CHOICES = ['all', 'template'] as const;
export type AxeChoice = (typeof AXE_CHOICES)[number];

/** Impacts of axe-core, in its words. */
export const AXE_IMPACTS = ['minor', 'moderate', 'serious', 'critical'] as const;
export type AxeImpact = (typeof AXE_IMPACTS)[number];

/**
 * How the check of a page ended.
 * - `timed-out`: it ran out of time, or the page did not answer.
 * - `too-large`: the page has too many elements, or too large an area.
 * - `failed`: axe-core failed on this page.
 */
export const AXE_ENDS = ['done', 'timed-out', 'too-large', 'failed'] as const;
export type AxeEnd = (typeof AXE_ENDS)[number];

export interface AxeNode {
  readonly selector: string;
  /** Its markup, cut. */
  readonly snippet: string;
  /** Description of the fault, in the words of axe-core. */
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
  /** Elements that it could not decide on. */
  readonly undecided: number;
}

/** A rule of axe-core, in its words. */
export interface AxeRule {
  readonly id: string;
  readonly help: string;
  readonly description: string;
  /** URL of axe-core's page about the rule; https:. */
  readonly helpUrl: string;
  /** `wcag2aa`, `best-practice`, `cat.color` … */
  readonly tags: readonly string[];
}

/** Version, page choice and rules of a crawl's accessibility check. */
export interface AxeCatalogue {
  /** Version of axe-core. */
  readonly version: string;
  readonly pages: AxeChoice;
  readonly rules: readonly AxeRule[];
}

/** Limits of a check, for the script that runs it. */
export interface AxeInput {
  /** Most elements, and largest width times height, of a page that is checked. */
  readonly elements: number;
  readonly pixels: number;
  /** Most elements listed per rule, and most characters per text. */
  readonly listed: number;
  readonly length: number;
}

/** A check as the page's process returns it, not validated. */
export interface RawAxeCheck {
  readonly end: AxeEnd;
  readonly violations: readonly {
    readonly rule: string;
    readonly impact: string;
    readonly nodes: Sample<AxeNode>;
  }[];
  readonly undecided: number;
}
