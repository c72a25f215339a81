/** Kinds of value that only one flag takes. */
import { milliseconds } from '../base/units.ts';
import type { CrawlOptions } from '../options/options.ts';
import { single, text, type Kind } from './kind.ts';
import { parseDuration } from './quantity.ts';

/** Longest duration of any option: 30 days. */
export const LONGEST: number = 30 * 24 * 3_600_000;

/** What may stand in a header. */
export const printable: Kind<string> = text('printable ASCII', /^[\x20-\x7e]+$/);

/** When a page counts as done. */
export const settleMode: Kind<NonNullable<CrawlOptions['settle']>> = single(
  'auto, load, or a duration such as 2s that is waited after the load event',
  'a number or a text',
  (text) => {
    if (text === 'auto' || text === 'load') return { kind: text };
    const duration = parseDuration(text);
    return duration === null || duration > LONGEST ? null : { kind: 'after', duration: milliseconds(duration) };
  },
);

/** Size of the browser window. */
export const viewport: Kind<NonNullable<CrawlOptions['viewport']>> = single(
  'width x height in pixels, each from 100 to 8192, as in 1280x800',
  'a text',
  (text) => {
    const [width = 0, height = 0] = /^\d{3,4}x\d{3,4}$/i.test(text) ? text.split(/x/i).map(Number) : [];
    return [width, height].every((side) => side >= 100 && side <= 8192) ? { width, height } : null;
  },
);
