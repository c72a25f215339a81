import { expect, test } from 'vitest';
import { guessedPages } from '../../../../src/inspect/export/guessed-pages.ts';
import { linkRecord } from '../../../support/frontier-nouns.ts';
import { storeCrawl } from '../../../support/stored-crawl.ts';
import { pageOf } from '../../cli/fake-crawl.ts';

/** More than a call may have arguments. */
const PAGES = 130_000;

test('pages that a page links to are no guesses once that page is none, however many they are', async () => {
  const [seed, hub, lost] = ['https://a.test/', 'https://a.test/hub', 'https://a.test/lost'];
  const named = Array.from({ length: PAGES }, (_, index) => `https://a.test/${index}`);
  await using stored = await storeCrawl({
    pages: [pageOf({ url: seed }), ...[hub, lost, ...named].map((url) => pageOf({ url, confidence: 'low' }))],
    links: [linkRecord(seed, hub), ...named.map((url) => linkRecord(hub, url))].map((link) => ({ ...link, new: true })),
  });
  const unread = { torn: () => {}, damaged: () => {} };
  expect(await guessedPages(stored.folder, unread, new AbortController().signal)).toEqual(new Set([lost]));
}, 60_000);
