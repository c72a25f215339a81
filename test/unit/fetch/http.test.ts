import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { bytes, kibibytes, mebibytes, milliseconds, seconds } from '../../../src/base/units.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { fetchBytes, type FetchRequest, type FetchResult } from '../../../src/fetch/http.ts';
import { userHeaders } from '../../../src/model/user-headers.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';

const signal = new AbortController().signal;

async function egressTo(...ports: readonly number[]): Promise<Egress> {
  return await openEgress(
    {
      grants: ports.map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
    },
    { log: silentLog, resolver: { resolve: async (name) => await Promise.reject(new Error(`ENOTFOUND ${name}`)) } },
  );
}

function get(egress: Egress, url: string, more: Partial<FetchRequest> = {}): Promise<FetchResult> {
  const asked: FetchRequest = {
    url,
    userAgent: 'Orbweaver/0.1 (+mailto:crawl@example.org)',
    byteLimit: mebibytes(15),
    timeout: seconds(10),
    redirects: 'follow-up-to-5',
    ...more,
  };
  return fetchBytes(asked, egress, signal);
}

/** Fetches a listener's answer, once. */
async function fromListener(listener: RequestListener, more: Partial<FetchRequest> = {}): Promise<FetchResult> {
  await using origin = await httpOrigin(listener);
  await using egress = await egressTo(origin.port);
  return await get(egress, `${origin.url}/`, more);
}

const text = (result: FetchResult): string =>
  result.kind === 'answer' ? Buffer.from(result.body).toString() : result.kind;

const joined = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** A gzip head with everything that it may hold (RFC 1952 section 2.3). */
function namedHead(name: string, comment: string, extra: string): Buffer {
  const fixed = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, extra.length, 0]);
  return joined(fixed, extra, `${name}\0${comment}\0`, Buffer.from([1, 2]));
}

describe('an answer', () => {
  test('comes with status, headers in lower case, body and final URL', async () => {
    await using origin = await httpOrigin((incoming, response) => {
      response.writeHead(404, [
        ['X-One', '1'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ]);
      response.end(`${incoming.headers['user-agent']} ${incoming.headers.accept} ${incoming.headers.authorization}`);
    });
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `http://user:secret@127.0.0.1:${origin.port}/a?b#c`, { accept: 'text/plain' });
    expect(result).toMatchObject({ kind: 'answer', status: 404, truncated: null, finalUrl: `${origin.url}/a?b` });
    expect(text(result)).toBe('Orbweaver/0.1 (+mailto:crawl@example.org) text/plain undefined');
    if (result.kind !== 'answer') throw new Error(result.kind);
    expect(result.headers.filter(([name]) => name === 'x-one' || name === 'set-cookie')).toEqual([
      ['x-one', '1'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });

  test.each([
    ['gzip', gzipSync('hello')],
    ['X-GZIP', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['deflate', deflateSync('hello')],
    ['gzip, br', brotliCompressSync(gzipSync('hello'))],
    ['identity', Buffer.from('hello')],
  ])('in %s is decoded', async (encoding, body) => {
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: null });
    expect(text(result)).toBe('hello');
  });

  test.each<[string, string, Buffer]>([
    ['deflate without a wrapper', 'deflate', deflateRawSync('hello')],
    ['deflate and a line feed', 'deflate', joined(deflateSync('hello'), '\n')],
    ['brotli and a line feed', 'br', joined(brotliCompressSync('hello'), '\n')],
    ['gzip and a line feed', 'gzip', joined(gzipSync('hello'), '\n')],
    ['gzip and much more', 'gzip', joined(gzipSync('hello'), 'x'.repeat(100_000))],
    ['gzip without its footer', 'gzip', gzipSync('hello').subarray(0, -8)],
    ['gzip with half a footer', 'gzip', gzipSync('hello').subarray(0, -3)],
    ['gzip with a wrong checksum', 'gzip', joined(gzipSync('hello').subarray(0, -8), 'a wrong ')],
    ['gzip with a long head', 'gzip', joined(namedHead('a name', 'a comment', 'more'), deflateRawSync('hello'))],
    ['gzip twice, each with a line feed', 'gzip, gzip', joined(gzipSync(joined(gzipSync('hello'), '\n')), '\n')],
    ['a character set for a coding', 'utf-8', Buffer.from('hello')],
    ['no coding', 'none', Buffer.from('hello')],
    ['a media type for a coding', 'text/html', Buffer.from('hello')],
    ['a coding among words that are none', 'UTF-8, gzip, none, constructor', gzipSync('hello')],
  ])('in %s is read as browsers read it', async (_what, encoding, body) => {
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: null });
    expect(text(result)).toBe('hello');
  });

  test('in gzip is read though it comes byte by byte', async () => {
    const packed = joined(namedHead('a name', 'a comment', 'more'), deflateRawSync('hello'), '12345678\n');
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const send = (at: number): void => {
        if (at === packed.length) response.end();
        else response.write(packed.subarray(at, at + 1), () => setImmediate(send, at + 1));
      };
      send(0);
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: null });
    expect(text(result)).toBe('hello');
  });

  test.each(['gzip', 'br', 'deflate'])('in %s is whole though nothing comes', async (encoding) => {
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end();
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: null });
  });

  test.each(['zstd', 'compress', 'dcb', 'dcz', 'gzip, gzip, gzip', Array.from({ length: 20 }, () => 'gzip').join(',')])(
    'in %s is a bad response',
    async (encoding) => {
      const result = await fromListener((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('x');
      });
      expect(result).toMatchObject({ kind: 'failed', failure: 'bad-response' });
    },
  );
});

