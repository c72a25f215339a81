import { describe, expect, it } from 'vitest';
import { comparedSites, toldBy } from '../../support/compared-sites.ts';

const page = (body: string): { pages: Record<string, string> } => ({
  pages: { '/': `<!doctype html><html lang="en"><head><title>Terms</title></head><body>${body}</body></html>` },
});
const told = async (before: string, now: string): Promise<readonly string[]> =>
  toldBy(await comparedSites(page(before), page(now)));

const LONG = 'Who rents a boat brings it back to the pier. '.repeat(120);

describe('a text of few and long lines', () => {
  it('shows a change behind its beginning', async () => {
    expect(
      await told(
        `<p>${LONG}The deposit is 12 euro for a day.</p><p>Imprint</p>`,
        `<p>${LONG}The deposit is 90 euro for a day.</p><p>Imprint</p>`,
      ),
    ).toEqual(['changed-text: The text changed: … to the pier. The deposit is [-12-] {+90+} euro for a day.']);
  });

  it('shows a line that came behind one with a change', async () => {
    const [message = '', ...others] = await told(
      `<p>${LONG}Ask for Tom.</p><p>Imprint</p>`,
      `<p>${LONG}Ask for Ann.</p><p>Closed on Monday.</p><p>Imprint</p>`,
    );
    expect(others).toEqual([]);
    expect(message).toMatch(/Ask for \[-Tom\.-\] \{\+Ann\. Closed on Monday\.\+\}$/);
  });

  it('shows a change in one without blanks', async () => {
    const long = '船を借りる人は桟橋に返します。'.repeat(200);
    expect(await told(`<p>${long}一日百円</p>`, `<p>${long}一日千円</p>`)).toEqual([
      expect.stringMatching(/^changed-text: The text changed: … .*一 日 \[-百-\] \{\+千\+\} 円$/),
    ]);
  });

  it('tells of nothing where only its lines, its case or its blanks are others', async () => {
    expect(await told(`<p>${LONG}Ask for Tom.</p>`, `<p>${LONG.toUpperCase()}</p><p>ASK FOR  TOM.</p>`)).toEqual([]);
  });
});
