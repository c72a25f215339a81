/** The gate behind a user's proxy: its requests to the proxy, the data it withholds from it, and its reports about it. */
import type { Socket } from 'node:net';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { EgressError } from '../../../src/egress/egress-error.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { readUpstreamProxy, type UpstreamProxy, withUpstreamCredential } from '../../../src/model/upstream-proxy.ts';
import { userProxy } from '../../support/forward-proxies.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import { httpOrigin, rawOrigin } from '../../support/origin.ts';
import { secureOrigin, SECURE_NAME } from '../../support/secure-origin.ts';
import { egressTo, names, viaProxy } from './through-proxy.ts';

const signal = new AbortController().signal;
const SCHEMES = ['http', 'https', 'socks5'] as const;
const CREDENTIAL = 'qzw8me:qzw8%s@me:x/ü';

function proxyAt(url: string, credential: string | null = null): UpstreamProxy {
  const reading = readUpstreamProxy(credential === null ? url : withUpstreamCredential(url, credential));
  if (reading.kind === 'refused') throw new Error(reading.why);
  return reading.proxy;
}

async function failureOf(egress: Egress, url: string): Promise<unknown> {
  const error: unknown = await request(url, { dispatcher: egress.dispatcher }).then(
    () => null,
    (caught: unknown) => caught,
  );
  return error instanceof EgressError ? error.failure : error;
}

describe.each(SCHEMES)('through a proxy of scheme %s', (scheme) => {
  test('our own requests and those of a browser go to the address that was judged, over kept connections', async () => {
    const ports: number[] = [];
    await using origin = await httpOrigin((incoming, response) => {
      ports.push(incoming.socket.remotePort ?? 0);
      response.end('ok');
    });
    await using proxy = await userProxy(scheme, { credential: CREDENTIAL });
    const resolver = names({ 'site.example': [['127.0.0.1']] });
    await using egress = await egressTo([origin.port], {
      resolver,
      upstream: proxyAt(proxy.url, CREDENTIAL),
      ...(proxy.certificate === null ? {} : { trusted: [proxy.certificate] }),
    });
    const url = `http://site.example:${origin.port}/`;
    for (let count = 0; count < 2; count += 1) {
      const { statusCode, body } = await request(url, { dispatcher: egress.dispatcher });
      expect([statusCode, await body.text()]).toEqual([200, 'ok']);
      expect((await viaProxy(egress, url)).body.toString()).toBe('ok');
    }
    expect(proxy.asked).toEqual([`127.0.0.1:${origin.port}`, `127.0.0.1:${origin.port}`]);
    const basic = `Basic ${Buffer.from(CREDENTIAL).toString('base64')}`;
    expect(new Set(proxy.shown)).toEqual(new Set([scheme === 'socks5' ? CREDENTIAL : basic]));
    expect(ports.length).toBe(4);
    expect(ports.filter((port) => !proxy.ports.has(port))).toEqual([]);
    expect(egress.counts().received).toBeGreaterThan(100);
  });

  test('TLS is with the origin, by its name', async () => {
    await using origin = await secureOrigin((_incoming, response) => response.end('secret'));
    await using proxy = await userProxy(scheme);
    const trusted = [origin.authority, ...(proxy.certificate === null ? [] : [proxy.certificate])];
    await using egress = await egressTo([origin.port], { trusted, upstream: proxyAt(proxy.url) });
    const { body } = await request(origin.url('/'), { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe('secret');
    expect(origin.names).toEqual([SECURE_NAME]);
    expect(proxy.asked).toEqual([`127.0.0.1:${origin.port}`]);
  });

  test('what is not allowed is refused before the proxy hears of it, the proxy itself included', async () => {
    await using proxy = await userProxy(scheme);
    await using canary = await rawOrigin(() => {});
    await using egress = await egressTo([proxy.port], { upstream: proxyAt(proxy.url) });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254']) {
      const reply = await viaProxy(egress, `http://${host}:${canary.port}/`);
      expect([host, reply.status]).toEqual([host, 403]);
    }
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '[::1]', '0', '[::ffff:127.0.0.1]']) {
      const reply = await viaProxy(egress, `http://${host}:${proxy.port}/`);
      expect([host, reply.status, reply.headers['x-orbweaver-refused']]).toEqual([
        host,
        403,
        expect.stringContaining(`port ${proxy.port} of the proxy`),
      ]);
    }
    expect([proxy.connections(), canary.connections()]).toEqual([0, 0]);
  });

  test.each(['qzw8me:wrong8', null])(
    'a credential that is not accepted (%s) is a failure of the proxy, and not shown',
    async (given) => {
      await using proxy = await userProxy(scheme, { credential: CREDENTIAL });
      const trusted = proxy.certificate === null ? {} : { trusted: [proxy.certificate] };
      await using egress = await egressTo([9], { upstream: proxyAt(proxy.url, given), ...trusted });
      expect(await egress.tryUpstream({ hostName: '127.0.0.1', port: 9 }, signal)).toMatchObject({
        kind: 'credential',
      });
      const failure = await failureOf(egress, 'http://127.0.0.1:9/');
      expect(failure).toMatchObject({ kind: 'failed', failure: 'proxy' });
      expect(JSON.stringify(failure)).toContain(`the proxy ${proxy.url} `);
      expect(JSON.stringify(failure)).not.toMatch(/qzw8|wrong8/);
    },
  );

  test('an address that does not answer is not the proxy’s fault, and fails as one of the proxy', async () => {
    await using proxy = await userProxy(scheme);
    const gone = await rawOrigin(() => {});
    await gone[Symbol.asyncDispose]();
    const trusted = proxy.certificate === null ? {} : { trusted: [proxy.certificate] };
    await using egress = await egressTo([gone.port], { upstream: proxyAt(proxy.url), ...trusted });
    expect(await egress.tryUpstream({ hostName: '127.0.0.1', port: gone.port }, signal)).toMatchObject({
      kind: 'target',
    });
    const reply = await viaProxy(egress, `http://127.0.0.1:${gone.port}/`);
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'proxy']);
  });

  test('a proxy that is gone is a failure of the proxy', async () => {
    const proxy = await userProxy(scheme);
    await proxy[Symbol.asyncDispose]();
    await using egress = await egressTo([9], { upstream: proxyAt(proxy.url) });
    expect(await egress.tryUpstream(null, signal)).toMatchObject({ kind: 'unreachable' });
    expect(await failureOf(egress, 'http://127.0.0.1:9/')).toMatchObject({
      failure: 'proxy',
      detail: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/) as string,
    });
  });

  test.each<[string, (socket: Socket) => void, RegExp]>([
    ['hangs', () => {}, /did not answer within \d+ ms|not accepted over TLS/],
    ['closes', (socket) => void socket.end(), /ends the connection|not accepted over TLS/],
    [
      'resets',
      (socket) => void socket.resetAndDestroy(),
      /ends the connection|not accepted over TLS|cannot be reached/,
    ],
    [
      'speaks otherwise',
      (socket) => void socket.write('SSH-2.0-x\r\n\r\n'),
      /does not answer as|not accepted over TLS/,
    ],
    [
      'sends without end',
      (socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write('A: b\r\n'.repeat(1000)));
        };
        socket.on('drain', more);
        more();
      },
      /does not answer as|not accepted over TLS/,
    ],
  ])('a proxy that %s is a failure of the proxy, in time', async (_what, behave, words) => {
    await using proxy = await rawOrigin((socket) => {
      socket.on('end', () => socket.end()).resume();
      behave(socket);
    });
    await using egress = await egressTo([9], {
      upstream: proxyAt(`${scheme}://127.0.0.1:${proxy.port}`),
      connectTimeout: milliseconds(300),
    });
    expect(await failureOf(egress, 'http://127.0.0.1:9/')).toMatchObject({
      kind: 'failed',
      failure: 'proxy',
      detail: expect.stringMatching(words) as string,
    });
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test('closing the gate ends a connection that a proxy holds up', async () => {
    await using proxy = await rawOrigin((socket) => void socket.on('end', () => socket.end()).resume());
    const egress = await egressTo([9], { upstream: proxyAt(`${scheme}://127.0.0.1:${proxy.port}`) });
    const asked = failureOf(egress, 'http://127.0.0.1:9/');
    await expect.poll(() => proxy.open()).toBe(1);
    await egress[Symbol.asyncDispose]();
    expect(await asked).not.toBeNull();
    await expect.poll(() => proxy.open()).toBe(0);
  });
});

