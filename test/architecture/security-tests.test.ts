import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const security = readFileSync(new URL('SECURITY.md', root), 'utf8');
/** Ids of the rows of the hostile suite: `F01`, `H33`. */
const rows = readFileSync(new URL('test/hostile/RESULTS.md', root), 'utf8').match(/^\| [FH]\d\d /gm) ?? [];

describe('SECURITY.md', () => {
  it('names tests that are there', () => {
    const named = [...security.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('names fixtures that are there', () => {
    const ids = new Set(rows.map((row) => row.slice(2, 5)));
    const named = security.match(/\b[FH]\d\d\b/g) ?? [];
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
    expect(rows.length).toBe(99);
  });
});
