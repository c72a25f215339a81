import { describe, expect, it } from 'vitest';
import { learnedNoise } from '../../../src/compare/learned-noise.ts';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { comparedSites, storeComparedSite, toldBy } from '../../support/compared-sites.ts';

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Terms</title></head><body>${body}</body></html>`;
const told = async (before: string, now: string): Promise<readonly string[]> =>
  toldBy(await comparedSites({ pages: { '/': page(before) } }, { pages: { '/': page(now) } }));
const list = (...items: readonly string[]): string => items.map((item) => `<p>${item}</p>`).join('');

const PIER = 'Who rents a boat brings it back to the pier.';
const TOM = 'Tom keeps the keys of all boats in his house.';

describe('a passage at another place of its page', () => {
  it('is neither lost nor new', async () => {
    expect(await told(list(PIER, TOM, 'Imprint', 'Prices'), list(TOM, 'Imprint', 'Prices', PIER))).toEqual([
      `changed-text: The text has a passage at another place: “${PIER}”`,
    ]);
  });

  it('is one of several in a list in another order', async () => {
    expect(
      await told(
        list('Boats', 'Houses', 'Ships', 'Trees', 'Imprint'),
        list('Trees', 'Ships', 'Houses', 'Boats', 'Imprint'),
      ),
    ).toEqual(['changed-text: The text has 3 passages at another place']);
  });

  it('is several lines that stay together', async () => {
    expect(
      await told(list(PIER, TOM, 'Imprint', 'Prices', 'Hours'), list('Imprint', 'Prices', 'Hours', PIER, TOM)),
    ).toEqual([`changed-text: The text has a passage at another place: “${PIER} ${TOM}”`]);
  });

  it('does not hide another change beside it', async () => {
    expect(
      await told(
        list(PIER, 'Ask for Tom.', 'Imprint', TOM, 'Hours'),
        list('Ask for Ann.', 'Imprint', TOM, PIER, 'Hours'),
      ),
    ).toEqual(['changed-text: The text changed in 2 passages']);
  });

  it('is lost where it stood twice, and stands there once now', async () => {
    expect(await told(list(PIER, 'Imprint', TOM, PIER), list('Imprint', TOM, PIER))).toEqual([
      `changed-text: The text lost a passage: “${PIER}”`,
    ]);
  });

  it('is no short value that two lines exchanged', async () => {
    expect(
      await told(list('Lights', 'Yes', 'Anchors', 'Ropes', 'No'), list('Lights', 'No', 'Anchors', 'Ropes', 'Yes')),
    ).toEqual(['changed-text: The text changed in 2 passages']);
  });

  it('is noise where it moves by itself', async () => {
    await using old = await storeComparedSite({ pages: { '/': page(list(PIER, TOM, 'Imprint', 'Prices')) } });
    await using again = await storeComparedSite({ pages: { '/': page(list(TOM, 'Imprint', 'Prices', PIER)) } });
    await learnedNoise(old.folder, again.folder, new AbortController().signal);
    const { notes, findings } = await diffCrawls(old.folder, again.folder);
    expect(findings).toEqual([]);
    expect(notes).toContain(`noise: text “${PIER}” on / changes by itself; 1 difference masked`);
  });
});

describe('a passage on another page', () => {
  it('is told with that page on both', async () => {
    const site = (start: string, about: string): { pages: Record<string, string> } => ({
      pages: { '/': page(start), '/about': page(about) },
    });
    expect(
      toldBy(
        await comparedSites(
          site(list('Start', PIER, 'Imprint'), list('About', 'Imprint')),
          site(list('Start', 'Imprint'), list('About', PIER, 'Imprint')),
        ),
      ),
    ).toEqual([
      `changed-text: The text lost a passage: “${PIER}”; /about has it now`,
      `changed-text: The text has a new passage: “${PIER}”; / had it before`,
    ]);
  });
});
