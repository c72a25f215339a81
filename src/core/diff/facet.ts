/** A facet of a comparison: one kind of thing that is compared, each in a file of its own (docs/regression.md). */
import type { Observation, RuleSubject } from '../../model/audit-rule.ts';
import type { FacetName, PageSide } from '../../model/page-version.ts';
import type { RuleInfo } from '../../model/finding.ts';

/** What the differences of a facet are called, as rules of an audit are. */
export interface DifferenceRule extends RuleInfo {
  readonly about: RuleSubject;
}

/** A facet of pages: what it says of a page as it was and as it is. */
export interface PageFacet {
  readonly name: FacetName;
  readonly rule: DifferenceRule;
  /** Nothing where there is no difference, or where one side does not know. */
  compare(old: PageSide, now: PageSide): Iterable<Observation>;
}

const SOURCE = { name: 'Orbweaver: regression tests', url: 'https://github.com/orbweaver-crawler/orbweaver' };

/** Rules of differences are not standards: all have one source, and one way to be mended. */
export function differenceRule(
  fields: Pick<DifferenceRule, 'id' | 'severity' | 'category' | 'about' | 'title' | 'why'> & { readonly fix?: string },
): DifferenceRule {
  return {
    fix: 'If it was meant, approve it (orbweaver approve); if not, see what changed it.',
    source: SOURCE,
    ...fields,
  };
}

/** The value as a message shows it. */
export function shownValue(value: string | number | null): string {
  return value === null || value === '' ? 'nothing' : typeof value === 'number' ? String(value) : `“${value}”`;
}
