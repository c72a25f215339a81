import { access } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { urlOfKey } from '../../support/expected.ts';
import { fixtureNames, openFixture } from '../../support/fixture-sites.ts';

/** Faults: nothing comes back that a status could be read from. */
const UNANSWERED = new Set(['unreachable', 'timed-out']);

describe('every fixture site', async () => {
  test.each(await fixtureNames())('%s answers each expected page as expected.json says', async (name) => {
    await using site = await openFixture(name);
    await access(join(site.folder, 'README.md'));
    for (const expected of [site.expected, ...site.variants.values()]) {
      for (const [key, page] of Object.entries(expected.pages)) {
        const outcomes = [page.outcome].flat();
        if (page.status === undefined || outcomes.some((outcome) => UNANSWERED.has(outcome))) continue;
        const { status, type } = await lastAnswer(site.port, urlOfKey(key, site.origins));
        expect({ key, status }).toEqual({ key, status: page.status });
        if (page.outcome === 'captured') expect({ key, type }).toEqual({ key, type: expect.stringMatching(/html/) });
      }
    }
  });
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
