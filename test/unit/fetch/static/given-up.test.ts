/** A document that cannot be read completely: a browser reads it if there is one; else the page keeps the facts of its answer. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { seconds } from '../../../../src/base/units.ts';
import type { FetchedDocument } from '../../../../src/core/answers/fetched-document.ts';
import { KnownSubresources } from '../../../../src/core/page-clusters/known-subresources.ts';
import type { Egress } from '../../../../src/egress/egress.ts';
import { openEgress } from '../../../../src/egress/open-egress.ts';
import { learningLoader, staticLoader } from '../../../../src/fetch/load-page.ts';
import { orByBrowser } from '../../../../src/fetch/other-reader.ts';
import { NO_USER_HEADERS } from '../../../../src/model/user-headers.ts';
import type { VisitOutcome } from '../../../../src/model/visit-outcome.ts';
import type { Visit } from '../../../../src/model/visit.ts';
import type { Offload } from '../../../../src/offload/offload.ts';
import { cannedOrigin, httpOrigin } from '../../../support/origin.ts';
import { visitOf } from '../../../support/page.ts';

const signal = new AbortController().signal;
const offload: Offload = {
  run: () => Promise.resolve({ kind: 'gave-up', cause: 'memory', detail: 'more than 512 bytes' }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
const OPTIONS = {
  userAgent: 'Test/1',
  pageTimeout: seconds(10),
  settleTimeout: seconds(10),
  extraHeaders: NO_USER_HEADERS,
  wantsFile: () => false,
};

const HTML = '<!doctype html><title>Long</title><a href="/a">a</a>';

async function site(encoding = 'none', body: string | Buffer = HTML) {
  const origin = await httpOrigin((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': encoding }).end(body);
  });
  const egress = await egressTo(origin.port);
  return { egress, visit: visitOf(`http://127.0.0.1:${origin.port}/`), origin };
}

const egressTo = (port: number): Promise<Egress> =>
  openEgress(
    {
      grants: [{ cidr: '127.0.0.1', port }],
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
    },
    { log: silentLog },
  );

describe('a document that cannot be read to its end', () => {
  it('is a page that says so, where no page is rendered', async () => {
    const { egress, visit, origin } = await site();
    const capture = staticLoader(OPTIONS, { egress, clock: systemClock, log: silentLog, offload });
    expect(await capture.load(visit, signal)).toMatchObject({
      kind: 'captured',
      page: {
        status: 200,
        bytes: 52,
        html: null,
        text: null,
        foundLinks: [],
        unread: ['static page (memory: more than 512 bytes)'],
      },
    });
    await egress[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  it('is given to a browser, where there is one', async () => {
    const { egress, visit, origin } = await site();
    const rendered: VisitOutcome = { kind: 'timed-out', detail: 'rendered' };
    const renderer = {
      render: () => Promise.reject(new Error('the document is there already')),
      renderDocument: () => Promise.resolve(rendered),
    };
    const parts = { egress, clock: systemClock, log: silentLog, offload, known: new KnownSubresources() };
    expect(await learningLoader(renderer, OPTIONS, parts).load(visit, signal)).toBe(rendered);
    await egress[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  it('is given to a browser with what could be decoded of it, and no page is compared with that', async () => {
    const { egress, visit, origin } = await site('gzip', gzipSync(HTML).subarray(0, -12));
    const rendered: VisitOutcome = { kind: 'timed-out', detail: 'rendered' };
    const received: unknown[] = [];
    const renderer = {
      render: () => Promise.reject(new Error('the document is there already')),
      renderDocument: (_visit: Visit, document: FetchedDocument) => {
        received.push([Buffer.from(document.body).toString().slice(0, 15), document.truncated]);
        return Promise.resolve(rendered);
      },
    };
    const unread: Offload = { ...offload, run: () => Promise.reject(new Error('it is read here')) };
    const parts = { egress, clock: systemClock, log: silentLog, offload: unread, known: new KnownSubresources() };
    expect(await learningLoader(renderer, OPTIONS, parts).load(visit, signal)).toBe(rendered);
    expect(received).toEqual([['<!doctype html>', 'encoding']]);
    expect(origin.requests).toHaveLength(1);
    await egress[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });
});

describe('an answer that plain HTTP cannot read', () => {
  const fault = { kind: 'unreachable', failure: 'bad-response', detail: 'Invalid header token' } as const;
  const https = { url: 'https://example.org/', egress: { authority: null } };
  const read: VisitOutcome = { kind: 'timed-out', detail: 'rendered' };

  it.each([
    ['is read by the browser', read, read],
    [
      'is named by its fault where the browser cannot read it either',
      { kind: 'unreachable', failure: 'bad-response', detail: 'net::ERR_INVALID_HTTP_RESPONSE' },
      fault,
    ],
  ] as const)('%s', async (_what, rendered, outcome) => {
    expect(await orByBrowser(fault, https, () => Promise.resolve<VisitOutcome>(rendered))).toEqual(outcome);
  });

  it.each([
    ['over http', { ...https, url: 'http://example.org/' }, fault],
    ['where tunnels are opened', { ...https, egress: { authority: { keyDigest: 'k' } as Egress['authority'] } }, fault],
    ['where it fails otherwise', https, { ...fault, failure: 'refused' }],
  ] as const)('is not asked for again %s: the browser would get no other answer', async (_where, asked, outcome) => {
    const render = () => Promise.reject(new Error('it was asked for again'));
    expect(await orByBrowser(outcome, asked, render)).toEqual(outcome);
  });

  it('because it is in zstd comes to the browser over http, too', async () => {
    const { egress, visit, origin } = await site('zstd', 'packed');
    const renderer = {
      render: () => Promise.resolve(read),
      renderDocument: () => Promise.reject(new Error('there is no document')),
    };
    const parts = { egress, clock: systemClock, log: silentLog, offload, known: new KnownSubresources() };
    expect(await learningLoader(renderer, OPTIONS, parts).load(visit, signal)).toBe(read);
    expect(origin.requests).toHaveLength(1);
    await egress[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  it('is asked for once over http', async () => {
    await using origin = await cannedOrigin(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Powered By: PHP\r\nContent-Length: 0\r\n\r\n',
    );
    await using egress = await egressTo(origin.port);
    const renderer = {
      render: () => Promise.reject(new Error('it was asked for again')),
      renderDocument: () => Promise.reject(new Error('there is no document')),
    };
    const parts = { egress, clock: systemClock, log: silentLog, offload, known: new KnownSubresources() };
    const visit = visitOf(`http://127.0.0.1:${origin.port}/`);
    expect(await learningLoader(renderer, OPTIONS, parts).load(visit, signal)).toEqual({
      ...fault,
      detail: expect.stringContaining('Invalid header token'),
    });
  });
});
