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
  for (const [key, page] of Object.entries(site.expected.pages)) {
    const outcomes = [page.outcome].flat();
    if (page.status === undefined || outcomes.some((outcome) => UNANSWERED.has(outcome))) continue;
    const { status, type } = await lastAnswer(site.port, urlOfKey(key, site.origins));
    expect({ key, status }).toEqual({ key, status: page.status });
    if (page.outcome === 'captured') expect({ key, type }).toEqual({ key, type: expect.stringMatching(/html/) });
  }
});

/** Asks again where a route with `times` is there to be overcome. Names under localhost need no resolver this way. */
async function lastAnswer(port: number, url: string): Promise<{ status: number; type: string }> {
  const answered = await head(port, url).catch(() => head(port, url));
  return answered.status === 503 ? await head(port, url) : answered;
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
