import type { PageRule } from '../../model/audit-rule.ts';
import { stableAddress, stableText } from './stable-text.ts';

export const consoleError: PageRule = {
  id: 'console-error',
  severity: 'notice',
  category: 'behaviour',
  about: 'element',
  needsDetails: true,
  title: 'Script that reports an error on the console',
  why: 'Scripts write there what they could not do; readers see the consequence and not the message.',
  fix: 'Mend what the message names, or stop reporting what is no error.',
  source: { name: 'Console Standard', url: 'https://console.spec.whatwg.org/#error' },
  *checkPage({ url, details }) {
    for (const { text, source } of details?.behaviour?.consoleErrors.first ?? []) {
      yield {
        thing: `${stableText(text)} ${source === url ? '' : stableAddress(source ?? '')}`,
        message: `An error is reported on the console: ${text}`,
        evidence: { snippet: text, ...(source === null ? {} : { chain: [url, source] }) },
      };
    }
  },
};