test('a header of the user takes the place of one of ours, however it is written', async () => {
  let seen: readonly string[] = [];
  await using origin = await httpOrigin((incoming, response) => {
    seen = incoming.rawHeaders;
    response.end();
  });
  await using egress = await egressTo(origin.port);
  const headers = userHeaders(['ACCEPT-Language: de'], [origin.url]);
  await get(egress, origin.url, { headers, language: 'en-US' });
  expect(seen.filter((_each, index) => /^accept-language$/i.test(seen[index - 1] ?? ''))).toEqual(['de']);
});

describe('a body', () => {
  test('that is exactly as long as the limit is whole', async () => {
    const result = await fromListener((_request, response) => response.end('x'.repeat(1000)), {
      byteLimit: bytes(1000),
    });
    expect(result).toMatchObject({ truncated: null });
    expect(text(result)).toHaveLength(1000);
  });

  test('that never ends is cut at the limit, and the connection is closed', async () => {
    await using origin = await httpOrigin((_request, response) => {
      const more = (): void => {
        while (response.writable && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `${origin.url}/`, { byteLimit: kibibytes(500) });
    expect(result).toMatchObject({ kind: 'answer', status: 200, truncated: 'length' });
    expect(text(result)).toHaveLength(500 * 1024);
    await expect.poll(() => origin.open()).toBe(0);
  });

  test.each([
    ['gzip', (body: Buffer) => gzipSync(body)],
    ['br', (body: Buffer) => brotliCompressSync(body)],
    ['deflate', (body: Buffer) => deflateSync(body)],
    ['deflate', (body: Buffer) => deflateRawSync(body)],
    ['gzip, gzip', (body: Buffer) => gzipSync(gzipSync(body))],
  ])('that is a bomb in %s is cut by its ratio', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000, 'x'));
    const before = process.memoryUsage().rss;
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'ratio' });
    expect(text(result).length).toBeLessThan(12_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test('that is no gzip though it says so is cut by its encoding', async () => {
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all');
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'encoding' });
  });

  test('that is no brotli though it says so is cut by its encoding', async () => {
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end('not brotli at all');
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'encoding' });
  });

  test('whose gzip has a head that never ends is cut by its encoding', async () => {
    const head = namedHead('x'.repeat(1_000_000), 'a comment', 'more');
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(joined(head, deflateRawSync('hello')));
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'encoding' });
  });

  test('that is followed by bytes without end is whole, and the connection is closed', async () => {
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('hello'));
      const more = (): void => {
        while (response.writable && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `${origin.url}/`);
    expect(result).toMatchObject({ kind: 'answer', truncated: null });
    expect(text(result)).toBe('hello');
    await expect.poll(() => origin.open()).toBe(0);
  });

  test('whose gzip ends early is cut by its encoding', async () => {
    const whole = gzipSync('hello '.repeat(10_000));
    const result = await fromListener((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length / 2));
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'encoding' });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['ends before its length', 'Content-Length: 100\r\n\r\nhalf', (socket) => socket.end()],
    ['is reset', 'Content-Length: 100\r\n\r\nhalf', (socket) => socket.resetAndDestroy()],
    ['ends within a chunk', 'Transfer-Encoding: chunked\r\n\r\nff\r\nhalf', (socket) => socket.end()],
  ])('that %s is flagged as cut by the connection', async (_title, rest, then) => {
    await using origin = await cannedOrigin(`HTTP/1.1 200 OK\r\n${rest}`, then);
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `http://127.0.0.1:${origin.port}/`);
    expect([result.kind, result.kind === 'answer' ? result.truncated : result]).toEqual(['answer', 'disconnect']);
  });

  test('that goes on for longer than the time is kept as far as it came', async () => {
    const result = await fromListener((_request, response) => void response.write('begun'), {
      timeout: milliseconds(300),
    });
    expect(result).toMatchObject({ kind: 'answer', truncated: 'time' });
    expect(text(result)).toBe('begun');
  });
});

