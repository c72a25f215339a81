import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import { silentLog } from '../../../src/base/log.ts';
import { openSiteServer } from '../../../src/site-server/open-site-server.ts';
import { temporaryFolder, temporarySite, type TemporarySite } from './temporary-site.ts';

const json = (site: unknown) => JSON.stringify(site);

function siteWith(routes: Record<string, unknown>, files: Record<string, string> = {}): Promise<TemporarySite> {
  return temporarySite({ 'site.json': json({ routes }), 'www/index.html': '<h1>home</h1>', ...files });
}

describe('hosts', () => {
  const files = {
    'site.json': json({
      hosts: { one: 'a', 'docs.one': 'b' },
      start: '/start',
      routes: { 'docs.one:/only': { body: 'x' } },
    }),
    'a/index.html': '<a href="{origin:docs.one}/page">{host:one} {origin:nobody}</a>',
    'b/page.html': 'other',
    'b/logo.png': '{origin:one}',
  };

  test('each has its folder and its name, told by the Host header', async () => {
    await using site = await temporarySite(files);
    const { port } = site.server;
    expect(site.server.url).toBe(`http://one.localhost:${port}/start`);
    expect([...site.server.origins]).toEqual([
      ['one', `http://one.localhost:${port}`],
      ['docs.one', `http://docs.one.localhost:${port}`],
    ]);
    expect((await site.get('/page', { host: `docs.one.localhost:${port}` })).body).toBe('other');
    expect((await site.get('/page', { host: `one.localhost:${port}` })).status).toBe(404);
    expect((await site.get('/', { host: `127.0.0.1:${port}` })).status).toBe(421);
  });

  test('placeholders in text become origins; unknown names and binary files stay', async () => {
    await using site = await temporarySite(files);
    const { port } = site.server;
    const text = await site.get('/', { host: 'one.localhost' });
    expect(text.body).toBe(
      `<a href="http://docs.one.localhost:${port}/page">one.localhost:${port} {origin:nobody}</a>`,
    );
    expect((await site.get('/logo.png', { host: 'docs.one.localhost' })).body).toBe('{origin:one}');
  });

  test('a route can belong to one of them', async () => {
    await using site = await temporarySite(files);
    expect((await site.get('/only', { host: 'docs.one.localhost' })).body).toBe('x');
    expect((await site.get('/only', { host: 'one.localhost' })).status).toBe(404);
  });
});

