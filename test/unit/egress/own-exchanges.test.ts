/** The recorder's reports of our own HTTP. */
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { kibibytes, seconds } from '../../../src/base/units.ts';
import { fetchBytes } from '../../../src/fetch/http.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import { cannedOrigin, httpOrigin } from '../../support/origin.ts';
import { secureOrigin } from '../../support/secure-origin.ts';
import { until } from '../../support/until.ts';
import { egressTo } from './through-proxy.ts';

describe('an exchange of our own', () => {
  test('is told with its headers as they were sent, and its body before it is unpacked', async () => {
    const packed = gzipSync('Words '.repeat(1000));
    await using origin = await secureOrigin((_request, response) => {
      response.writeHead(200, ['X-One', '1', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'Content-Encoding', 'gzip']);
      response.write(packed.subarray(0, 20));
      response.end(packed.subarray(20));
    });
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard, trusted: [origin.authority] });
    const result = await fetchBytes(
      {
        url: origin.url('/a%20b?q=1'),
        userAgent: 'Test/1.0',
        byteLimit: kibibytes(100),
        timeout: seconds(5),
        redirects: 'none',
      },
      egress,
      new AbortController().signal,
    );
    expect(result.kind === 'answer' && Buffer.from(result.body).toString()).toBe('Words '.repeat(1000));
    const { request: asked, answer, body, end } = heard.of(origin.url('/a%20b?q=1'));
    expect(asked.method).toBe('GET');
    expect(asked.headers).toEqual([
      ['host', new URL(origin.url('')).host],
      ['user-agent', 'Test/1.0'],
      ['accept', '*/*'],
      ['accept-encoding', 'gzip, br'],
    ]);
    expect(answer).toMatchObject({ httpVersion: '1.1', status: 200, statusText: 'OK' });
    expect(answer?.headers.slice(0, 4)).toEqual([
      ['X-One', '1'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['Content-Encoding', 'gzip'],
    ]);
    expect(answer?.headers).toContainEqual(['Transfer-Encoding', 'chunked']);
    expect([body.equals(packed), end, heard.all.length, heard.faults]).toEqual([true, 'complete', 1, []]);
  });

  test('that is redirected is several', async () => {
    await using origin = await httpOrigin((incoming, response) => {
      if (incoming.url === '/') response.writeHead(302, { location: '/there' }).end('moved');
      else response.end('there');
    });
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard });
    await fetchBytes(
      {
        url: `${origin.url}/`,
        userAgent: 'Test/1.0',
        byteLimit: kibibytes(100),
        timeout: seconds(5),
        redirects: 'follow-up-to-5',
      },
      egress,
      new AbortController().signal,
    );
    expect(heard.all.map(({ request: { url }, answer }) => [url, answer?.status])).toEqual([
      [`${origin.url}/`, 302],
      [`${origin.url}/there`, 200],
    ]);
    await until(() => heard.all.every(({ end }) => end !== null), 'both to end');
  });

  test('that we leave is cancelled, and one that the origin cuts short is not', async () => {
    await using endless = await httpOrigin((_request, response) => void response.write('endless'));
    await using short = await cannedOrigin('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    const heard = hearExchanges();
    await using egress = await egressTo([endless.port, short.port], { recorder: heard });
    const left = await request(`${endless.url}/`, { dispatcher: egress.dispatcher });
    left.body.on('error', () => {});
    left.body.destroy();
    await until(() => heard.of(`${endless.url}/`).end !== null, 'the end of what we left');
    const url = `http://127.0.0.1:${short.port}/`;
    const cut = await request(url, { dispatcher: egress.dispatcher });
    await expect(cut.body.text()).rejects.toThrow();
    expect(heard.of(`${endless.url}/`)).toMatchObject({ end: 'cancelled', answer: { status: 200 } });
    expect([heard.of(url).body.toString(), heard.of(url).end]).toEqual(['half', 'disconnect']);
    const stop = new AbortController();
    const waiting = request(`${endless.url}/again`, { dispatcher: egress.dispatcher, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow();
    expect(heard.faults).toEqual([]);
  });

  test('that is refused, or fails to connect, has no answer', async () => {
    await using origin = await secureOrigin((_request, response) => response.end());
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard });
    for (const url of ['http://10.0.0.1/', origin.url('/')]) {
      await expect(request(url, { dispatcher: egress.dispatcher })).rejects.toThrow();
    }
    expect(heard.all.map(({ answer, end }) => [answer, end])).toEqual([
      [null, 'disconnect'],
      [null, 'disconnect'],
    ]);
  });

  test('that is closed with the gate has ended when the gate is closed', async () => {
    await using origin = await httpOrigin((_request, response) => void response.write('endless'));
    const heard = hearExchanges();
    const egress = await egressTo([origin.port], { recorder: heard });
    const { body } = await request(`${origin.url}/`, { dispatcher: egress.dispatcher });
    body.on('error', () => {});
    await egress[Symbol.asyncDispose]();
    expect(heard.of(`${origin.url}/`).end).toBe('cancelled');
  });
});
