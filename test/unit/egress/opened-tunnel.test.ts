/** TLS that the proxy terminates: which server is behind it, how bad servers end, and that it is no way round the gate. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { epochMs, hours, milliseconds } from '../../../src/base/units.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { handClock } from '../../support/hand-clock.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import { httpOrigin, rawOrigin } from '../../support/origin.ts';
import { SECURE_NAME, secureOrigin, type SecureOrigin } from '../../support/secure-origin.ts';
import { until } from '../../support/until.ts';
import { egressTo, rawToProxy } from './through-proxy.ts';
import { ask, throughTunnel, viaTunnel } from './through-tunnel.ts';

const answering = (): Promise<SecureOrigin> =>
  secureOrigin((request, response) => response.end(`${request.headers.host} ${request.url}`));

function opened(origin: SecureOrigin, more: Parameters<typeof egressTo>[1] = {}): Promise<Egress> {
  return egressTo([origin.port], { recorder: hearExchanges(), trusted: [origin.authority], ...more });
}

/** Upgrades to a protocol that echoes its input. */
function echo(incoming: IncomingMessage, socket: Duplex): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n${incoming.url} ${incoming.headers.host} `,
  );
  socket.on('error', () => {});
  socket.pipe(socket);
}

const connectTo = (port: number, host = SECURE_NAME): string => `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`;

describe('a tunnel that is opened', () => {
  test('shows a certificate of the crawl, and was verified by that of the origin', async () => {
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/'));
    expect(tls.getPeerX509Certificate()?.issuer).toBe('CN=Orbweaver for one crawl');
    expect(tls.authorized).toBe(true);
    expect((await ask(tls, '/a?b')).body.toString()).toBe(`${SECURE_NAME}:${origin.port} /a?b`);
    expect(origin.names).toEqual([SECURE_NAME]);
    tls.destroy();
  });

  test.each(['127.0.0.1', 'a_b.localhost', 'xn--bcher-kva.localhost', `${'x'.repeat(200)}.localhost`])(
    'leads to %s',
    async (name) => {
      await using origin = await answering();
      await using egress = await opened(origin);
      const tls = await throughTunnel(egress, origin.url('/', name), { checkServerIdentity: () => undefined });
      expect((await ask(tls, '/')).body.toString()).toMatch(new RegExp(`${origin.port} /$`));
      tls.destroy();
    },
  );

  test.each([
    ['too long for TLS', `${'x'.repeat(60_000)}.localhost`],
    ['a wildcard', '*.localhost'],
  ])('to a name that is %s ends in a failure, and the gate goes on', async (_title, name) => {
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/', name), {
      servername: '',
      checkServerIdentity: () => undefined,
    });
    expect((await ask(tls, '/')).headers['x-orbweaver-error']).toBe('tls');
    tls.destroy();
    expect((await viaTunnel(egress, origin.url('/'))).status).toBe(200);
  });

  test.each([
    ['another name', 'other.localhost'],
    ['no name', ''],
  ])('goes where the CONNECT led to, whoever asks in TLS for %s', async (_title, servername) => {
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/'), { servername, checkServerIdentity: () => undefined });
    expect(tls.getPeerX509Certificate()?.subjectAltName).toBe(`DNS:${SECURE_NAME}`);
    const reply = await ask(tls, '/', { headers: { host: '169.254.169.254' } });
    expect(reply.body.toString()).toBe(`${SECURE_NAME}:${origin.port} /`);
    tls.destroy();
  });

  test('speaks HTTP/1.1 with who would speak HTTP/2, and not at all with who speaks nothing else', async () => {
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/'), { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(tls.alpnProtocol).toBe('http/1.1');
    tls.destroy();
    await expect(throughTunnel(egress, origin.url('/'), { ALPNProtocols: ['h2'] })).rejects.toThrow();
    await until(() => origin.open() <= 2, 'the connections to be few');
  });

  test('asks its origin over the connection that was opened for it, and over kept ones', async () => {
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/'));
    let heard = '';
    tls.on('data', (chunk) => {
      heard += String(chunk);
    });
    for (const path of ['/1', '/2', '/3']) {
      tls.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await until(() => heard.includes(`:${origin.port} ${path}`), path);
    }
    tls.destroy();
    expect([origin.requests, origin.connections()]).toEqual([['GET /1', 'GET /2', 'GET /3'], 1]);
  });

  test('leaves what is not TLS as it is', async () => {
    await using origin = await httpOrigin((_request, response) => response.end());
    origin.server.on('upgrade', echo);
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard });
    const { socket } = await rawToProxy(egress, connectTo(origin.port, '127.0.0.1'));
    socket.write('GET /chat HTTP/1.1\r\nHost: own\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    let body = '';
    socket.on('data', (chunk) => {
      body += String(chunk);
    });
    socket.write('hello');
    await until(() => body.endsWith('/chat own hello'), 'the echo');
    socket.destroy();
    await until(() => origin.open() === 0, 'the origin to be left');
    expect(heard.all).toEqual([]);
  });

  test('passes the bytes of an upgrade, which are told to nobody', async () => {
    await using origin = await answering();
    origin.server.on('upgrade', echo);
    const heard = hearExchanges();
    await using egress = await opened(origin, { recorder: heard });
    const tls = await throughTunnel(egress, origin.url('/'));
    tls.write('GET /chat HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly ');
    let body = '';
    tls.on('data', (chunk) => {
      body += String(chunk);
    });
    await until(() => body.endsWith('early '), 'the first echo');
    tls.write('late');
    await until(() => body.endsWith(`/chat ${SECURE_NAME}:${origin.port} early late`), 'the echo');
    expect([heard.all.length, origin.connections()]).toEqual([0, 1]);
    tls.destroy();
    await until(() => origin.open() === 0, 'the origin to be left');
  });

  test('loses the words that only the proxy may say', async () => {
    await using origin = await secureOrigin((_request, response) =>
      response.writeHead(200, { 'x-orbweaver-error': 'dns', 'x-orbweaver-refused': 'yes' }).end(),
    );
    await using egress = await opened(origin);
    const { headers } = await viaTunnel(egress, origin.url('/'));
    expect(Object.keys(headers).filter((name) => name.startsWith('x-orbweaver'))).toEqual([]);
  });
});

describe('a tunnel', () => {
  test('stays closed where nobody keeps an archive', async () => {
    await using origin = await answering();
    await using egress = await egressTo([origin.port]);
    expect(egress.authority).toBeNull();
    const tls = await throughTunnel(egress, origin.url('/'), { ca: [origin.authority] });
    const root = new X509Certificate(origin.authority);
    expect(tls.getPeerX509Certificate()?.verify(root.publicKey)).toBe(true);
    expect((await ask(tls, '/')).status).toBe(200);
    tls.destroy();
  });
});

describe('an origin that fails behind an opened tunnel', () => {
  /** The result of a request to an origin under this name. */
  async function failureOf(egress: Egress, port: number, name = SECURE_NAME): Promise<unknown[]> {
    const reply = await viaTunnel(egress, `https://${name}:${port}/`);
    const last = egress.lastFailure(name, port);
    return [reply.status, reply.headers['x-orbweaver-error'], last?.kind === 'failed' ? last.failure : last];
  }

  test('by a certificate of an authority that nobody trusts', async () => {
    await using origin = await answering();
    const heard = hearExchanges();
    await using egress = await egressTo([origin.port], { recorder: heard });
    expect(await failureOf(egress, origin.port)).toEqual([502, 'tls', 'tls']);
    expect([heard.all.length, origin.requests.length]).toEqual([0, 0]);
  });

  test('by the certificate of another', async () => {
    await using origin = await secureOrigin((_request, response) => response.end(), { name: 'other.localhost' });
    await using egress = await opened(origin);
    expect(await failureOf(egress, origin.port)).toEqual([502, 'tls', 'tls']);
    expect(await failureOf(egress, origin.port, '127.0.0.1')).toEqual([502, 'tls', 'tls']);
    expect(origin.requests).toEqual([]);
  });

  test('by a certificate that has ended', async () => {
    const past = { ...systemClock, now: () => epochMs(Date.now() - hours(24 * 30)) };
    await using origin = await secureOrigin((_request, response) => response.end(), { clock: past });
    await using egress = await opened(origin);
    expect(await failureOf(egress, origin.port)).toEqual([502, 'tls', 'tls']);
  });

  test('by speaking no TLS', async () => {
    await using origin = await rawOrigin((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    await using egress = await egressTo([origin.port], { recorder: hearExchanges() });
    expect(await failureOf(egress, origin.port)).toEqual([502, 'tls', 'tls']);
  });

  test('by a reset within the handshake, or an end', async () => {
    for (const act of ['resetAndDestroy', 'end'] as const) {
      await using origin = await rawOrigin((socket) => socket.once('data', () => socket[act]()));
      await using egress = await egressTo([origin.port], { recorder: hearExchanges() });
      expect(await failureOf(egress, origin.port)).toEqual([502, 'reset', 'reset']);
    }
  });

  test('by silence within the handshake', async () => {
    await using origin = await rawOrigin((socket) => socket.resume().once('end', () => socket.end()));
    await using egress = await egressTo([origin.port], {
      recorder: hearExchanges(),
      connectTimeout: milliseconds(300),
    });
    expect(await failureOf(egress, origin.port)).toEqual([504, 'timeout', 'timeout']);
    await until(() => origin.open() === 0, 'the origin to be left');
  });

  test('is asked anew by the next client', async () => {
    let broken = true;
    await using origin = await answering();
    await using gate = await rawOrigin((socket) => {
      if (broken) socket.once('data', () => socket.resetAndDestroy());
      else joinWith(socket, origin.port);
    });
    await using egress = await egressTo([gate.port], { recorder: hearExchanges(), trusted: [origin.authority] });
    expect(await failureOf(egress, gate.port)).toEqual([502, 'reset', 'reset']);
    broken = false;
    expect((await viaTunnel(egress, `https://${SECURE_NAME}:${gate.port}/`)).status).toBe(200);
  });

  test('by refusing connections or by having no address is the failure of its CONNECT', async () => {
    const port = await (async () => {
      await using gone = await rawOrigin(() => {});
      return gone.port;
    })();
    await using egress = await egressTo([port], { recorder: hearExchanges() });
    const refused = await rawToProxy(egress, connectTo(port));
    expect(refused.head).toMatch(/^HTTP\/1.1 502 [^]*x-orbweaver-error: refused\r\n/);
    const unknown = await rawToProxy(egress, connectTo(port, 'no-such-host.invalid'));
    expect(unknown.head).toMatch(/^HTTP\/1.1 502 [^]*x-orbweaver-error: dns\r\n/);
  });
});

