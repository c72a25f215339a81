import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BROWSER_DIFFERENCES, kindOf } from '../../../../browsers/launch/browser-differences.ts';

describe('what kinds of browser do otherwise', () => {
  it('stands in the documents as the program says it', () => {
    const text = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
    const [, table = ''] = /\| otherwise than with a headless shell[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)/.exec(text) ?? [];
    const rows = BROWSER_DIFFERENCES.map(({ of, words }) => {
      const columns = (['full', 'cdp', 'playwright'] as const).map((kind) => (of.includes(kind) ? 'yes' : ''));
      return `| ${[words, ...columns].join(' | ')} |`;
    });
    expect(table.trimEnd().split('\n')).toEqual(rows);
  });

  it('goes by the program, or by the protocol of the endpoint', () => {
    const executable = { kind: 'executable', path: '/x', source: 'test', variables: {} } as const;
    expect(kindOf({ ...executable, flavour: 'headless-shell' })).toBe('headless-shell');
    expect(kindOf({ ...executable, flavour: 'chromium' })).toBe('full');
    expect(kindOf({ kind: 'endpoint', url: 'http://127.0.0.1:9222', protocol: 'cdp' })).toBe('cdp');
    expect(kindOf({ kind: 'endpoint', url: 'ws://127.0.0.1:3000', protocol: 'playwright' })).toBe('playwright');
  });
});
