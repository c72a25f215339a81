import { describe, expect, it } from 'vitest';
import { COVERING, NameCover } from '../../../../src/core/page-clusters/name-cover.ts';

function coverOf(...pages: readonly (readonly string[])[]): NameCover {
  const cover = new NameCover();
  for (const names of pages) cover.enter(names);
  return cover;
}

/** The number of equal pages with these names until one is covered. */
function pagesUntilHeld(cover: NameCover, names: readonly string[]): number {
  let pages = 0;
  while (!cover.holds(names) && pages < 100) {
    cover.enter(names);
    pages += 1;
  }
  return pages;
}

const MANY = Array.from({ length: 10 }, () => ['<p', '.main']);

describe('a cover of names', () => {
  it('holds names that three pages had', () => {
    const cover = coverOf(...MANY, ['<p', '.main', '.tabs']);
    expect(cover.holds(['<p', '.main'])).toBe(true);
    expect(pagesUntilHeld(cover, ['<p', '.main', '.tabs'])).toBe(COVERING - 1);
  });

  it('does not hold a page without what each of them had', () => {
    const cover = coverOf(...MANY);
    expect(cover.holds(['<p'])).toBe(false);
    expect(cover.enter(['<p'])).toBe(true);
    expect([cover.holds(['<p']), cover.holds(['.main'])]).toEqual([true, false]);
  });

  it('says whether a page covers more', () => {
    const cover = coverOf(...MANY);
    expect(cover.enter(['<p', '.main'])).toBe(false);
    expect(cover.enter(['<p', '.main', '.tabs'])).toBe(true);
  });

  it('lets go of the rarest names of a page that was not the same, for longer each time', () => {
    const cover = coverOf(...MANY, ...Array.from({ length: 4 }, () => ['<p', '.main', '.code', '.tabs']), [
      '<p',
      '.main',
      '.code',
    ]);
    const page = ['<p', '.main', '.code', '.tabs'];
    expect(cover.blame(page)).toBe(true);
    expect([cover.holds(page), cover.holds(['<p', '.main', '.code'])]).toEqual([false, true]);
    const first = pagesUntilHeld(cover, page);
    cover.blame(page);
    const second = pagesUntilHeld(cover, page);
    expect([first, second]).toEqual([5 + COVERING, 10 + COVERING]);
  });

  it('finds nothing to blame where most of the others had the same names, or the page had none', () => {
    expect(coverOf(...MANY).blame(['<p', '.main'])).toBe(false);
    expect(new NameCover().blame([])).toBe(false);
    expect(coverOf(...MANY).blame(['<p'])).toBe(true);
  });
});
