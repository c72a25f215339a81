import { describe, expect, it } from 'vitest';
import { comparedSites, toldBy } from '../../support/compared-sites.ts';

interface Failed {
  readonly url: string;
  readonly type: string;
  readonly party: 'first' | 'third';
}

function site(failed: readonly Failed[], blocked: string): object {
  const first = failed.map((request) => ({
    ...{ method: 'GET', status: null, error: 'net::ERR_NAME_NOT_RESOLVED', initiator: null },
    ...request,
  }));
  const behaviour = {
    failed: { count: first.length, first },
    cspViolations: { count: 1, first: [{ directive: 'img-src', blocked, reportOnly: false, source: null }] },
  };
  return { pages: { '/': { html: '<!doctype html><title>Start</title><p>Start</p>', behaviour } } };
}

const visit = (number: number, picture: string): object =>
  site(
    [
      { url: `https://count.example/g/collect?_p=${number}&cid=${number}.12`, type: 'ping', party: 'third' },
      { url: `https://pixel.example/tr/?id=7&it=${number}`, type: 'image', party: 'third' },
      { url: `https://example.org/api/state?r=${number}`, type: 'fetch', party: 'first' },
      { url: `https://example.org/picture?of=${picture}`, type: 'image', party: 'first' },
    ],
    `https://ads.example/slot?ord=${number}`,
  );

describe('a request that fails in each crawl', () => {
  it('is no difference for the clocks and numbers in its query', async () => {
    expect(toldBy(await comparedSites(visit(1732638, 'boat') as never, visit(9120447, 'boat') as never))).toEqual([]);
  });

  it('is one where the page asks for something else', async () => {
    expect(toldBy(await comparedSites(visit(1732638, 'boat') as never, visit(9120447, 'pier') as never))).toEqual([
      'changed-errors: An error that was not there: GET /picture?of=pier: net::ERR_NAME_NOT_RESOLVED',
      'changed-errors: An error is gone: GET /picture?of=boat: net::ERR_NAME_NOT_RESOLVED',
    ]);
  });
});
