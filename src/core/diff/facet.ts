/** A facet of a comparison: one kind of thing that is compared, each in a file of its own (docs/regression.md). */
import { distinctPair } from './distinct-pair.ts';
import type { Observation, RuleSubject } from '../../model/audit-rule.ts';
import type { FacetName, PageSide } from '../../model/page-version.ts';
import type { RuleInfo } from '../../model/finding.ts';

/** Describes the differences of a facet, like a rule of an audit. */
export interface DifferenceRule extends RuleInfo {
  readonly about: RuleSubject;
}

/** A facet of pages: compares the old and the new version of a page. */
export interface PageFacet {
  readonly name: FacetName;
  readonly rule: DifferenceRule;
  /**
   * Yields nothing where there is no difference, or where one side is unknown.
   * @param steady a line without the parts that change by themselves
   */
  compare(old: PageSide, now: PageSide, steady: (line: string) => string): Iterable<Observation>;
}

const SOURCE = { name: 'Orbweaver: regression tests', url: 'https://github.com/orbweaver-crawler/orbweaver' };

/** Rules of differences are not standards: all have one source, and one default fix. */
export function differenceRule(
  fields: Pick<DifferenceRule, 'id' | 'severity' | 'category' | 'about' | 'title' | 'why'> & { readonly fix?: string },
): DifferenceRule {
  return {
    fix: 'If it was meant, approve it (orbweaver approve); if not, see what changed it.',
    source: SOURCE,
    ...fields,
  };
}

/** An address as a message shows it: that of another site begins with its host, as its scheme is not compared. */
export function shownAddress(address: string | null): string | null {
  return address === null ? null : address.replace(/^\/\//, '');
}

/** An earlier value and the present one as a message shows them. */
export function shownValues(before: string | null, after: string | null): readonly [before: string, after: string] {
  const [old, now] = before === null || after === null ? [before, after] : distinctPair(before, after);
  return [shownValue(old), shownValue(now)];
}

/** The value as a message shows it. */
export function shownValue(value: string | number | null): string {
  return value === null || value === '' ? 'nothing' : typeof value === 'number' ? String(value) : `“${value}”`;
}
