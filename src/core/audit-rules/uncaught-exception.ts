import type { PageRule } from '../../model/audit-rule.ts';
import { hostOf } from './host-of.ts';
import { stableAddress, stableText } from './stable-text.ts';

/** Chromium's texts of the errors that `fetch` and others throw when no answer came. */
const NO_ANSWER = /\bTypeError: (?:Failed to fetch|network error)\b|\bNetworkError\b/;

export const uncaughtException: PageRule = {
  id: 'uncaught-exception',
  severity: 'warning',
  category: 'behaviour',
  about: 'element',
  needsDetails: true,
  title: 'Script that breaks off with an error',
  why: 'What stands behind the failing line does not run, and a part of the page may be missing or dead.',
  fix: 'Open the page with the developer tools, follow the error to its line, and mend it there.',
  source: {
    name: 'HTML Standard, runtime script errors',
    url: 'https://html.spec.whatwg.org/multipage/webappapis.html#runtime-script-errors',
  },
  *checkPage({ url, details }) {
    const { exceptions, failed } = details?.behaviour ?? {};
    const ownFails = failed?.first.some(({ party }) => party === 'first') ?? false;
    for (const { text, source } of exceptions?.first ?? []) {
      // other rules report failed requests; requests to other sites may fail for this machine alone
      if (NO_ANSWER.test(text) && !ownFails) continue;
      const isOther = source !== null && /^https?:/.test(source) && hostOf(source) !== hostOf(url);
      // an inline script has the page as its source: the same script stands on many pages
      const where = source === null || source === url ? 'a script of the page' : source;
      yield {
        thing: `${stableText(text)} ${source === url ? '' : stableAddress(source ?? '')}`,
        // other browsers may support what this one lacks
        confidence: 'medium',
        ...(isOther ? { severity: 'notice' as const } : {}),
        message: `An error is thrown in ${where}, and nothing catches it: ${text}`,
        evidence: { snippet: text, ...(source === null ? {} : { chain: [url, source] }) },
      };
    }
  },
};