describe('the gate of a crawl that keeps an archive', () => {
  test('refuses a CONNECT to an address that is not granted', async () => {
    await using canary = await answering();
    await using egress = await egressTo([], { recorder: hearExchanges() });
    const { head } = await rawToProxy(egress, connectTo(canary.port));
    expect(head).toMatch(/^HTTP\/1.1 403 [^]*x-orbweaver-refused: /);
    expect(canary.connections()).toBe(0);
  });

  test.each([
    ['in absolute-form', (url: string) => `GET ${url}/ HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'in absolute-form over TLS',
      (url: string) => `GET ${url.replace('http:', 'https:')}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    ],
    ['by another CONNECT', (url: string) => `CONNECT ${new URL(url).host} HTTP/1.1\r\n\r\n`],
    [
      'by an upgrade in absolute-form',
      (url: string) => `GET ${url}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
    ['by a path without a slash', (url: string) => `GET @${new URL(url).host}/ HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('lets nobody out of an opened tunnel %s', async (_title, option) => {
    await using canary = await httpOrigin((_request, response) => response.end());
    await using origin = await answering();
    await using egress = await opened(origin, {
      grants: [origin.port, canary.port].map((port) => ({ cidr: '127.0.0.1', port })),
    });
    const tls = await throughTunnel(egress, origin.url('/'));
    tls.write(option(canary.url));
    const [answer]: unknown[] = await Promise.race([once(tls, 'data'), once(tls, 'end'), once(tls, 'close')]);
    if (Buffer.isBuffer(answer)) expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
    tls.destroy();
    expect([canary.connections(), origin.requests]).toEqual([0, []]);
  });

  test('does not let a second request on a connection out either', async () => {
    await using canary = await httpOrigin((_request, response) => response.end());
    await using origin = await answering();
    await using egress = await opened(origin);
    const tls = await throughTunnel(egress, origin.url('/'));
    tls.write(`GET /ok HTTP/1.1\r\nHost: x\r\n\r\nGET ${canary.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    let heard = '';
    tls.on('data', (chunk) => {
      heard += String(chunk);
    });
    await until(() => heard.includes('HTTP/1.1 400 '), 'the refusal');
    expect([origin.requests, canary.connections()]).toEqual([['GET /ok'], 0]);
    tls.destroy();
  });

  test.each([
    ['says nothing', (): string | null => null],
    ['begins a handshake and stops', (): string | null => '\x16\x03\x01\x02\x00\x01'],
    ['sends rubbish for a handshake', (): string | null => '\x16\x03\x01\xff\xff'.repeat(100)],
  ])('closes a client that %s, and its origin', async (_title, bytes) => {
    await using origin = await answering();
    await using egress = await opened(origin, { connectTimeout: milliseconds(300) });
    const { socket } = await rawToProxy(egress, connectTo(origin.port));
    const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]);
    const option = bytes();
    if (option !== null) socket.write(option, 'latin1');
    socket.resume();
    await closed;
    socket.destroy();
    expect(origin.requests).toEqual([]);
    await until(() => egress.counts().requests === 1, 'the gate to be as it was');
    expect((await viaTunnel(egress, origin.url('/'))).status).toBe(200);
  });

  test('leaves nothing open when a client goes away at whatever moment', async () => {
    await using origin = await answering();
    const egress = await opened(origin);
    const early = await rawToProxy(egress, connectTo(origin.port));
    early.socket.destroy();
    const half = await rawToProxy(egress, connectTo(origin.port));
    half.socket.write('\x16\x03\x01', 'latin1', () => half.socket.resetAndDestroy());
    const tls = await throughTunnel(egress, origin.url('/'));
    await ask(tls, '/');
    tls.destroy();
    await egress[Symbol.asyncDispose]();
    await until(() => origin.open() === 0, 'the origin to be left');
  });

  test('counts every request within TLS, and its CONNECT for the first of them', async () => {
    const clock = handClock();
    await using origin = await answering();
    await using egress = await opened(origin, {
      clock: { ...clock, now: () => systemClock.now() },
      subRequests: () => ({ burst: 3, perSecond: 1 }),
    });
    const tls = await throughTunnel(egress, origin.url('/'));
    let heard = '';
    tls.on('data', (chunk) => {
      heard += String(chunk);
    });
    const answers = (): number => heard.split('HTTP/1.1 200').length - 1;
    for (let index = 0; index < 5; index += 1) tls.write(`GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => answers() === 3, 'three of them');
    await until(() => egress.holdsBack(SECURE_NAME, origin.port), 'the fourth to wait');
    expect(origin.requests).toHaveLength(3);
    await clock.run(milliseconds(1000));
    await until(() => answers() === 4, 'the fourth');
    await clock.run(milliseconds(1000));
    await until(() => answers() === 5, 'the fifth');
    tls.destroy();
  });
});

/** Connects a client with another port of loopback. */
function joinWith(client: Duplex, port: number): void {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => client.destroy());
  client.on('close', () => socket.destroy());
  client.pipe(socket).pipe(client);
}
