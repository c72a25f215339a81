import { access } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { urlOfKey } from '../../support/expected.ts';
import { fixtureNames, fixtureVariants, openFixture } from '../../support/fixture-sites.ts';

/** Faults: nothing comes back that a status could be read from. */
const UNANSWERED = new Set(['unreachable', 'timed-out']);

const cases = await Promise.all(
  (await fixtureNames()).map(async (name) => (await fixtureVariants(name)).map((variant) => [name, variant] as const)),
);

test.each(cases.flat())('the fixture site %s (%s) answers as expected.json says', async (name, variant) => {
  await using site = await openFixture(name, variant);
  await access(join(site.folder, 'README.md'));
  const answered = Object.entries(site.expected.pages).filter(
    ([, { status, outcome }]) => status !== undefined && ![outcome].flat().some((each) => UNANSWERED.has(each)),
  );
  const check = async ([key, page]: (typeof answered)[number]): Promise<void> => {
    const { status, type } = await answerOf(site.port, urlOfKey(key, site.origins), page.status);
    expect({ key, status }).toEqual({ key, status: page.status });
    if (page.outcome === 'captured') expect({ key, type }).toEqual({ key, type: expect.stringMatching(/html/) });
  };
  await Promise.all(answered.map(check)); // some take seconds to answer
});

/** Asks again where a route with `times` is there to be overcome. Names under localhost need no resolver this way. */
async function answerOf(
  port: number,
  url: string,
  expected: number | undefined,
): Promise<{ status: number; type: string }> {
  const first = await head(port, url).catch(() => head(port, url));
  return first.status === expected ? first : await head(port, url);
}

function head(port: number, url: string): Promise<{ status: number; type: string }> {
  const { host, pathname, search } = new URL(url);
  return new Promise((done, failed) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: pathname + search,
      agent: false,
      headers: { host, accept: 'text/html' },
    };
    const sent = request(options, (response) => {
      response.on('error', failed);
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' }),
      );
      response.resume();
    });
    sent.on('error', failed);
    sent.end();
  });
}
