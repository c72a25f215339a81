/** Settings of the group `judgement`: how an audit is reported, and when it fails. `audit` has all; `crawl`, `diff` and `resume` have some. */
import { rowsOf, type GivenValues, type OptionRow } from './option-row.ts';
import * as textType from './text-type.ts';
import * as type from './value-type.ts';

const { option } = rowsOf('judgement');

/** Commands that report and may fail: a crawl does with --audit or --against. */
export const JUDGING = ['crawl', 'audit', 'diff'] as const;

const EXTERNAL_WAYS = ['none', 'check'] as const;

export const JUDGEMENT_OPTIONS = {
  /** Reporters, each `name` or `name=file`; default `list` and `html`. */
  reporters: option({
    type: textType.texts({
      accepts: 'names of reporters with commas between them, each may be name=file, as in list,junit=junit.xml',
      pattern: /^\s*[a-z]/,
    }),
    flag: '--reporter <names>',
    commands: JUDGING,
    otherwise: 'list,html',
    help: 'How to report: list, json, html, junit, sarif, markdown, github; each may be name=file, - is standard output.',
  }) as OptionRow<readonly string[]>,
  /** Gates, each a severity, rule, category or group, with the number of findings from which it fails. */
  failOn: option({
    type: textType.texts({
      accepts: 'a severity, rule, category or group, with an optional number, as in error or broken-link:5',
      pattern: /\S/,
    }),
    flag: '--fail-on <what>',
    commands: JUDGING,
    help: 'Fails with findings of this severity (or worse), rule, category or group, from :n on; may be given several times.',
  }) as OptionRow<readonly string[]>,
  /** A baseline file, or the folder of an earlier crawl that was audited. */
  baseline: option({
    type: textType.path('the path of a baseline file, or of the folder of a crawl that was audited'),
    flag: '--baseline <path>',
    help: 'Counts only findings that this file, or the audit in this crawl folder, does not have.',
  }) as OptionRow<string>,
  /** Write new findings into the baseline file. */
  updateBaseline: option({
    type: type.switchTo(true),
    flag: '--update-baseline',
    help: 'Accepts what is new: writes it to the file of --baseline, and leaves out what is gone.',
  }) as OptionRow<boolean>,
  /** Least number of judged pages. */
  minPages: option({
    type: type.whole({ min: 1 }),
    flag: '--min-pages <n>',
    commands: JUDGING,
    help: 'Fails where fewer pages than this were judged.',
  }) as OptionRow<number>,
  /** Least share of the expected pages that are judged, 0 to 1. */
  minCoverage: option({
    type: type.decimal({ min: 0, max: 1 }),
    flag: '--min-coverage <share>',
    commands: JUDGING,
    help: 'Fails where less than this share of the expected pages was judged, as in 0.9.',
  }) as OptionRow<number>,
  /** Are links to other sites checked? Default `check` in `audit`, `none` after a crawl. */
  external: option({
    type: type.choice(EXTERNAL_WAYS),
    flag: '--external <word>',
    otherwise: 'check in audit, none in crawl --audit',
    help: 'Links to other sites: check asks for them, politely and without robots.txt; none asks nothing and says nothing of them.',
    alsoResume: true,
  }) as OptionRow<(typeof EXTERNAL_WAYS)[number]>,
};

/** Given values of these settings. */
export type JudgementValues = GivenValues<typeof JUDGEMENT_OPTIONS>;