describe('a proxy of the user', () => {
  test.each([
    [403, 'refused'],
    [405, 'refused'],
    [302, 'refused'],
    [407, 'credential'],
    [502, 'target'],
    [504, 'target'],
  ])('that answers CONNECT with status %i: %s', async (status, kind) => {
    await using proxy = await rawOrigin((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} hunter2\r\n\r\nhunter2`));
    });
    await using egress = await egressTo([9], { upstream: proxyAt(`http://127.0.0.1:${proxy.port}`) });
    const fault = await egress.tryUpstream({ hostName: '127.0.0.1', port: 9 }, signal);
    expect(fault).toMatchObject({ kind });
    expect(fault?.detail).toContain(`status ${status}`);
    expect(fault?.detail).not.toContain('hunter2');
  });

  test('may send interim answers first, and bytes of the tunnel behind its answer', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    await using proxy = await rawOrigin((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 yes\r\n\r\n');
        socket.once('data', () => socket.write(answer));
      });
    });
    await using egress = await egressTo([9], { upstream: proxyAt(`http://127.0.0.1:${proxy.port}`) });
    const { body } = await request('http://127.0.0.1:9/', { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe('ok');
  });

  test('over TLS must show a certificate of its name', async () => {
    await using proxy = await userProxy('https');
    await using egress = await egressTo([9], { upstream: proxyAt(proxy.url) });
    expect(await egress.tryUpstream(null, signal)).toMatchObject({
      kind: 'tls',
      detail: expect.stringMatching(/self-signed|unable to/) as string,
    });
  });

  test('gives an archive no address of a server', async () => {
    await using origin = await httpOrigin((_incoming, response) => response.end('ok'));
    await using proxy = await userProxy('http');
    const recorder = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder, upstream: proxyAt(proxy.url) });
    await viaProxy(egress, `${origin.url}/`);
    await expect.poll(() => recorder.all.length).toBe(1);
    expect(recorder.all[0]?.answer).toMatchObject({ status: 200, address: null });
  });

  test('is left out of the way to folders that are served here', async () => {
    await using origin = await httpOrigin((_incoming, response) => response.end('ok'));
    await using proxy = await userProxy('http');
    await using egress = await egressTo([origin.port], { upstream: proxyAt(proxy.url), directPorts: [origin.port] });
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });

  test('is closed to pages under each name that leads to it, also where its address is a public one', async () => {
    const resolver = names({ 'proxy.example': [['93.184.216.34']], 'other.example': [['93.184.216.34']] });
    await using egress = await egressTo([], { resolver, upstream: proxyAt('http://proxy.example:3128') });
    for (const host of ['proxy.example', 'other.example', '93.184.216.34', '64:ff9b::5db8:d822'])
      expect(await egress.check(host, 3128, signal)).toMatchObject({
        kind: 'blocked',
        range: 'port 3128 of the proxy',
      });
    expect(await egress.check('other.example', 443, signal)).toMatchObject({ kind: 'allowed' });
  });
});
