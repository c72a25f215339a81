/** Everything that flags, environment and config file can set: the crawl's own options and what the terminal shows. */
import { JUDGEMENT_OPTIONS, type JudgementValues } from '../../options/judgement-options.ts';
import { AUDIT_OPTIONS, type AuditValues } from '../../options/audit-options.ts';
import { DIFF_OPTIONS, type DiffValues } from '../../options/diff-options.ts';
import type { GivenValues } from '../../options/option-row.ts';
import type { CrawlOptions } from '../../options/options.ts';
import { TERMINAL_OPTIONS } from './terminal-options.ts';

export interface Settings
  extends Omit<CrawlOptions, 'seeds'>, GivenValues<typeof TERMINAL_OPTIONS>, JudgementValues, AuditValues, DiffValues {}

/** Settings while they are collected, by the keys of the tables: the value that a row reads has the type of its setting. */
export type SettingsDraft = Record<string, unknown>;

/** Puts the settings of higher rank over those of lower rank, whole values at a time. */
export function mergeSettings(...fromLowToHigh: readonly (Settings | SettingsDraft)[]): Settings {
  return Object.assign({}, ...fromLowToHigh);
}

/** The settings that are the crawl's own. */
export function crawlInput(settings: Settings): Omit<CrawlOptions, 'seeds'> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([key]) =>
        !Object.hasOwn(TERMINAL_OPTIONS, key) &&
        !Object.hasOwn(JUDGEMENT_OPTIONS, key) &&
        !Object.hasOwn(AUDIT_OPTIONS, key) &&
        !Object.hasOwn(DIFF_OPTIONS, key),
    ),
  );
}
