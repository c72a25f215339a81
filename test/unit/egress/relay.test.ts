import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { describe, expect, test } from 'vitest';

import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';

describe('a plain request through the proxy', () => {
  test('reaches a granted origin in origin-form, and the answer comes back as it was', async () => {
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(203, 'As It Is', [
        ['X-One', '1'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['Content-Encoding', 'br'],
      ]);
      response.end('not brotli at all');
    });
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `${origin.url}/a%20b?q=%7e&r=[]`);
    expect(origin.requests).toEqual(['GET /a%20b?q=%7e&r=[]']);
    expect(reply.status).toBe(203);
    expect(reply.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(reply.raw).toContain('X-One');
    expect(reply.body.toString()).toBe('not brotli at all');
    expect(egress.counts()).toMatchObject({ requests: 1, refused: 0 });
    expect(egress.counts().received).toBeGreaterThan(100);
  });

  test.each([
    ['/b\xc3\xbccher', '/b%C3%BCcher'],
    ['/b\xfccher?\xd8', '/b%FCcher?%D8'],
    ['/b%fccher', '/b%fccher'],
  ])('gets the address of a redirect in octets that its protocol can show: %j', async (sent, got) => {
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(302, { Location: sent, 'X-Other': 'r\xfcck' }).end();
    });
    await using egress = await egressTo([origin.port]);
    const { headers } = await viaProxy(egress, `${origin.url}/`);
    expect([headers.location, headers['x-other']]).toEqual([got, 'r\xfcck']);
  });

  test('carries a body both ways unharmed, with a length and in chunks', async () => {
    await using origin = await httpOrigin((incoming, response) => {
      response.setHeader(
        'x-framing',
        incoming.headers['transfer-encoding'] ?? `length ${incoming.headers['content-length']}`,
      );
      incoming.pipe(response);
    });
    await using egress = await egressTo([origin.port]);
    const body = Buffer.alloc(3_000_000, 'orbweaver ');
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const sized = await viaProxy(egress, `${origin.url}/`, {
      method: 'POST',
      body,
      headers: { 'content-length': String(body.length) },
    });
    expect([sized.headers['x-framing'], digest(sized.body)]).toEqual([`length ${body.length}`, digest(body)]);
    const chunked = await viaProxy(egress, `${origin.url}/`, {
      method: 'PUT',
      body,
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect([chunked.headers['x-framing'], digest(chunked.body)]).toEqual(['chunked', digest(body)]);
    const empty = await viaProxy(egress, `${origin.url}/`, { method: 'POST', headers: { 'content-length': '0' } });
    expect([empty.headers['x-framing'], empty.body.length]).toEqual(['length 0', 0]);
  });

  test('asks for the codings that the browser asks for, where nothing is recorded', async () => {
    let seen: string | undefined;
    await using origin = await httpOrigin((incoming, response) => {
      seen = incoming.headers['accept-encoding']?.toString();
      response.end();
    });
    await using egress = await egressTo([origin.port]);
    await viaProxy(egress, `${origin.url}/`, { headers: { 'accept-encoding': 'gzip, br, zstd' } });
    expect(seen).toBe('gzip, br, zstd');
  });

  test('loses the headers of its own connection and keeps the others', async () => {
    let seen: IncomingHttpHeaders = {};
    await using origin = await httpOrigin((incoming, response) => {
      seen = incoming.headers;
      response.writeHead(200, {
        connection: 'close, x-private',
        'x-private': '1',
        'x-public': '2',
        'proxy-authenticate': 'Basic',
        'x-orbweaver-refused': 'not at all',
      });
      response.end();
    });
    await using egress = await egressTo([origin.port]);
    const reply = await viaProxy(egress, `${origin.url}/`, {
      headers: {
        host: 'other.example',
        connection: 'keep-alive, x-mine',
        'x-mine': '1',
        'x-kept': '2',
        te: 'trailers',
        'proxy-connection': 'keep-alive',
      },
    });
    expect(seen).toMatchObject({ host: `127.0.0.1:${origin.port}`, 'x-kept': '2' });
    for (const name of ['x-mine', 'te', 'proxy-connection', 'proxy-authorization'])
      expect(seen).not.toHaveProperty(name);
    expect(reply.headers).toMatchObject({ 'x-public': '2' });
    for (const name of ['x-private', 'proxy-authenticate', 'x-orbweaver-refused'])
      expect(reply.headers).not.toHaveProperty(name);
  });

  test.each([
    ['HEAD', 200, { 'content-length': '5' }],
    ['GET', 204, {}],
    ['GET', 304, { etag: '"x"' }],
    ['OPTIONS', 200, { 'content-length': '0', allow: 'GET' }],
    ['DELETE', 202, { 'content-length': '0' }],
  ])('by %s whose answer %i has no body keeps the connection in step', async (method, status, headers) => {
    await using origin = await httpOrigin((_request, response) => response.writeHead(status, headers).end());
    await using egress = await egressTo([origin.port]);
    for (let index = 0; index < 2; index += 1) {
      const reply = await viaProxy(egress, `${origin.url}/`, { method });
      expect(reply).toMatchObject({ status, headers, complete: true });
      expect(reply.body).toHaveLength(0);
    }
    expect(origin.connections()).toBe(1);
  });

  test('whose answer breaks off in the packet that it began in gets the part before', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    await using origin = await cannedOrigin(`${head}4\r\npart\r\nzz\r\n`);
    await using egress = await egressTo([origin.port]);
    const { status, body, complete } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect([status, String(body), complete]).toEqual([200, 'part', false]);
  });

  test('gets no answer behind more than twenty interim ones', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(21);
    await using origin = await cannedOrigin(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
    await using egress = await egressTo([origin.port]);
    const { status, headers } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect([status, headers['x-orbweaver-detail']]).toEqual([502, 'more than 20 interim answers']);
  });

  test('gets as many header fields as are sent', async () => {
    const fields = Array.from({ length: 900 }, (_, index) => `X-${index}: a\r\n`).join('');
    await using origin = await cannedOrigin(`HTTP/1.1 200 OK\r\n${fields}X-Last: b\r\nContent-Length: 2\r\n\r\nok`);
    await using egress = await egressTo([origin.port]);
    const { headers } = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
    expect(headers).toMatchObject({ 'x-899': 'a', 'x-last': 'b' });
  });

  test('re-uses the connection to its origin', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    await using egress = await egressTo([origin.port]);
    for (let index = 0; index < 5; index += 1) await viaProxy(egress, `${origin.url}/${index}`);
    expect(origin.requests).toHaveLength(5);
    expect(origin.connections()).toBe(1);
  });

  test('is sent again on a new connection where the kept one was dead already', async () => {
    let connections = 0;
    await using origin = await rawOrigin((socket) => {
      connections += 1;
      const first = connections === 1;
      let asked = 0;
      socket.on('data', () => {
        asked += 1;
        if (first && asked === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    await using egress = await egressTo([origin.port]);
    expect((await viaProxy(egress, `http://127.0.0.1:${origin.port}/1`)).status).toBe(200);
    expect((await viaProxy(egress, `http://127.0.0.1:${origin.port}/2`)).status).toBe(200);
    expect(connections).toBe(2);
  });

  test.each(['', 'and more\r\n\r\n'])(
    'is answered in whole where the server sends more than its length says: %j',
    async (more) => {
      const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nwhole${more}`;
      await using origin = await rawOrigin((socket) => {
        socket.on('data', () => socket.write(answer));
      });
      await using egress = await egressTo([origin.port]);
      for (let asked = 0; asked < 3; asked += 1) {
        const reply = await viaProxy(egress, `http://127.0.0.1:${origin.port}/`);
        expect([reply.status, reply.body.toString(), reply.complete]).toEqual([200, 'whole', true]);
      }
    },
  );

  test('streams: the first bytes are there before the origin has sent the last', async () => {
    let finish = (): void => {};
    await using origin = await httpOrigin((_request, response) => {
      response.write('first');
      finish = () => response.end('last');
    });
    await using egress = await egressTo([origin.port]);
    const { socket, head } = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    let body = head;
    const more = (async () => {
      for await (const chunk of socket) {
        body += String(chunk);
        if (body.includes('last')) break;
      }
    })();
    await expect.poll(() => body).toContain('first');
    expect(body).not.toContain('last');
    finish();
    await more;
    expect(body).toContain('last');
  });

  test('ends at the origin when the client goes away', async () => {
    await using origin = await httpOrigin((_request, response) => void response.write('endless'));
    await using egress = await egressTo([origin.port]);
    const { socket } = await rawToProxy(egress, `GET ${origin.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(origin.open()).toBe(1);
    socket.destroy();
    await expect.poll(() => origin.open()).toBe(0);
  });
});