describe('routes', () => {
  test('set status, headers and body, JSON, or a file from beside www', async () => {
    await using site = await siteWith(
      {
        '/gone': { status: 410, body: 'gone' },
        '/api': { json: { self: '{origin}/api' } },
        '/download': { file: 'data/report.bin', headers: { 'Content-Disposition': 'attachment' } },
      },
      { 'data/report.bin': 'bytes' },
    );
    expect(await site.get('/gone')).toMatchObject({
      status: 410,
      body: 'gone',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    const api = await site.get('/api');
    expect(JSON.parse(api.body)).toEqual({ self: `http://127.0.0.1:${site.server.port}/api` });
    expect(api.headers['content-type']).toContain('application/json');
    const download = await site.get('/download');
    expect(download).toMatchObject({ body: 'bytes', headers: { 'content-disposition': 'attachment' } });
  });

  test('without an answer of their own they change the file that is there', async () => {
    await using site = await siteWith({ '/': { headers: { 'content-type': 'text/html' } }, '/none': { status: 503 } });
    expect(await site.get('/')).toMatchObject({
      status: 200,
      body: '<h1>home</h1>',
      headers: { 'content-type': 'text/html' },
    });
    expect(await site.get('/none')).toMatchObject({ status: 503, body: '' });
  });

  test('the most special wins: whole path with query, whole path, long prefix, short prefix', async () => {
    await using site = await siteWith({
      '/*': { body: 'any' },
      '/api/*': { body: 'prefix' },
      '/api/list': { body: 'list' },
      '/api/list?page=2': { body: 'second' },
      '/käse': { body: 'cheese' },
    });
    const bodies = await Promise.all(
      ['/x', '/api/x', '/api/list?page=1', '/api/list?sort=a&page=2', '/k%C3%A4se'].map(
        async (path) => (await site.get(path)).body,
      ),
    );
    expect(bodies).toEqual(['any', 'prefix', 'list', 'second', 'cheese']);
  });

  test('redirect to paths and to other hosts, with any status', async () => {
    await using site = await temporarySite({
      'site.json': json({
        hosts: { one: 'a', two: 'a' },
        routes: { '/r': { redirect: 'http://{host:two}/x' }, '/p': { redirect: '/q', status: 308 } },
      }),
      'a/index.html': '',
    });
    const far = await site.get('/r', { host: 'one.localhost' });
    expect([far.status, far.headers.location]).toEqual([302, `http://two.localhost:${site.server.port}/x`]);
    const near = await site.get('/p', { host: 'one.localhost' });
    expect([near.status, near.headers.location]).toEqual([308, '/q']);
  });

  test('wait before they answer', async () => {
    await using site = await siteWith({ '/slow': { delay: 120, body: 'late' } });
    const start = performance.now();
    expect((await site.get('/slow')).body).toBe('late');
    expect(performance.now() - start).toBeGreaterThanOrEqual(115);
  });

  test('hold for the first requests only where times says so', async () => {
    await using site = await siteWith({ '/': { times: 2, status: 503, body: 'busy' } });
    const statuses = [await site.get('/'), await site.get('/'), await site.get('/')].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  test('fallback: index.html is given where site.json asks for it', async () => {
    await using site = await temporarySite({
      'site.json': json({ fallback: 'index.html' }),
      'www/index.html': 'app',
      'www/other.html': '',
    });
    expect(await site.get('/some/route', { accept: 'text/html' })).toMatchObject({ status: 200, body: 'app' });
  });
});

describe('site.json', () => {
  test.each([
    ['not JSON', '{', 'JSON'],
    ['an unknown key', json({ route: {} }), 'route'],
    ['a fault that is none', json({ routes: { '/x': { fault: 'explode' } } }), 'routes → /x → fault is "explode"'],
    ['a status out of range', json({ routes: { '/x': { status: 99 } } }), 'routes → /x → status is 99'],
    ['a route without slash', json({ routes: { x: { body: '' } } }), 'x'],
    ['two answers', json({ routes: { '/x': { body: '', redirect: '/' } } }), 'body, redirect'],
    ['a folder that is not there', json({ hosts: { one: 'nowhere' } }), 'hosts → one is "nowhere"'],
    ['a folder outside', json({ hosts: { one: '../..' } }), 'outside'],
    ['a file outside', json({ routes: { '/x': { file: '../x' } } }), 'outside'],
    ['a placeholder without host', json({ routes: { '/x': { redirect: '{origin:two}/' } } }), 'two'],
    ['a route of no host', json({ routes: { 'two:/x': { body: '' } } }), 'two'],
  ])('is refused for %s, with the key and the value', async (_what, text, named) => {
    await using folder = await temporaryFolder({ 'site.json': text, 'www/index.html': '' });
    const opened = openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'SITE_INVALID', message: expect.stringContaining(named) });
  });

  test('without hosts needs a folder www', async () => {
    await using folder = await temporaryFolder({ 'site.json': '{}' });
    const opened = openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'SITE_INVALID' });
  });
});

describe('faults', () => {
  const body = 'x'.repeat(1000);

  test.each([
    ['reset', 'ECONNRESET'],
    ['empty', 'ECONNRESET'], // node's name for an end without an answer
    ['truncate', 'ECONNRESET'],
    ['garbage', 'HPE_INVALID_CONSTANT'],
  ])('%s ends the request with %s', async (fault, code) => {
    await using site = await siteWith({ '/x': { fault, body } });
    await expect(site.get('/x')).rejects.toMatchObject({ code });
  });

  test('truncate announces the whole and sends the half', async () => {
    await using site = await siteWith({ '/x': { fault: 'truncate', body } });
    const response = await open(site, '/x');
    expect(response.headers['content-length']).toBe('1000');
    let received = 0;
    response.on('data', (piece: Buffer) => (received += piece.length));
    await once(response, 'error');
    expect(received).toBe(500);
  });

  test('slow-body sends everything, in pieces', async () => {
    await using site = await siteWith({ '/x': { fault: 'slow-body', every: 10, body } });
    const start = performance.now();
    expect((await site.get('/x')).body).toBe(body);
    expect(performance.now() - start).toBeGreaterThanOrEqual(90);
  });

  test('redirect-loop points at itself', async () => {
    await using site = await siteWith({ '/x': { fault: 'redirect-loop' } });
    expect((await site.get('/x?a')).headers.location).toBe('/x?a');
  });

  test('stall never answers, stall-body stops halfway, and dispose ends both', async () => {
    const site = await siteWith({ '/stall': { fault: 'stall' }, '/half': { fault: 'stall-body', body } });
    const stalled = site.get('/stall');
    const response = await open(site, '/half');
    await once(response, 'data');
    const broken = once(response, 'error');
    await Promise.all([
      expect(stalled).rejects.toMatchObject({ code: 'ECONNRESET' }),
      site[Symbol.asyncDispose](),
      broken,
    ]);
  });
});

