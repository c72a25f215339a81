import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';

import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import { EgressError } from '../../../src/egress/egress-error.ts';
import { networkFailureOf } from '../../../src/egress/network-failure.ts';
import { failureOfErrorText } from '../../../src/render/page/browser-failure.ts';
import { httpOrigin, rawOrigin, started, type Origin } from '../../support/origin.ts';
import { CERTIFICATE, PRIVATE_KEY } from './secure-localhost.ts';
import { egressTo, names } from './through-proxy.ts';

describe('the dispatcher', () => {
  async function secureOrigin(): Promise<AsyncDisposable & { readonly port: number }> {
    const server = createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) =>
      response.end('secret'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return {
      port: address.port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test('goes straight to the checked address and is counted', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'site.example': [['127.0.0.1']] });
    await using egress = await egressTo([origin.port], { resolver });
    const { statusCode, body } = await request(`http://site.example:${origin.port}/`, {
      dispatcher: egress.dispatcher,
    });
    expect([statusCode, await body.text()]).toEqual([200, 'ok']);
    expect(egress.counts()).toMatchObject({ requests: 1, refused: 0 });
  });

  test('opens many connections at once without a word of Node about listeners', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const hosts = Array.from({ length: 40 }, (_, index) => `site-${index}.example`);
    const resolver = names(Object.fromEntries(hosts.map((host) => [host, [['127.0.0.1']]])));
    await using egress = await egressTo([origin.port], { resolver });
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    try {
      const answers = hosts.map((host) => request(`http://${host}:${origin.port}/`, { dispatcher: egress.dispatcher }));
      for (const { body } of await Promise.all(answers)) expect(await body.text()).toBe('ok');
    } finally {
      process.off('warning', hear);
    }
    expect(warnings).toEqual([]);
  });

  /** An origin whose connections answer `times` requests, and end without an answer to the next one. */
  async function forgetfulOrigin(
    times: number,
    end: (socket: Socket) => void,
  ): Promise<Origin & { readonly asked: readonly string[] }> {
    const asked: string[] = [];
    const origin = await rawOrigin((socket) => {
      let answers = 0;
      socket.on('data', (bytes: Buffer) => {
        asked.push(String(bytes).split(' ', 2)[1] ?? '');
        answers += 1;
        if (answers > times) end(socket);
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    return Object.assign(origin, { asked });
  }

  test('speaks HTTP/2 with a server that speaks nothing else', async () => {
    const server = createHttp2Server({ key: PRIVATE_KEY, cert: CERTIFICATE });
    server.on('stream', (stream) => {
      stream.respond({ ':status': 404, 'content-type': 'text/html' });
      stream.end('by stream');
    });
    await using origin = await started(server);
    await using egress = await egressTo([origin.port], { trusted: [CERTIFICATE] });
    const ask = (): ReturnType<typeof request> =>
      request(`https://secure.localhost:${origin.port}/`, { dispatcher: egress.dispatcher });
    for (const { statusCode, headers, body } of [await ask(), await ask()])
      expect([statusCode, headers['content-type'], await body.text()]).toEqual([404, 'text/html', 'by stream']);
  });

  test('calls a stream of HTTP/2 that ends with an error reset, as of a browser', () => {
    const error = Object.assign(new Error('Stream closed'), { code: 'ERR_HTTP2_STREAM_ERROR' });
    expect(networkFailureOf(error)).toBe(failureOfErrorText('net::ERR_HTTP2_PROTOCOL_ERROR'));
  });

  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', (socket: Socket) => socket.end()],
  ])('asks again on a new connection where the server %s the kept one', async (_how, end) => {
    await using origin = await forgetfulOrigin(1, end);
    await using egress = await egressTo([origin.port]);
    const paths = Array.from({ length: 9 }, (_, index) => `/${index}`);
    for (const path of paths) {
      const { body } = await request(`http://127.0.0.1:${origin.port}${path}`, { dispatcher: egress.dispatcher });
      expect(await body.text()).toBe('ok');
    }
    expect([...new Set(origin.asked)]).toEqual(paths);
    expect(origin.asked.length).toBeGreaterThan(paths.length);
  });

  test('asks once where a new connection is reset', async () => {
    await using origin = await forgetfulOrigin(0, (socket) => socket.resetAndDestroy());
    await using egress = await egressTo([origin.port]);
    const asked = request(`http://127.0.0.1:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(origin.asked).toEqual(['/']);
  });

  test('takes twenty interim answers, and no more', async () => {
    const interim = (count: number): string => 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(count);
    await using origin = await rawOrigin((socket) => {
      socket.on('data', (bytes: Buffer) => {
        const count = Number(/^GET .(\d+)/.exec(String(bytes))?.[1]);
        socket.write(`${interim(count)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
      });
    });
    await using egress = await egressTo([origin.port]);
    const ask = (count: number): ReturnType<typeof request> =>
      request(`http://127.0.0.1:${origin.port}/${count}`, { dispatcher: egress.dispatcher });
    expect(await (await ask(20)).body.text()).toBe('ok');
    await expect(ask(21)).rejects.toMatchObject({
      failure: { failure: 'bad-response', detail: 'more than 20 interim answers' },
    });
  });

  test('rejects with the refusal as a value', async () => {
    await using egress = await egressTo([]);
    const error: unknown = await request('http://10.0.0.1/', { dispatcher: egress.dispatcher }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(EgressError);
    expect(error).toMatchObject({
      failure: { kind: 'blocked', detail: '10.0.0.1:80 is 10.0.0.1 (private 10.0.0.0/8)' },
    });
  });

  test('speaks TLS with a server whose certificate is trusted and names it', async () => {
    await using origin = await secureOrigin();
    await using egress = await egressTo([origin.port], { trusted: [CERTIFICATE] });
    const { body } = await request(`https://secure.localhost:${origin.port}/`, { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe('secret');
  });

  test.each([
    ['self-signed', 'secure.localhost', []],
    ["another host's", 'other.localhost', [CERTIFICATE]],
    ["another host's", '127.0.0.1', [CERTIFICATE]],
  ])('does not speak to a server whose certificate is %s: %s', async (_title, host, trusted) => {
    await using origin = await secureOrigin();
    await using egress = await egressTo([origin.port], trusted.length === 0 ? {} : { trusted });
    const asked = request(`https://${host}:${origin.port}/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'failed', failure: 'tls' } });
    expect(egress.lastFailure(host, origin.port)).toMatchObject({ kind: 'failed', failure: 'tls' });
  });
});
