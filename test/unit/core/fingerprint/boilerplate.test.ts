import { describe, expect, it } from 'vitest';
import {
  BLOCK_LIMIT,
  isCounted,
  linesOf,
  NO_BOILERPLATE,
  ownLines,
  withPage,
  type BoilerplateCounts,
} from '../../../../src/core/fingerprint/boilerplate.ts';

/** A host after these pages and one before them, because no lines of the first page are kept. */
const hostOf = (...pages: readonly (readonly string[])[]): BoilerplateCounts =>
  pages.reduce(withPage, withPage(NO_BOILERPLATE, ['the first page of all']));
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('the lines that a host repeats', () => {
  it('are its template from the fifth page that has them on', () => {
    const page = (at: number): string[] => ['Home', 'About us', `Text ${at}`, 'All rights reserved'];
    expect(ownLines(hostOf(...times(4, page)), page(9))).toEqual(page(9));
    expect(ownLines(hostOf(...times(5, page)), page(9))).toEqual(['Text 9']);
  });

  it('are none where no more than a fifth of the pages has them', () => {
    const page = (at: number, every: number): string[] => [at % every === 0 ? 'Section' : `Other ${at}`, 'Home'];
    const seldom = hostOf(...times(120, (at) => page(at, 6)));
    expect(ownLines(seldom, ['Section', 'Home'])).toEqual(['Section']);
    const often = hostOf(...times(120, (at) => page(at, 2)));
    expect(ownLines(often, ['Section', 'Home'])).toEqual([]);
  });

  it('are those that the site has now, when it has got another template', () => {
    const old = times(240, (at) => ['Old menu', `Text ${at}`]);
    const now = times(400, (at) => ['New menu', `Newer text ${at}`]);
    const boilerplate = hostOf(...old, ...now);
    expect(ownLines(boilerplate, ['Old menu', 'New menu', 'x'])).toEqual(['Old menu', 'x']);
  });

  it('are found in a menu of a thousand entries, and what is kept stays bounded', () => {
    const menu = times(900, (at) => `Entry ${at}`);
    let boilerplate = NO_BOILERPLATE;
    for (let at = 0; at < 60; at += 1) {
      boilerplate = withPage(boilerplate, [...menu, ...times(5000, (line) => `Line ${line} of ${at}`), 'Imprint']);
      expect(boilerplate.counts.size).toBeLessThanOrEqual(BLOCK_LIMIT);
    }
    const own = ownLines(boilerplate, [...menu, 'Imprint', 'of its own']);
    expect(own.filter((line) => line === 'Imprint' || line === 'of its own')).toEqual(['of its own']);
    expect(own.length).toBeLessThan(400);
  });

  it('are kept small: of what was on one page only little is remembered', () => {
    const boilerplate = hostOf(...times(200, (at) => ['Home', ...times(100, (line) => `Line ${line} of ${at}`)]));
    expect(boilerplate.counts.size).toBeLessThan(400);
    expect(Math.max(...boilerplate.counts.values(), boilerplate.pages)).toBeLessThan(256);
  });

  it('do not mind white space at their ends, and empty ones are none', () => {
    expect(linesOf(' a \n\n\t\n b')).toEqual([' a ', ' b']);
    const page = (at: number): string[] => [' Home', `Text ${at}`];
    expect(ownLines(hostOf(...times(5, page)), ['Home  ', 'x'])).toEqual(['x']);
  });
});

describe('pages of a host', () => {
  it('are counted all at first, and one in eight when its template is known', () => {
    const digests = times(16, (at) => at.toString(16).padEnd(64, '0'));
    expect(digests.filter((digest) => isCounted({ pages: 49, counts: new Map() }, digest))).toHaveLength(16);
    expect(digests.filter((digest) => isCounted({ pages: 50, counts: new Map() }, digest))).toHaveLength(2);
  });
});
