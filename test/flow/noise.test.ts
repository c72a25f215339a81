/** Parts that a site's scripts change by themselves, in real crawls: learnt once, and ignored from then on. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffCrawls } from '../../src/compare/diff-crawls.ts';
import { runHere } from '../support/command-here.ts';
import { toldBy } from '../support/compared-sites.ts';
import { noisySite } from '../support/noisy-site.ts';
import { temporaryFolder } from '../support/temporary-site.ts';

test('dates, banners, counters, a carousel and late pictures are no differences once they are learnt, and a new price is one', async () => {
  await using site = await noisySite();
  await using work = await temporaryFolder({});
  const crawl = async (folder: string, ...further: readonly string[]): Promise<void> => {
    const words = ['crawl', site.url, '-o', folder, '--render', 'always', '--delay', '0', '--quiet', ...further];
    expect(await runHere(words, work.path)).toMatchObject({ code: 0 });
  };
  await crawl('old', '--learn-noise');
  await crawl('same');
  site.setPrice('1250');
  await crawl('dearer');
  const [old, same, dearer] = ['old', 'same', 'dearer'].map((name) => join(work.path, name));
  if (old === undefined || same === undefined || dearer === undefined) throw new Error('three');

  const unchanged = await diffCrawls(old, same);
  expect(toldBy(unchanged)).toEqual([]);
  const masked = unchanged.notes.flatMap((note) => /^noise: (\w+ “.*”) on/.exec(note)?.[1] ?? []);
  expect(masked.toSorted()).toEqual([
    'files “/banners/*”',
    'links “//banners.example/to/*”',
    'text “* guests are looking at this page”',
    'text “Advertisement ⏎ * ⏎ What they say”',
    'text “What they say ⏎ * ⏎ Looms”',
  ]);
  expect(toldBy(await diffCrawls(old, dearer))).toEqual([
    'changed-text: The text changed: A loom costs [-1200-] {+1250+} euro.',
  ]);

  // without what was learnt everything is reported: the site does change
  await rename(join(old, 'noise.json'), join(work.path, 'noise.json'));
  const all = (await diffCrawls(old, same)).findings.map(({ rule }) => rule);
  expect([...new Set(all)].toSorted()).toEqual(['changed-files', 'changed-links', 'changed-text']);
});
