import type { PageRule } from '../../model/audit-rule.ts';
import { stableAddress } from './stable-text.ts';

export const deprecatedFeature: PageRule = {
  id: 'deprecated-feature',
  severity: 'notice',
  category: 'behaviour',
  about: 'element',
  needsDetails: true,
  title: 'Script that uses what browsers will take away',
  why: 'A later version of the browser does without the feature, and the script stops working.',
  fix: 'Use what has taken its place; the documentation of browsers names it.',
  source: { name: 'Chrome platform status', url: 'https://chromestatus.com/features#deprecated' },
  *checkPage({ url, details }) {
    for (const { text, source } of details?.behaviour?.deprecations.first ?? []) {
      yield {
        thing: `${text} ${source === url ? '' : stableAddress(source ?? '')}`,
        message: `A deprecated feature is used: ${text}${source === null ? '' : `, in ${source}`}`,
        evidence: { snippet: text },
      };
    }
  },
};
