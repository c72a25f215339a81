/** All flags of `crawl`, `resume`, `audit` and `diff`, in the order of the help: one for each row of the options, and those of the command line alone. */
import { JUDGEMENT_OPTIONS } from '../../options/judgement-options.ts';
import { AUDIT_OPTIONS } from '../../options/audit-options.ts';
import { DIFF_OPTIONS } from '../../options/diff-options.ts';
import { OPTIONS } from '../../options/options.ts';
import { flagOf, type Flag } from './flag.ts';
import { TERMINAL_OPTIONS } from './terminal-options.ts';

/** Flags of the command line alone, by the option that they precede in the help; others stand at its end. */
const BEFORE: Readonly<Record<string, readonly (keyof typeof TERMINAL_OPTIONS)[]>> = {
  sitemaps: ['urls', 'urlList'],
  allowPrivate: ['config'],
  logLevel: ['progress', 'quiet', 'verbose'],
  dryRun: ['logJson'],
};

function allFlags(): readonly Flag[] {
  const placed = Object.values(BEFORE).flat();
  const own = (keys: readonly (keyof typeof TERMINAL_OPTIONS)[]): readonly Flag[] =>
    keys.map((key) => flagOf(key, TERMINAL_OPTIONS[key]));
  return [
    ...Object.entries(OPTIONS).flatMap(([key, row]) => [...own(BEFORE[key] ?? []), flagOf(key, row)]),
    ...Object.entries(TERMINAL_OPTIONS).flatMap(([key, row]) =>
      placed.some((each) => each === key) ? [] : [flagOf(key, row)],
    ),
    ...Object.entries(JUDGEMENT_OPTIONS).map(([key, row]) => flagOf(key, row)),
    ...Object.entries(AUDIT_OPTIONS).map(([key, row]) => flagOf(key, row)),
    ...Object.entries(DIFF_OPTIONS).map(([key, row]) => flagOf(key, row)),
  ];
}

export const FLAGS: readonly Flag[] = allFlags();
