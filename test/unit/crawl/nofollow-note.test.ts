import { expect, test } from 'vitest';
import { nofollowNote } from '../../../src/crawl/summary/nofollow-note.ts';

const totals = (visited: number, failed: number, queued: number) => ({
  discovered: 0,
  skipped: 0,
  visited,
  failed,
  queued,
});

test.each([
  [0, totals(0, 0, 0), null],
  [10, totals(5, 3, 2), null],
  [10, totals(5, 3, 1), /^10 of 19 URLs/],
  [1200, totals(1, 0, 0), /^1,200 of 1,201 URLs .*--follow-nofollow/],
  [1200, totals(1, 0, 5000), null],
])('with %i URLs behind nofollow beside %o a note says %s', (nofollow, others, words) => {
  if (words === null) expect(nofollowNote(nofollow, others)).toBeNull();
  else expect(nofollowNote(nofollow, others)).toMatch(words);
});
