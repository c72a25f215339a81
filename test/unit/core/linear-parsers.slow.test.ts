import { beforeAll, describe, expect, it } from 'vitest';
import type { Growth } from '../../support/growth/measure.ts';
import { PARSERS } from '../../support/growth/parsers.ts';
import { parserGrowths } from '../../support/growth/run.mjs';

/** Milliseconds for all of them: half a minute on an idle machine. */
const TIMEOUT = 600_000;

describe('hostile text', () => {
  const growths = new Map<string, Growth[]>();

  beforeAll(async () => {
    await parserGrowths((growth) => {
      growths.set(growth.parser, [...(growths.get(growth.parser) ?? []), growth]);
    });
  }, TIMEOUT);

  it.each(PARSERS.map(({ name }) => name))('costs %s work in proportion to its length', (name) => {
    const all = growths.get(name) ?? [];
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ fault }) => fault !== null).map(({ text, fault }) => `${text}: ${fault}`)).toEqual([]);
  });
});
