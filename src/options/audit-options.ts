/** Settings of the group `judgement` that say what an audit applies. `crawl` and `resume` have `external` alone. */
import { JUDGING } from './judgement-options.ts';
import { rowsOf, type GivenValues, type OptionRow } from './option-row.ts';
import * as textType from './text-type.ts';

const { option } = rowsOf('judgement');

export const AUDIT_OPTIONS = {
  /** The only rules that are applied. */
  rules: option({
    type: textType.names({
      accepts: 'names of rules with commas between them, as in broken-link,missing-title',
      pattern: /\S/,
    }),
    flag: '--rules <names>',
    otherwise: 'all',
    help: 'Applies these rules alone.',
  }) as OptionRow<readonly string[]>,
  /** Rules that are not applied. */
  withoutRules: option({
    type: textType.names({
      accepts: 'names of rules with commas between them, as in image-without-size,deep-page',
      pattern: /\S/,
    }),
    flag: '--without-rules <names>',
    otherwise: 'none',
    help: 'Leaves these rules out.',
  }) as OptionRow<readonly string[]>,
  /** Origins that stand for each other. */
  map: option({
    type: textType.texts({
      accepts: 'two origins, as in https://staging.example.org=https://example.org',
      pattern: /^\S+=\S+$/,
    }),
    flag: '--map <origin=origin>',
    commands: JUDGING,
    help: 'Takes two origins for one, so that findings keep their ids on a copy of the site; may be given several times.',
  }) as OptionRow<readonly string[]>,
};

/** Given values of these settings. */
export type AuditValues = GivenValues<typeof AUDIT_OPTIONS>;
