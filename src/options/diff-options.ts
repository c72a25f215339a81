/** Settings of the group `judgement` that say what a crawl is compared with (docs/regression.md). */
import { rowsOf, type GivenValues, type OptionRow } from './option-row.ts';
import * as textType from './text-type.ts';
import * as type from './value-type.ts';

const { option } = rowsOf('judgement');

export const DIFF_OPTIONS = {
  /** The crawl folder or baseline that a crawl is compared with when it has ended. */
  against: option({
    type: textType.path('the path of a crawl folder, or of a baseline'),
    flag: '--against <folder>',
    commands: ['crawl'],
    help: 'Compares the crawl with an earlier one, or with a baseline, when it has ended; what differs is told in place of the summary.',
  }) as OptionRow<string>,
  /** Learn what changes by itself, by two crawls of one state. */
  learnNoise: option({
    type: type.switchTo(true),
    flag: '--learn-noise',
    commands: ['crawl', 'diff'],
    help: 'Takes what two crawls of the same state differ in for noise of the first: crawl makes the second one by itself.',
  }) as OptionRow<boolean>,
  /** Share of the pixels of a screenshot that may differ; unlimited where `pictureRegion` is given alone. */
  pictureThreshold: option({
    type: type.decimal({ min: 0, max: 1 }),
    flag: '--picture-threshold <share>',
    commands: ['crawl', 'diff'],
    otherwise: '0',
    help: 'Screenshots may differ in this share of their pixels, as in 0.001; with --picture-region both must be kept.',
  }) as OptionRow<number>,
  /** Pixels of one region of a screenshot that may differ; unlimited where `pictureThreshold` is given alone. */
  pictureRegion: option({
    type: type.whole({ min: 0 }),
    flag: '--picture-region <pixels>',
    commands: ['crawl', 'diff'],
    otherwise: '0',
    help: 'Screenshots may differ in so many pixels of one region, as in 50; with --picture-threshold both must be kept.',
  }) as OptionRow<number>,
};

/** Given values of these settings. */
export type DiffValues = GivenValues<typeof DIFF_OPTIONS>;
