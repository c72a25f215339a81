import type { PageVersion } from '../../model/page-version.ts';
import { differenceRule, type PageFacet } from './facet.ts';

export const STATUS: PageFacet = {
  name: 'status',
  rule: differenceRule({
    id: 'changed-status',
    severity: 'warning',
    category: 'links',
    about: 'page',
    title: 'Address that answers otherwise',
    why: 'Its status, or what kind of thing it is, is not what it was.',
  }),
  *compare({ page: old }, { page: now }) {
    if (old.status === now.status && old.outcome === now.outcome) return;
    // the facet of redirects compares two redirects
    if (old.outcome === 'redirected' && now.outcome === 'redirected') return;
    yield { message: `It answered with ${answerWords(old)}, and now with ${answerWords(now)}` };
  },
};

/** `status 200`, `a redirect (301) to /new`, `no answer in time`. */
export function answerWords({ outcome, status, redirect }: PageVersion): string {
  const code = status === null ? '' : ` (status ${status})`;
  switch (outcome) {
    case 'captured':
    case 'http-error':
      return status === null ? 'a page' : `status ${status}`;
    case 'redirected':
      return `a redirect${code}${redirect === null ? '' : ` to ${redirect}`}`;
    case 'not-html':
      return `a file that is no page${code}`;
    case 'unreachable':
      return 'nothing: it could not be reached';
    case 'timed-out':
      return 'nothing in time';
    case 'crashed':
      return 'what the browser crashed over';
    case 'too-large':
      return 'more than is read';
  }
}
