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

  it('calls no word gone that new words push further back', async () => {
    expect(
      await told(
        `<p>Ask for Tom. ${LONG}</p><p>Imprint</p>`,
        `<p>Ask for Ann, or for her brother. ${LONG}</p><p>Imprint</p>`,
      ),
    ).toEqual([
      'changed-text: The text changed: Ask for [-Tom.-] {+Ann, or for her brother.+} Who rents a boat brings it …',
    ]);
  });

  it('tells of nothing where only its lines, its case or its blanks are others', async () => {
    expect(await told(`<p>${LONG}Ask for Tom.</p>`, `<p>${LONG.toUpperCase()}</p><p>ASK FOR  TOM.</p>`)).toEqual([]);
  });
});

describe('a text of very many lines', () => {
  const lines = (name: string, count: number): string =>
    Array.from({ length: count }, (_, at) => `<p>${name}-${at.toString(36)} is here</p>`).join('');

  it('shows each change, although hundreds of lines are new', async () => {
    const [boats, houses] = [lines('Boat', 300), lines('House', 300)];
    expect(
      await told(
        `<p>Ask for Tom.</p>${boats}<p>In between</p>${houses}<p>Closed on Monday.</p>`,
        `<p>Ask for Ann.</p>${boats}<p>In between</p>${lines('Tree', 700)}${houses}<p>Closed on Sunday.</p>`,
      ),
    ).toEqual(['changed-text: The text changed in 3 passages']);
  });

  it('says that there are more passages than those that it counts', async () => {
    const [boats, ships] = [lines('Boat', 80), lines('Ship', 80)];
    const mixed = (one: string, other: string): string => one.replaceAll('</p>', `</p><p>${other}</p>`);
    expect(await told(mixed(boats, 'Anchor'), mixed(ships, 'Anchor'))).toEqual([
      'changed-text: The text changed in at least 50 passages; 0 % of the text is as it was',
    ]);
  });
});
