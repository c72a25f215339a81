import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { silentLog } from '../../../src/base/log.ts';
import { openSiteServer } from '../../../src/site-server/open-site-server.ts';
import { rawRequest, temporaryFolder, temporarySite, type TemporarySite } from '../../support/temporary-site.ts';

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
    'a/index.html': '',
    'b/page.html': 'other',
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

  test('a route can belong to one of them', async () => {
    await using site = await temporarySite(files);
    expect((await site.get('/only', { host: 'docs.one.localhost' })).body).toBe('x');
    expect((await site.get('/only', { host: 'one.localhost' })).status).toBe(404);
  });

  test('one that is called `*.name` answers for every name in front', async () => {
    await using site = await temporarySite({
      'site.json': json({
        hosts: { town: 'a', 'docs.town': 'b', '*.town': 'c' },
        routes: { '*.town:/': { body: 'shop' } },
      }),
      'a/index.html': 'town',
      'b/index.html': 'docs',
      'c/page.html': 'page',
    });
    const at = async (host: string, path = '/') => (await site.get(path, { host })).body;
    expect([...site.server.origins.keys()]).toEqual(['town', 'docs.town']);
    expect(await at('town.localhost')).toBe('town');
    expect(await at('docs.town.localhost')).toBe('docs');
    expect(await at('s7.town.localhost')).toBe('shop');
    expect(await at('s7.town.localhost', '/page')).toBe('page');
    expect(await at('a.b.town.localhost')).toMatch(/No host/);
  });
});

describe('routes', () => {
  test('set status, headers and body, JSON, or a file from beside www', async () => {
    await using site = await siteWith(
      {
        '/gone': { status: 410, body: 'gone' },
        '/api': { json: { self: '/api' } },
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
    expect(JSON.parse(api.body)).toEqual({ self: '/api' });
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
    await using site = await siteWith({
      '/r': { redirect: 'http://two.localhost/x' },
      '/p': { redirect: '/q', status: 308 },
    });
    const far = await site.get('/r');
    expect([far.status, far.headers.location]).toEqual([302, 'http://two.localhost/x']);
    const near = await site.get('/p');
    expect([near.status, near.headers.location]).toEqual([308, '/q']);
  });

  test('wait before they answer', async () => {
    await using site = await siteWith({ '/slow': { delay: 120, body: 'late' } });
    const start = performance.now();
    expect((await site.get('/slow')).body).toBe('late');
    expect(performance.now() - start).toBeGreaterThanOrEqual(115);
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

describe('files of the machine that are not of the folder are not there', () => {
  const html = { accept: 'text/html' };

  test.each([
    ['a route', { routes: { '/key': { file: 'key' } } }, 'key', 500],
    ['a fallback', { fallback: 'key' }, 'www/key', 404],
  ])('through a link that is the file of %s', async (_what, site, name, status) => {
    await using other = await temporaryFolder({ key: 'secret' });
    await using served = await temporarySite({ 'site.json': json(site), 'www/index.html': '' });
    await symlink(join(other.path, 'key'), join(served.folder, name));
    const { body, ...answer } = await served.get('/key', html);
    expect([answer.status, body.includes('secret')]).toEqual([status, false]);
  });

  test('through a link that is the fallback of a built site', async () => {
    await using other = await temporaryFolder({ key: 'secret' });
    await using folder = await temporaryFolder({ 'index.html': '' });
    await symlink(join(other.path, 'key'), join(folder.path, '200.html'));
    await using server = await openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    const { status, body } = await rawRequest(server.port, '/any', html, 'GET');
    expect([status, body.includes('secret')]).toEqual([404, false]);
  });
});

describe('site.json', () => {
  test.each([
    ['not JSON', '{', 'JSON'],
    ['an unknown key', json({ route: {} }), 'route'],
    ['an unknown key, with those that there are', json({ port: 1 }), 'port is 1: no such key; there are about, hosts'],
    ['a fallback that is no file', json({ fallback: true }), 'fallback is true: must be the name of a file, or false'],
    ['a host in capitals', json({ hosts: { One: 'www' } }), 'hosts → One is "www": a host is named like one'],
    ['a path without slash', json({ routes: { x: {} } }), 'routes → x is {}: a route is a path, as in /path'],
    [
      'a header that is a number',
      json({ routes: { '/x': { headers: { a: 1 } } } }),
      'routes → /x → headers → a is 1: must be a text',
    ],
    ['an unknown key of a route', json({ routes: { '/x': { fault: 'reset' } } }), 'routes → /x → fault is "reset"'],
    ['a status out of range', json({ routes: { '/x': { status: 99 } } }), 'routes → /x → status is 99'],
    ['a route without slash', json({ routes: { x: { body: '' } } }), 'x'],
    ['two answers', json({ routes: { '/x': { body: '', redirect: '/' } } }), 'body, redirect'],
    ['a folder that is not there', json({ hosts: { one: 'nowhere' } }), 'hosts → one is "nowhere"'],
    ['a folder outside', json({ hosts: { one: '../..' } }), 'outside'],
    ['a file outside', json({ routes: { '/x': { file: '../x' } } }), 'outside'],
    ['a fallback outside', json({ fallback: '../../x' }), 'fallback is "../../x": the file lies outside'],
    ['a route of no host', json({ routes: { 'two:/x': { body: '' } } }), 'two'],
  ])('is refused for %s, with the key and the value', async (_what, text, named) => {
    await using folder = await temporaryFolder({ 'site.json': text, 'www/index.html': '' });
    const opened = openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'SITE_INVALID', message: expect.stringContaining(named) });
  });

  test('is refused where the folder of a host is a link that leads out', async () => {
    await using other = await temporaryFolder({ 'index.html': '' });
    await using folder = await temporaryFolder({ 'site.json': '{}' });
    await symlink(other.path, join(folder.path, 'www'));
    const opened = openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'SITE_INVALID', message: expect.stringContaining('outside') });
  });

  test('without hosts needs a folder www', async () => {
    await using folder = await temporaryFolder({ 'site.json': '{}' });
    const opened = openSiteServer(folder.path, { port: 0, address: '127.0.0.1' }, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'SITE_INVALID' });
  });
});
