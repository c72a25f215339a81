import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { seconds } from '../../../src/base/units.ts';
import { answerHead, judgeAnswer } from '../../../src/core/answers/judge-answer.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { fetchDocument } from '../../../src/fetch/document.ts';
import { canonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { rawOrigin } from '../../support/origin.ts';
import { egressTo, viaProxy } from './through-proxy.ts';

const signal = new AbortController().signal;
/** A fatal alert: 70, protocol version (RFC 8446, section 6). */
const ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 70]);
const PAGE = 'Content-Type: text/html\r\nContent-Length: 2\r\n\r\nok';

describe('an answer that fails is told in words that name the fault', () => {
  test.each<[string, (socket: Socket) => void, string, RegExp]>([
    ['a reset', (socket) => socket.resetAndDestroy(), 'reset', /^the server reset the connection \(\w+ ECONNRESET\)$/],
    ['a close', (socket) => socket.end(), 'reset', /^the server closed the connection without an answer$/],
    [
      'another protocol',
      (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      'bad-response',
      /^the answer is no valid HTTP \([^()]+\)$/,
    ],
    [
      'HTTP/2 that nobody has asked for',
      // nginx' settings and the end of its connection
      (socket) => socket.end(Buffer.from(`000012${'0400000000000003000000800004000100000005'}00ffffff`, 'hex')),
      'bad-response',
      /^the server speaks only HTTP\/2 without TLS, which browsers do not speak$/,
    ],
    [
      'a head with a length and a line that is no field',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\nno field\r\n${PAGE}`),
      'bad-response',
      /^the answer is no valid HTTP/,
    ],
    [
      'a status that is none',
      (socket) => socket.end(`HTTP/1.1 000 None\r\n${PAGE}`),
      'bad-response',
      /^the answer is no valid HTTP$|status 0$/,
    ],
    [
      'a huge head',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n${PAGE}`),
      'bad-response',
      /^the headers of the answer are larger than 64 KiB$/,
    ],
  ])('%s, read by us and by a browser', async (_title, act, failure, words) => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => act(socket)));
    await using egress = await egressTo([origin.port]);
    expect(await fetched(origin.port, egress)).toMatchObject({
      outcome: { kind: 'unreachable', failure, detail: expect.stringMatching(words) as unknown },
    });
    const { status, headers } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    const pairs = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
    expect(judgeAnswer(answerHead(status, pairs))).toEqual({
      kind: 'unreachable',
      failure,
      detail: expect.stringMatching(words) as unknown,
    });
  });

  test('TLS that fails is told by its reason, without the words of the library', async () => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => socket.end(ALERT)));
    await using egress = await egressTo([origin.port]);
    expect(await fetched(origin.port, egress, 'https')).toMatchObject({
      outcome: {
        kind: 'unreachable',
        failure: 'tls',
        detail: expect.stringMatching(/^the TLS handshake failed \([a-z0-9/ ]*alert protocol version\)$/) as unknown,
      },
    });
  });

  test('a server cannot speak for us', async () => {
    await using origin = await rawOrigin((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX-Orbweaver-Detail: forged\r\n${PAGE}`)),
    );
    await using egress = await egressTo([origin.port]);
    const { headers } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect(headers).not.toHaveProperty('x-orbweaver-detail');
  });
});

describe('a head that browsers read is read', () => {
  test.each([
    [
      'with a field in several lines, as nginx sends its settings',
      "Content-Security-Policy: img-src 'self';\n    font-src *\r\n",
    ],
    ['with a field that goes on after a tab', 'X-Long: a\r\n\tb\r\n'],
    ['with lines without a carriage return', 'X-Short: a\n'],
    ['with a control character', 'X-Bell: a\x07\r\n'],
  ])('%s', async (_title, lines) => {
    await using origin = await rawOrigin((socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${lines}${PAGE}`)),
    );
    await using egress = await egressTo([origin.port]);
    expect(await fetched(origin.port, egress)).toMatchObject({ kind: 'document', truncated: null });
    const { status, body } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect([status, String(body)]).toEqual([200, 'ok']);
  });

  test('but not one with a length and chunks, whose body could go on as the next answer', async () => {
    const framing = 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    await using origin = await rawOrigin((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${framing}`)),
    );
    await using egress = await egressTo([origin.port]);
    expect(await fetched(origin.port, egress)).toMatchObject({ outcome: { failure: 'bad-response' } });
    expect((await viaProxy(egress, `http://127.0.0.1:${origin.port}/`)).status).toBe(502);
  });
});

async function fetched(port: number, egress: Egress, scheme = 'http'): Promise<unknown> {
  const url = canonicalUrl(`${scheme}://127.0.0.1:${port}/`);
  if (url === null) throw new Error('no URL');
  return await fetchDocument(
    {
      url,
      userAgent: 'Test/1',
      headers: {},
      timeout: seconds(10),
      bodyTimeout: seconds(10),
      wantsFile: () => false,
    },
    { egress, clock: systemClock },
    signal,
  );
}
