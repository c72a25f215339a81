import { sizeWords } from '../../base/size-words.ts';
import { differenceRule, type PageFacet } from './facet.ts';

/** Smaller differences come from compression, dates and ids of the same page (arbitrary). */
const LEAST_SHARE = 0.1;
const LEAST_BYTES = 10 * 1024;

export const WEIGHT: PageFacet = {
  name: 'weight',
  rule: differenceRule({
    id: 'changed-weight',
    severity: 'notice',
    category: 'weight',
    about: 'layout',
    title: 'Page that weighs much more, or much less',
    why: 'What is loaded costs time and data; what is not loaded any more may be missing.',
  }),
  *compare(old, now) {
    const [before, after] = weights(old, now);
    if (before === null || after === null) return;
    const difference = Math.abs(after - before);
    if (difference < LEAST_BYTES || difference < before * LEAST_SHARE) return;
    const share = before === 0 ? '' : ` (${after > before ? '+' : '-'}${Math.round((difference * 100) / before)} %)`;
    yield {
      message: `It weighed ${sizeWords(before)}, and weighs ${sizeWords(after)}${share}`,
      thing: after > before ? 'more' : 'less',
    };
  },
};

type Side = Parameters<PageFacet['compare']>[0];

/** Weights with all files where both sides know them, else of the documents alone. */
function weights(old: Side, now: Side): readonly [number | null, number | null] {
  const { weight: before } = old.content;
  const { weight: after } = now.content;
  return before === null || after === null ? [old.page.bytes, now.page.bytes] : [before, after];
}
