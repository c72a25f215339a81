/** The look of a page: one report for a page, in however many windows it differs. */
import type { Observation } from '../../model/audit-rule.ts';
import type { PictureChange } from '../../model/picture-change.ts';
import { differenceRule, type DifferenceRule } from './facet.ts';

export const SCREENSHOT_RULE: DifferenceRule = differenceRule({
  id: 'changed-screenshot',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Page that looks different',
  why: 'Readers see something else than before, whether or not its text is the same.',
});

/** @param changes of one page, at least one; the first of them is shown in full */
export function screenshotObservation(changes: readonly PictureChange[]): Observation {
  const selector = changes.flatMap(({ regions }) => regions.flatMap((region) => region.selector ?? []))[0];
  const words = changes.map((change) => `${changeWords(change)}${windowWords(change)}`);
  return {
    message: `The picture changed: ${words.join('; ')}`,
    ...(selector === undefined ? {} : { evidence: { selector } }),
  };
}

function windowWords({ viewport }: PictureChange): string {
  return viewport === 'first' ? '' : ` in the window of ${viewport}`;
}

function changeWords({ share, regions, regionsTotal, sizes }: PictureChange): string {
  const [largest] = regions;
  const [before, after] = sizes.map(({ width, height }) => `${width} × ${height}`);
  const size = before === after ? [] : [`it has ${after ?? ''} pixels, and had ${before ?? ''}`];
  if (largest === undefined) return [`${percentWords(share)} of the pixels`, ...size].join(', ');
  const where = largest.selector === null ? `at ${largest.x}, ${largest.y}` : `in ${largest.selector}`;
  const place = regionsTotal === 1 ? where : `in ${regionsTotal} regions, the largest ${where}`;
  return [`${percentWords(share)} of the pixels`, place, ...size].join(', ');
}

/** Never `0 %` where something differs. */
export function percentWords(share: number): string {
  return share > 0 && share < 0.0001 ? 'less than 0.01 %' : `${(share * 100).toFixed(2)} %`;
}

/** Selectors by which noise may name an element: its own, and those of its ancestors but for the root of the page. */
export function selectorSpellings(selector: string | null): readonly string[] {
  if (selector === null) return [''];
  const steps = selector.split(' > ');
  const around = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join(' > '));
  return [selector, ...around.filter((each) => !/^html(?: > body)?$|^body$/.test(each))];
}
