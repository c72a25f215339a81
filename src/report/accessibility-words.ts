/** The coverage of an accessibility check, and how much of accessibility such a check can see. */
import { counted, grouped } from '../base/count-words.ts';
import type { AccessibilityCoverage } from '../model/finding.ts';
import { shownText } from './shown-text.ts';

/**
 * Deque, The Automated Accessibility Coverage Report (2021): of some 300,000 problems that its audits of more than 13,000 pages had found, 57.38 %
 * were of sorts that axe-core finds. The figure is by the makers of axe-core.
 */
const LIMITS =
  'An automatic check sees a part of what keeps people out: 57 % of the problems in the audits of its makers (Deque, 2021, deque.com/automated-accessibility-coverage-report). The rest needs a person.';

const REASONS: Readonly<Record<keyof AccessibilityCoverage['notChecked'], string>> = {
  'timed-out': 'did not end in time',
  'too-large': 'too large',
  failed: 'broke on the page',
  'not-asked': 'not asked',
};

/** The coverage in sentences. */
export function accessibilitySentences(coverage: AccessibilityCoverage): readonly string[] {
  const { by, checked, notChecked, templates, undecided } = coverage;
  const missing = reasonsOf(notChecked);
  return [
    `Accessibility: ${shownText(by, 50)} checked ${counted(checked, 'judged page')}${templates === undefined ? '' : `, of ${grouped(templates.seen)} of ${counted(templates.all, 'page template')}`}${missing === '' ? '' : `; not checked: ${missing}`}.`,
    ...(undecided === 0
      ? []
      : [
          `It could not decide about ${counted(undecided, 'element')}, which ${undecided === 1 ? 'is no finding' : 'are no findings'}.`,
        ]),
    LIMITS,
  ];
}

function reasonsOf(notChecked: AccessibilityCoverage['notChecked']): string {
  return Object.entries(REASONS)
    .map(([name, words]) => [words, Object.entries(notChecked).find(([key]) => key === name)?.[1] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([words, count]) => `${grouped(count)} (${words})`)
    .join(', ');
}
