import { sizeWords } from '../../base/size-words.ts';
import type { PageRule } from '../../model/audit-rule.ts';

/** Bytes: a smaller file is not worth the work. */
const LARGE = 50 * 1024;

export const oversizedImage: PageRule = {
  id: 'oversized-image',
  severity: 'notice',
  category: 'weight',
  about: 'target',
  needsDetails: true,
  title: 'Image that is much larger than it is shown',
  why: 'More than three quarters of its pixels are loaded for nothing.',
  fix: 'Offer the image in the sizes in which it is shown (srcset and sizes).',
  source: {
    name: 'HTML Standard, responsive images',
    url: 'https://html.spec.whatwg.org/multipage/images.html#introduction-3',
  },
  *checkPage({ details }) {
    for (const { url, width, height, shownWidth, shownHeight, bytes, party } of details?.behaviour?.images.first ??
      []) {
      if (party !== 'first' || bytes < LARGE) continue;
      yield {
        target: url,
        // phones may show it larger, and with more pixels
        confidence: 'medium',
        message: `${url} has ${width} × ${height} pixels (${sizeWords(bytes)}) and is shown at ${shownWidth} × ${shownHeight}`,
      };
    }
  },
};
