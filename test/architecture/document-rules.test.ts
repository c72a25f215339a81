import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FACET_WORDS } from '../../src/core/diff/facets.ts';
import { AUDIT_RULES } from '../../src/core/audit-rules/rules.ts';
import { FINDING_CONFIDENCES, NOT_JUDGED_REASONS, RULE_CATEGORIES, SEVERITIES } from '../../src/model/finding.ts';
import { FACETS } from '../../src/model/page-version.ts';

const text = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');

/** The rows of the table below a head line. */
function rowsUnder(head: string): readonly string[] {
  return text.slice(text.indexOf(head)).split('\n\n')[0]?.split('\n').slice(2) ?? [];
}

describe('docs/audit.md', () => {
  it('shows every rule as the program has it, in its order, and no other', () => {
    expect(rowsUnder('| rule | severity |')).toEqual(
      AUDIT_RULES.map(
        ({ id, severity, about, title, why, fix, source }) =>
          `| \`${id}\` | ${severity} | ${about} | ${title}. ${why} | ${fix} | [${source.name}](${source.url}) |`,
      ),
    );
  });

  it('names every reason why a page is not judged, every severity and every confidence', () => {
    const reasons = rowsUnder('| reason | the page |').map((row) => /`([\w-]+)`/.exec(row)?.[1]);
    expect(reasons).toEqual([...NOT_JUDGED_REASONS]);
    const rowOf = (field: string): string => text.split('\n').find((row) => row.startsWith(`| \`${field}\` |`)) ?? '';
    for (const word of SEVERITIES) expect(rowOf('severity')).toContain(`\`${word}\``);
    for (const word of FINDING_CONFIDENCES) expect(rowOf('confidence')).toContain(`\`${word}\``);
  });
});

describe('docs/regression.md', () => {
  it('shows every facet as the program has it, in its order, and no other', () => {
    const page = readFileSync(new URL('../../docs/regression.md', import.meta.url), 'utf8');
    const rows = page.slice(page.indexOf('| facet |')).split('\n\n')[0]?.split('\n').slice(2) ?? [];
    expect(Object.keys(FACET_WORDS)).toEqual([...FACETS]);
    expect(rows).toEqual(
      Object.entries(FACET_WORDS).map(([name, [what, how]]) => `| \`${name}\` | ${what} | ${how} |`),
    );
  });
});

describe('a rule', () => {
  it.each(AUDIT_RULES.map((rule) => [rule.id, rule] as const))(
    '%s says what, why, how and by which source',
    (id, rule) => {
      expect(id).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
      expect(RULE_CATEGORIES).toContain(rule.category);
      expect(rule.title).toMatch(/^[A-Z][^.]*$/);
      for (const sentence of [rule.why, rule.fix]) expect(sentence).toMatch(/^[A-Z<].*[.>]\.?$/);
      expect(rule.source.url).toMatch(/^https:\/\//);
      for (const cell of [rule.title, rule.why, rule.fix, rule.source.name]) expect(cell).not.toMatch(/[|\n]/);
    },
  );
});
