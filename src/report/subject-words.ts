/** An audit and a comparison are reported in the same form; these words differ. */
import { siteHosts } from '../core/gates/site-address.ts';
import type { AuditResult } from '../model/finding.ts';
import { shownText } from './shown-text.ts';

export interface SubjectWords {
  /** `Audit of`, before the site. */
  readonly title: string;
  readonly brand: string;
  /** Name for programs: `audit`. */
  readonly name: string;
  readonly noun: 'finding' | 'difference';
  /** Heading over all of them. */
  readonly all: string;
  /** Heading over the most urgent groups. */
  readonly first: string;
  /** The same in a menu. */
  readonly firstShort: string;
  /** The sentence below it. */
  readonly firstWhy: string;
  readonly nothingOpen: string;
}

const AUDIT: SubjectWords = {
  title: 'Audit of',
  brand: 'Orbweaver audit',
  name: 'audit',
  noun: 'finding',
  all: 'Findings',
  first: 'What to mend first',
  firstShort: 'Mend first',
  firstWhy: 'One change probably mends each of these: findings of one rule on pages of one kind.',
  nothingOpen: 'No finding is open.',
};

const DIFF: SubjectWords = {
  title: 'Changes of',
  brand: 'Orbweaver diff',
  name: 'diff',
  noun: 'difference',
  all: 'Differences',
  first: 'What to look at first',
  firstShort: 'Look at first',
  firstWhy: 'One change probably made each of these: differences of one kind on pages of one kind.',
  nothingOpen: 'Nothing differs.',
};

const TEST: SubjectWords = { ...DIFF, title: 'Test of', brand: 'Orbweaver test', name: 'test' };

export function subjectWords({ against }: Pick<AuditResult, 'against'>): SubjectWords {
  if (against === undefined) return AUDIT;
  return against.kind === 'expectation' ? TEST : DIFF;
}

/** `since 2026-01-02 (orbweaver-example.org-20260102-030405)`; null for an audit. */
export function sinceWords({ against }: Pick<AuditResult, 'against'>): string | null {
  if (against === undefined) return null;
  const { folder, kind, seeds, started } = against;
  if (kind === 'expectation') return shownText(`against ${folder.split(/[\\/]/).slice(-2).join('/')}`, 300);
  const name = folder.split(/[\\/]/).at(-1) ?? folder;
  const hosts = siteHosts(seeds).slice(0, 3).join(', ');
  return shownText(`since ${started.slice(0, 10)} (${kind === 'baseline' ? 'baseline ' : ''}${name}, ${hosts})`, 300);
}
