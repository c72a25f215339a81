import { describe, expect, it } from 'vitest';
import {
  MOST_SIGHTS,
  secondLooks,
  secondVerdict,
  type BrowserSight,
} from '../../../../src/core/external/second-look.ts';
import type { ExternalLook, ExternalRecord, ExternalVerdict } from '../../../../src/model/external-record.ts';

const look = (method: ExternalLook['method'], status: number): ExternalLook => ({
  ...{ time: '2026-01-02T03:04:05.000Z', method, status, detail: `status ${status}` },
});
const record = (url: string, verdict: ExternalVerdict, status = 403): ExternalRecord => ({
  ...{ url, verdict, status, chain: [url], permanent: false, detail: null },
  looks: verdict === 'not-asked' ? [] : [look('HEAD', status), look('GET', status)],
});
const hostOf = (url: string): string => new URL(url).hostname;
const shown = (
  status: number | null,
  judged: Extract<BrowserSight, { kind: 'shown' }>['judged'] = true,
): BrowserSight => ({
  kind: 'shown',
  status,
  judged,
});

describe('links for a second look', () => {
  it('are those that were refused, and no others', () => {
    const records = [
      record('https://one.example/', 'blocked'),
      record('https://two.example/', 'ok', 200),
      record('https://three.example/', 'unsure', 500),
      record('https://four.example/', 'blocked', 451),
      record('https://five.example/', 'blocked', 999),
      record('https://six.example/', 'not-asked'),
    ];
    expect(secondLooks(records, hostOf).map(({ url }) => url)).toEqual([
      'https://one.example/',
      'https://five.example/',
    ]);
  });

  it('are of many hosts before they are many of a host', () => {
    const many = Array.from({ length: 50 }, (_, index) => record(`https://one.example/${index}`, 'blocked'));
    const chosen = secondLooks([...many, record('https://two.example/', 'blocked')], hostOf).map(({ url }) => url);
    expect(chosen).toHaveLength(MOST_SIGHTS);
    expect(chosen.slice(0, 3)).toEqual(['https://one.example/0', 'https://two.example/', 'https://one.example/1']);
  });
});

describe('what is said after a second look', () => {
  const refused = record('https://one.example/', 'blocked');
  it.each<readonly [string, BrowserSight, ExternalVerdict]>([
    ['a page', shown(200), 'ok'],
    ['a page from the cache', shown(304), 'ok'],
    ['a wall', shown(200, 'challenge'), 'blocked'],
    ['a log-in page', shown(200, 'log-in-page'), 'blocked'],
    ['an empty application', shown(200, 'empty-application'), 'blocked'],
    ['a refusal', shown(403), 'blocked'],
    ['an error of the server', shown(500), 'blocked'],
    ['no document', shown(null), 'blocked'],
    ['nothing', { kind: 'failed', detail: 'nothing came in time' }, 'blocked'],
    // a refusal and a 404 are two answers of one wall
    ['a page that does not exist', shown(404), 'blocked'],
  ])('where a browser is shown %s', (_what, sight, verdict) => {
    expect(secondVerdict(refused, sight).verdict).toBe(verdict);
  });

  it('is broken where plain HTTP was told that there is no page, too', () => {
    const gone = { looks: [look('HEAD', 403), look('GET', 404), look('GET', 403)] };
    expect(secondVerdict(gone, shown(410)).verdict).toBe('broken');
    expect(secondVerdict(gone, shown(200)).verdict).toBe('ok');
    // HEAD does not count as a look
    expect(secondVerdict({ looks: [look('HEAD', 404), look('GET', 403)] }, shown(404)).verdict).toBe('blocked');
  });

  it('names both looks', () => {
    expect(secondVerdict(refused, shown(200)).detail).toBe('answers a browser; plain HTTP: status 403');
    expect(secondVerdict(refused, shown(503, 'challenge')).detail).toBe('status 403; in a browser: status 503');
    expect(secondVerdict(refused, shown(200, 'challenge')).detail).toBe('status 403; in a browser: challenge');
  });
});