describe('connections that stay open', () => {
  test('an event stream sends a comment, then events where asked, and ends with the server', async () => {
    const site = await siteWith({ '/events': { behaviour: 'event-stream', every: 5 } });
    const response = await open(site, '/events');
    expect(response.headers['content-type']).toBe('text/event-stream');
    let text = '';
    response.on('error', () => {});
    response.on('data', (piece: Buffer) => (text += String(piece)));
    while (!text.includes('data: tick')) await once(response, 'data');
    expect(text).toMatch(/^: open\n\n/);
    const closed = new Promise((done) => response.once('close', done));
    await Promise.all([site[Symbol.asyncDispose](), closed]);
  });

  test('a WebSocket is accepted (RFC 6455), answers ping and close', async () => {
    await using site = await siteWith({ '/live': { behaviour: 'websocket' } });
    const socket = await upgrade(site, '/live');
    const head = await read(socket);
    expect(head.toString()).toContain('101 Switching Protocols');
    expect(head.toString()).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    socket.write(masked(0x9, 'hello'));
    expect(await read(socket)).toEqual(Buffer.from('\x8a\x05hello', 'latin1'));
    const ended = once(socket, 'end');
    socket.write(masked(0x8, ''));
    expect(await read(socket)).toEqual(Buffer.from([0x88, 0]));
    await ended;
  });

  test('a real client can open one and gets its messages', async () => {
    await using site = await siteWith({ '/live': { behaviour: 'websocket', every: 5 } });
    const { WebSocket } = await import('undici');
    const socket = new WebSocket(`ws://127.0.0.1:${site.server.port}/live`);
    const message = await new Promise((done, failed) => {
      socket.addEventListener('message', ({ data }) => done(data));
      socket.addEventListener('error', failed);
    });
    expect(message).toBe('tick');
    const closed = new Promise((done) => socket.addEventListener('close', done));
    socket.close();
    await closed;
  });

  test('an upgrade elsewhere is refused', async () => {
    await using site = await siteWith({});
    const socket = await upgrade(site, '/nothing');
    expect((await read(socket)).toString()).toContain('404');
  });

  test('dispose closes WebSockets, idle connections and the port, and may be called twice', async () => {
    const site = await siteWith({ '/live': { behaviour: 'websocket' } });
    const [live, idle] = [await upgrade(site, '/live'), connect(site.server.port, '127.0.0.1')];
    await Promise.all([read(live), once(idle, 'connect')]);
    const closed = Promise.all([once(live, 'close'), once(idle, 'close')]);
    await site.server[Symbol.asyncDispose]();
    await closed;
    await site[Symbol.asyncDispose]();
    await expect(site.get('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

async function open(site: TemporarySite, path: string): Promise<IncomingMessage> {
  const sent = httpGet({ host: '127.0.0.1', port: site.server.port, path, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function upgrade(site: TemporarySite, path: string): Promise<Socket> {
  const socket = connect(site.server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  return socket;
}

async function read(socket: Socket): Promise<Buffer> {
  const [piece] = (await once(socket, 'data')) as [Buffer];
  return piece;
}

function masked(opcode: number, text: string): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const payload = Buffer.from(text).map((byte, at) => byte ^ (mask[at & 3] ?? 0));
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload]);
}

describe('captures', () => {
  const bodyOf = async (routes: Record<string, unknown>, path: string, host = '127.0.0.1') => {
    await using site = await siteWith(routes);
    return (await site.get(path, { host })).body;
  };

  test('take parts of a path by name, and numbers in them are reckoned with', async () => {
    const routes = { '/page/{n}': { body: '{n} {n+1} {n-9} {n*3+2} {m} { n }' } };
    expect(await bodyOf(routes, '/page/7')).toBe('7 8 0 23 {m} { n }');
    expect(await bodyOf(routes, '/page/item-7.html')).toBe(
      'item-7.html item-8.html item-0.html item-23.html {m} { n }',
    );
    expect(await bodyOf(routes, '/page/7/8')).toMatch(/404/);
  });

  test('take dates, which go on over the ends of months and years and keep their marks', async () => {
    const routes = {
      '/c/{m:month}/': { body: '{m+1m} {m-1m} {m+1y}' },
      '/c/{d:date}/': { body: '{d+1d} {d-1d} {d+1m}' },
    };
    expect(await bodyOf(routes, '/c/2026/12/')).toBe('2027/01 2026/11 2027/12');
    expect(await bodyOf(routes, '/c/2024-03-01/')).toBe('2024-03-02 2024-02-29 2024-04-01');
  });

  test('take the rest of a path and the values of parameters', async () => {
    const routes = { '/all/{rest:rest}?a={one}&b=2': { body: '{rest} {one}' } };
    expect(await bodyOf(routes, '/all/x/y?b=2&a=z&c=')).toBe('x/y z');
    expect(await bodyOf(routes, '/all/x/y?b=3&a=z')).toMatch(/404/);
    expect(await bodyOf(routes, '/all/x/y?b=2')).toMatch(/404/);
  });

  test('write nothing into a page that would be markup', async () => {
    expect(await bodyOf({ '/s?q={q}': { body: '<p title="{q}">' } }, `/s?q=%22%3E%3Cb%3E%27`)).toBe(
      '<p title="&quot;&gt;&lt;b&gt;&#39;">',
    );
  });

  test('give the same prose for the same value, and another for another', async () => {
    const routes = { '/p/{n}': { body: '{prose:n}' } };
    const [one, again, other] = [
      await bodyOf(routes, '/p/1'),
      await bodyOf(routes, '/p/1'),
      await bodyOf(routes, '/p/2'),
    ];
    expect(one.split(' ')).toHaveLength(80);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('fill in files and redirects, too', async () => {
    await using site = await siteWith(
      { '/f/{n}': { file: 'page.html' }, '/r/{n}': { redirect: '/f/{n+1}' } },
      { 'page.html': 'page {n}' },
    );
    expect((await site.get('/f/3')).body).toBe('page 3');
    expect((await site.get('/r/3')).headers.location).toBe('/f/4');
  });

  test('yield to routes without any, and with `absent` to files', async () => {
    const routes = {
      '/{any:rest}': { absent: true, body: 'any {any}' },
      '/x/{n}': { body: 'x {n}' },
      '/x/1': { body: 'one' },
    };
    expect(await bodyOf(routes, '/x/1')).toBe('one');
    expect(await bodyOf(routes, '/x/2')).toBe('x 2');
    expect(await bodyOf(routes, '/y')).toBe('any y');
    expect(await bodyOf(routes, '/')).toBe('<h1>home</h1>');
  });
});

test('a host `*.name` answers for every name in front, which pages can use', async () => {
  await using site = await temporarySite({
    'site.json': json({
      hosts: { town: 'a', 'docs.town': 'b', '*.town': 'c' },
      routes: { '*.town:/': { body: '{label} {label+1} {host} {host:town}' } },
    }),
    'a/index.html': 'town',
    'b/index.html': 'docs',
    'c/page.html': 'page',
  });
  const { port } = site.server;
  const at = async (host: string, path = '/') => (await site.get(path, { host: `${host}:${port}` })).body;
  expect([...site.server.origins.keys()]).toEqual(['town', 'docs.town']);
  expect(await at('town.localhost')).toBe('town');
  expect(await at('docs.town.localhost')).toBe('docs');
  expect(await at('s7.town.localhost')).toBe(`s7 s8 s7.town.localhost:${port} town.localhost:${port}`);
  expect(await at('s7.town.localhost', '/page')).toBe('page');
  expect(await at('a.b.town.localhost')).toMatch(/No host/);
});
