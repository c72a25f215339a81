import { describe, expect, it } from 'vitest';
import { comparedSites, toldBy } from '../../support/compared-sites.ts';

interface Day {
  readonly body: string;
  readonly title?: string;
  readonly description?: string;
  readonly error?: string;
}

function site({ body, title = 'News', description = 'All news', error = 'none' }: Day): object {
  const html =
    `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="${description}">` +
    `</head><body><p>${body}</p></body></html>`;
  const consoleErrors = { count: 1, first: [{ text: error, source: null }] };
  return { pages: { '/': { html, behaviour: { consoleErrors } } } };
}

const told = async (old: Day, now: Day): Promise<readonly string[]> =>
  toldBy(await comparedSites(site(old) as never, site(now) as never));

describe('a date', () => {
  it.each([
    ['Thursday, 26 November 2026', 'Friday, 4 December 2026'],
    ['Thu Nov 26 2026 16:24:39 GMT+0000 (UTC)', 'Mon Jan 4 2027 06:05:04 GMT+0000 (UTC)'],
    ['Thu, 26 Nov 2026 16:24:39 GMT', 'Fri, 27 Nov 2026 06:24:39 GMT'],
    ['Donnerstag, den 26. November 2026', 'Montag, den 4. Oktober 2027'],
    ['Stand: 26. Oktober 2026, 12:30 Uhr', 'Stand: 1. März 2027, 9:05 Uhr'],
    ['Mié., 26/11/2026', 'Jue., 27/11/2026'],
    ['jeudi 26 novembre', 'vendredi 4 décembre'],
    ['Publicado el jueves, 26 de noviembre de 2026', 'Publicado el lunes, 4 de enero de 2027'],
    ['quinta-feira, 26 de novembro de 2026', 'segunda-feira, 4 de janeiro de 2027'],
    ['2026年11月26日(木) 更新', '2026年11月27日(金) 更新'],
    ['2026年11月26日 星期四', '2026年11月27日 星期五'],
  ])('is no difference where it is written as in %s', async (old, now) => {
    expect(await told({ body: old }, { body: now })).toEqual([]);
  });

  it('is none in a title, a description and a message of the console', async () => {
    const day = (date: string, time: string): Day => ({
      body: 'News',
      title: `News of ${date}`,
      description: `All of ${date}`,
      error: `[${time}] no answer`,
    });
    const days = [day('26 November 2026', '2026-11-26T16:24:39Z'), day('4 May 2027', '2027-05-04T06:05:04Z')] as const;
    expect(await told(...days)).toEqual([]);
    expect(await told(days[0], { ...days[1], title: 'Sports of 4 May 2027' })).toEqual([
      'changed-title: The title was “News of 26 November 2026”, and is “Sports of 4 May 2027”',
    ]);
  });

  it.each([
    ['Open on Monday', 'Open on Tuesday'],
    ['12 mars bars', '14 mars bars'],
    ['Room 26 in house 2026', 'Room 27 in house 2026'],
    ['The march of 12 boats', 'The march of 14 boats'],
    ['Model Sun 12.50', 'Model Sun 14.50'],
  ])('is not taken out of other words: %s', async (old, now) => {
    expect(await told({ body: old }, { body: now })).toHaveLength(1);
  });
});