describe('redirects', () => {
  test('lead by the octets of their address, as in a browser', async () => {
    await using origin = await rawOrigin((socket) => {
      socket.once('data', (request: Buffer) => {
        const isFirst = request.toString('latin1').startsWith('GET / ');
        const head = isFirst ? '302 Found\r\nLocation: /тест' : '200 OK';
        socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      });
    });
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `http://127.0.0.1:${origin.port}/`);
    expect(result).toMatchObject({ status: 200, finalUrl: `http://127.0.0.1:${origin.port}/%D1%82%D0%B5%D1%81%D1%82` });
  });

  /** `/n` redirects to `/n-1`, `/0` answers. */
  const countdown: RequestListener = (incoming, response) => {
    const left = Number((incoming.url ?? '/0').slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(302, { location: `/${left - 1}` }).end('over there');
  };

  test('are followed five times', async () => {
    await using origin = await httpOrigin(countdown);
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `${origin.url}/5`);
    expect(result).toMatchObject({ kind: 'answer', status: 200, finalUrl: `${origin.url}/0` });
  });

  test('lead on where their targets are written in UTF-8', async () => {
    await using origin = await httpOrigin((incoming, response) => {
      if (incoming.url === '/%C3%A4') response.end('there');
      else response.writeHead(302, { location: Buffer.from('/ä').toString('latin1') }).end();
    });
    await using egress = await egressTo(origin.port);
    expect(text(await get(egress, `${origin.url}/`))).toBe('there');
  });

  test('end with the sixth as the answer', async () => {
    await using origin = await httpOrigin(countdown);
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `${origin.url}/6`);
    expect(result).toMatchObject({ kind: 'answer', status: 302, finalUrl: `${origin.url}/1` });
    expect(origin.requests).toHaveLength(6);
  });

  test('are answers where they are not to be followed', async () => {
    await using origin = await httpOrigin(countdown);
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `${origin.url}/2`, { redirects: 'none' });
    expect(result).toMatchObject({ kind: 'answer', status: 302, finalUrl: `${origin.url}/2` });
    expect(text(result)).toBe('over there');
  });

  test.each([301, 302, 303, 307, 308])('of status %i to a refused address are stopped at the hop', async (status) => {
    await using canary = await rawOrigin(() => {});
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end();
    });
    await using egress = await egressTo(origin.port);
    expect(await get(egress, `${origin.url}/`)).toMatchObject({
      kind: 'blocked',
      url: `http://127.0.0.1:${canary.port}/`,
    });
    expect(canary.connections()).toBe(0);
  });

  test.each([
    'file:///etc/passwd',
    'itms-apps://x',
    'javascript:alert(1)',
    'data:text/plain,x',
    'http://',
    'gopher://127.0.0.1/',
  ])('to %s are a bad response', async (location) => {
    const result = await fromListener((_request, response) => response.writeHead(302, { location }).end());
    expect(result).toMatchObject({ kind: 'failed', failure: 'bad-response' });
  });
});

describe('a failure', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ['reset', 'resets', (socket) => socket.resetAndDestroy()],
    ['reset', 'closes', (socket) => socket.end()],
    ['bad-response', 'speaks another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['bad-response', 'sends a NUL', (socket) => socket.end('HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n')],
    [
      'bad-response',
      'sends 300 KB of headers',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${`X: ${'x'.repeat(3000)}\r\n`.repeat(100)}\r\n`),
    ],
  ])('is %s where the server %s', async (failure, _title, act) => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => act(socket)));
    await using egress = await egressTo(origin.port);
    expect(await get(egress, `http://127.0.0.1:${origin.port}/`)).toMatchObject({ kind: 'failed', failure });
  });

  test('is a timeout where the head does not come', async () => {
    await using origin = await rawOrigin((socket) => socket.resume().once('end', () => socket.end()));
    await using egress = await egressTo(origin.port);
    const result = await get(egress, `http://127.0.0.1:${origin.port}/`, { timeout: milliseconds(200) });
    expect(result).toMatchObject({ kind: 'failed', failure: 'timeout' });
    await expect.poll(() => origin.open()).toBe(0);
  });

  test('is refused, dns or blocked where there is no way to the server', async () => {
    await using egress = await egressTo(9);
    expect(await get(egress, 'http://nowhere.example/')).toMatchObject({ kind: 'failed', failure: 'dns' });
    expect(await get(egress, 'http://127.0.0.1:9/')).toMatchObject({ kind: 'failed', failure: 'refused' });
    expect(await get(egress, 'http://10.0.0.1/')).toMatchObject({ kind: 'blocked', url: 'http://10.0.0.1/' });
  });

  test.each(['file:///etc/hostname', 'ftp://127.0.0.1/', 'about:blank', 'nonsense'])(
    'is %s, which is no http(s) URL',
    async (url) => {
      await using egress = await egressTo();
      expect(await get(egress, url)).toMatchObject({ kind: 'failed', failure: 'bad-response' });
    },
  );

  test('is thrown only where the caller has given up', async () => {
    await using origin = await rawOrigin((socket) => socket.resume().once('end', () => socket.end()));
    await using egress = await egressTo(origin.port);
    const stop = new AbortController();
    const asked: FetchRequest = {
      url: `http://127.0.0.1:${origin.port}/`,
      userAgent: 'x',
      byteLimit: bytes(1),
      timeout: seconds(10),
      redirects: 'none',
    };
    const result = fetchBytes(asked, egress, stop.signal);
    await expect.poll(() => origin.connections()).toBe(1);
    stop.abort(new Error('no longer wanted'));
    await expect(result).rejects.toThrow('no longer wanted');
  });
});
