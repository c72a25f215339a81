import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import type { Egress } from '../../../src/egress/egress.ts';
import { basic } from '../../../src/egress/proxy/proxy-door.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';
import { SECURE_NAME, secureOrigin } from '../../support/secure-origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';
import { viaTunnel } from './through-tunnel.ts';

/** Sends bytes as a program without the credential. @returns the first data of the answer */
async function asStranger(egress: Egress, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(egress.proxyUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
  return String(answer);
}

/** Header lines with a wrong credential, by what is wrong. */
function wrongCredentials(egress: Egress): readonly (readonly [string, string])[] {
  const { username, password } = egress.proxyCredential;
  const line = (value: string): string => `Proxy-Authorization: ${value}\r\n`;
  return [
    ['nothing', ''],
    ['an empty one', line('')],
    ['no more than its scheme', line('Basic')],
    ['another password', line(basic({ username, password: `${password.slice(0, -1)}!` }))],
    ['the beginning of the password', line(basic({ username, password: password.slice(0, 10) }))],
    ['another name', line(basic({ username: 'admin', password }))],
    ['no password', line(basic({ username, password: '' }))],
    ['more than the password', line(basic({ username, password: `${password}x` }))],
    ['another scheme', line(basic({ username, password }).replace('Basic', 'Bearer'))],
    ['the credential for a server', `Authorization: ${basic({ username, password })}\r\n`],
    ['a very long one', line(`Basic ${'A'.repeat(30_000)}`)],
    ['one that is not text', line('Basic \xff\xfe')],
    ['a wrong one first', line('Basic eDp5') + line(basic({ username, password }))],
  ];
}

describe('a program of the machine that does not know the credential', () => {
  test('gets 407 for a request, a CONNECT and an upgrade, and reaches nothing', async () => {
    await using origin = await rawOrigin(() => {});
    await using egress = await egressTo([origin.port]);
    const host = `127.0.0.1:${origin.port}`;
    const asked = [
      (line: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`,
      (line: string) => `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\n${line}\r\nx`,
      (line: string) => `GET http://1.1.1.1/ HTTP/1.1\r\nHost: 1.1.1.1\r\n${line}\r\n`,
      (line: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n`,
      (line: string) =>
        `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${line}\r\n`,
      (line: string) => `GET ${egress.proxyCredential.greeting} HTTP/1.1\r\nHost: x\r\n${line}\r\n`,
    ];
    for (const [title, line] of wrongCredentials(egress)) {
      for (const write of asked) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a failure names its case
        const answer = await asStranger(egress, write(line));
        expect(answer, title).toMatch(/^HTTP\/1.1 407 [^]*proxy-authenticate: Basic realm="orbweaver"/);
      }
    }
    expect(origin.connections()).toBe(0);
    expect(egress.counts()).toMatchObject({ requests: 0, refused: 0, received: 0 });
    expect(egress.lastFailure('127.0.0.1', origin.port)).toBeNull();
  });

  test('writes nothing into the archive, and is told of once, without the credential', async () => {
    await using origin = await httpOrigin((_request, response) => response.end());
    const heard = hearExchanges();
    const lines: string[] = [];
    const tell = (event: string, fields?: unknown): void => void lines.push(`${event} ${JSON.stringify(fields)}`);
    const log = { debug: tell, info: tell, warn: tell, error: tell };
    await using egress = await egressTo([origin.port], { recorder: heard, log });
    for (let index = 0; index < 3; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- three after another
      await asStranger(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    expect(heard.all).toEqual([]);
    expect(lines.filter((line) => line.includes('without the credential'))).toHaveLength(1);
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(200);
    expect(lines.join('\n')).not.toContain(egress.proxyCredential.password);
    expect(JSON.stringify(heard.all)).not.toMatch(/proxy-authorization/i);
  });
});

describe('the credential of a crawl', () => {
  test('is its own, and beyond guessing', async () => {
    await using one = await egressTo([]);
    await using other = await egressTo([]);
    expect(one.proxyCredential.password).not.toBe(other.proxyCredential.password);
    expect(Buffer.from(one.proxyCredential.password, 'base64url')).toHaveLength(32);
  });

  test('gets a greeting answered that leads nowhere', async () => {
    await using egress = await egressTo([]);
    expect((await viaProxy(egress, egress.proxyCredential.greeting)).status).toBe(204);
    expect(egress.counts().requests).toBe(0);
  });

  test('is shown to no origin: not by a request, not by an upgrade, not within TLS, not by our own HTTP', async () => {
    const seen: IncomingHttpHeaders[] = [];
    await using origin = await httpOrigin((incoming, response) => {
      seen.push(incoming.headers);
      response.end();
    });
    origin.server.on('upgrade', (incoming, socket) => {
      seen.push(incoming.headers);
      socket.end('HTTP/1.1 400 No\r\n\r\n');
    });
    await using secure = await secureOrigin((incoming, response) => {
      seen.push(incoming.headers);
      response.end();
    });
    await using egress = await egressTo([origin.port, secure.port], {
      recorder: hearExchanges(),
      trusted: [secure.authority],
      resolver: {
        resolve: async () => await Promise.resolve({ kind: 'addresses', addresses: ['127.0.0.1'], ttl: null }),
      },
    });
    await viaProxy(egress, `${origin.url}/`);
    await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n`);
    await viaTunnel(egress, secure.url('/', SECURE_NAME), {
      headers: { host: 'x', 'proxy-authorization': basic(egress.proxyCredential) },
    });
    const before = egress.counts().requests;
    await (await request(`${origin.url}/own`, { dispatcher: egress.dispatcher })).body.dump();
    expect(seen).toHaveLength(4);
    expect(JSON.stringify(seen)).not.toMatch(/proxy-authorization/i);
    // our own HTTP bypasses the proxy's port, so it needs no credential
    expect(egress.counts().requests).toBe(before + 1);
  });

  test.each([
    ['plain', 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="orbweaver"\r\n'],
    ['without a challenge', 'HTTP/1.1 407 Proxy Authentication Required\r\n'],
  ])('is not asked for by an origin: its 407 %s is a bad response', async (_title, head) => {
    await using origin = await cannedOrigin(`${head}Content-Length: 0\r\n\r\n`);
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'bad-response']);
    expect(reply.headers).not.toHaveProperty('proxy-authenticate');
    expect(egress.lastFailure('127.0.0.1', origin.port)).toMatchObject({
      detail: expect.stringContaining('407') as string,
    });
  });

  test('is not asked for within TLS either', async () => {
    await using origin = await secureOrigin((_incoming, response) => {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="orbweaver"' }).end();
    });
    await using egress = await egressTo([origin.port], { recorder: hearExchanges(), trusted: [origin.authority] });
    const reply = await viaTunnel(egress, origin.url('/', '127.0.0.1'));
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'bad-response']);
    expect(reply.headers).not.toHaveProperty('proxy-authenticate');
  });
});
