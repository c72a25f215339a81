/** Rules of axe-core as rules of an audit: `axe-image-alt`. Their set depends on the crawl, which keeps them. */
import { cutText } from '../../base/cut-text.ts';
import type { AxeImpact, AxeRule } from '../../model/accessibility.ts';
import type { PageRule } from '../../model/audit-rule.ts';
import type { Severity } from '../../model/finding.ts';

/** Impacts are axe-core's own estimate of a defect's meaning to affected users. */
const SEVERITIES: Readonly<Record<AxeImpact, Severity>> = {
  critical: 'error',
  serious: 'error',
  moderate: 'warning',
  minor: 'notice',
};
const WHY = 250;

export function axeRule({ id: rule, help, description, helpUrl, tags }: AxeRule): PageRule {
  const id = `axe-${rule}`;
  return {
    id,
    severity: 'error',
    category: 'accessibility',
    about: 'element',
    needsDetails: true,
    title: help,
    why: `${sentence(description)} ${basis(tags)}`,
    fix: 'Mend what the finding names; the page of axe-core about the rule says how, with examples.',
    source: { name: `axe-core: ${rule}`, url: helpUrl },
    *checkPage({ url, accessibility }) {
      for (const violation of accessibility) {
        if (violation.rule !== rule) continue;
        const { impact, thing, tag, selector, snippet, why } = violation;
        yield {
          thing,
          severity: SEVERITIES[impact],
          message: `${cutText(tag, WHY)}: ${why === '' ? help : cutText(why, WHY)}`,
          evidence: { selector, snippet },
          sources: { count: 1, first: [{ url, selector }] },
        };
      }
    },
  };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The basis of the rule, by its tags: `wcag143` is success criterion 1.4.3. */
function basis(tags: readonly string[]): string {
  const criteria = tags.flatMap((tag) => {
    const [, first, second, third] = /^wcag(\d)(\d)(\d{1,2})$/.exec(tag) ?? [];
    return first === undefined ? [] : [`${first}.${second}.${third}`];
  });
  if (criteria.length > 0) return `WCAG ${criteria.join(', ')}.`;
  return tags.includes('best-practice') ? 'Good practice beyond WCAG.' : '';
}
