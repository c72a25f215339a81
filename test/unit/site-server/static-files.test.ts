import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { silentLog } from '../../../src/base/log.ts';
import { openSiteServer } from '../../../src/site-server/open-site-server.ts';
import { rawRequest, temporaryFolder, temporarySite } from '../../support/temporary-site.ts';

const PAGE = '<!doctype html><title>Page</title>';

describe('a folder without site.json', () => {
  test('answers with index.html of a folder, and with files by their media type', async () => {
    await using site = await temporarySite({
      'index.html': PAGE,
      'docs/index.html': '<title>Docs</title>',
      'app.mjs': '',
      'app.wasm': '',
      'app.webmanifest': '{}',
      'logo.SVG': '<svg/>',
      'photo.avif': '',
      'odd.nobodyknows': '',
    });
    expect(site.server.url).toBe(`http://127.0.0.1:${site.server.port}/`);
    expect((await site.get('/')).body).toBe(PAGE);
    expect((await site.get('/docs/?a=1')).body).toContain('Docs');
    const types = await Promise.all(
      ['/', '/app.mjs', '/app.wasm', '/app.webmanifest', '/logo.SVG', '/photo.avif', '/odd.nobodyknows'].map(
        async (path) => (await site.get(path)).headers['content-type'],
      ),
    );
    expect(types).toEqual([
      'text/html; charset=utf-8',
      'text/javascript; charset=utf-8',
      'application/wasm',
      'application/manifest+json; charset=utf-8',
      'image/svg+xml; charset=utf-8',
      'image/avif',
      'application/octet-stream',
    ]);
  });

  test.each([
    ['a.html', '<!doctype html><html lang=ko><META http-equiv="Content-Type" content="text/html; charset=EUC-KR">', ''],
    ['a.html', "<meta charset='windows-1251'>", ''],
    ['a.html', '<?xml version="1.0" encoding="ISO-8859-1"?><html>', ''],
    ['a.xml', "<?xml version='1.0' encoding='Shift_JIS'?><r/>", ''],
    ['a.css', '@charset "iso-8859-15";', ''],
    ['a.html', '<meta charset=utf-8>', '; charset=utf-8'],
    ['a.html', '<meta http-equiv=content-type content="text/html;charset=UTF8">', '; charset=utf-8'],
    ['a.html', '<!-- <meta charset=koi8-r> --><title>t</title>', '; charset=utf-8'],
    ['a.html', `<title>t</title>${' '.repeat(1024)}<meta charset=koi8-r>`, '; charset=utf-8'],
    ['a.html', '', '; charset=utf-8'],
    ['a.js', 'document.write("<meta charset=koi8-r>")', '; charset=utf-8'],
  ])('leaves the encoding of %s with %s to the file, or calls it UTF-8: "%s"', async (name, text, parameter) => {
    await using site = await temporarySite({ [name]: text });
    const { headers, body } = await site.get(`/${name}`);
    expect(headers['content-type']?.replace(/^[^;]*/, '')).toBe(parameter);
    expect(body).toBe(text);
  });

  test('redirects a folder to its slash and keeps the query', async () => {
    await using site = await temporarySite({ 'docs/index.html': PAGE });
    const answered = await site.get('/docs?page=2');
    expect([answered.status, answered.headers.location]).toEqual([301, '/docs/?page=2']);
  });

  test('finds about.html for /about, and names in other scripts', async () => {
    await using site = await temporarySite({ 'about.html': PAGE, 'über uns.html': 'ü' });
    expect((await site.get('/about')).body).toBe(PAGE);
    expect((await site.get('/%C3%BCber%20uns.html')).body).toBe('ü');
    expect((await site.get('/%FFber.html')).status).toBe(404);
  });

  test('answers HEAD without a body and refuses other methods', async () => {
    await using site = await temporarySite({ 'index.html': PAGE });
    const head = await site.get('/', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(PAGE.length), '']);
    const post = await site.get('/', {}, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each([
    ['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, 'abcdefghij', undefined],
    ['bytes=5-2', 200, 'abcdefghij', undefined],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
  ])('answers Range %s with %i', async (range, status, body, contentRange) => {
    await using site = await temporarySite({ 'data.txt': 'abcdefghij' });
    const answered = await site.get('/data.txt', { range });
    expect([answered.status, answered.body, answered.headers['content-range']]).toEqual([status, body, contentRange]);
  });

  test('answers 304 to its own ETag and date, and 200 to others', async () => {
    await using site = await temporarySite({ 'index.html': PAGE });
    const { etag = '', 'last-modified': modified = '' } = (await site.get('/')).headers;
    expect(etag).not.toBe('');
    const statuses = await Promise.all(
      [
        { 'if-none-match': `"other", W/${etag}` },
        { 'if-none-match': '"other"', 'if-modified-since': modified },
        { 'if-modified-since': modified },
        { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      ].map(async (headers) => (await site.get('/', headers)).status),
    );
    expect(statuses).toEqual([304, 200, 304, 200]);
  });

  test('ignores a range whose If-Range names another version', async () => {
    await using site = await temporarySite({ 'data.txt': 'abcdefghij' });
    const { etag = '' } = (await site.get('/data.txt')).headers;
    expect((await site.get('/data.txt', { range: 'bytes=0-0', 'if-range': '"old"' })).status).toBe(200);
    expect((await site.get('/data.txt', { range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/sub/..%5c..%5csecret.txt',
    '/link-out/secret.txt',
    '/file-out.txt',
    '//secret.txt',
    '/.env',
    '/sub/.git/config',
    '/index.html/',
    '/index.html%00',
    `/${'a'.repeat(5000)}`,
  ])('does not leave the folder by %s', async (path) => {
    await using outside = await temporaryFolder({
      'secret.txt': 'secret',
      'www/index.html': PAGE,
      'www/.env': 'secret',
      'www/sub/.git/config': 'secret',
    });
    await symlink(outside.path, join(outside.path, 'www/link-out'));
    await symlink(join(outside.path, 'secret.txt'), join(outside.path, 'www/file-out.txt'));
    await using server = await openSiteServer(join(outside.path, 'www'), { port: 0, address: '127.0.0.1' }, silentLog);
    const answered = await rawRequest(server.port, path, {}, 'GET');
    expect(answered.status).toBe(404);
    expect(answered.body).not.toContain('secret');
  });

  test('follows links that stay inside, and serves .well-known', async () => {
    await using site = await temporarySite({ 'index.html': PAGE, '.well-known/security.txt': 'Contact: a@b.c' });
    await mkdir(join(site.folder, 'v2'));
    await writeFile(join(site.folder, 'v2/index.html'), 'two');
    await symlink('v2', join(site.folder, 'latest'));
    expect((await site.get('/latest/')).body).toBe('two');
    expect((await site.get('/.well-known/security.txt')).status).toBe(200);
  });

  test('answers a missing path with 404.html and its status', async () => {
    await using site = await temporarySite({ 'index.html': PAGE, '404.html': 'gone fishing' });
    const answered = await site.get('/nowhere');
    expect([answered.status, answered.body]).toEqual([404, 'gone fishing']);
  });

  test('is served as it is: placeholders of fixtures mean nothing', async () => {
    await using site = await temporarySite({ 'index.html': '{origin}' });
    expect((await site.get('/')).body).toBe('{origin}');
  });

  test('answers only under a name of loopback', async () => {
    await using site = await temporarySite({ 'index.html': PAGE });
    expect((await site.get('/', { host: 'localhost:1' })).status).toBe(200);
    expect((await site.get('/', { host: 'rebound.example' })).status).toBe(421);
  });
});

describe('history fallback', () => {
  const APP = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';
  const page = { accept: 'text/html,*/*;q=0.8' };

  test('a folder whose only page is an index.html with a script answers router paths with it', async () => {
    await using site = await temporarySite({ 'index.html': APP, 'app.js': '' });
    const answered = await site.get('/users/7', page);
    expect([answered.status, answered.body]).toEqual([200, APP]);
  });

  test('requests for data, for files and with other methods get 404', async () => {
    await using site = await temporarySite({ 'index.html': APP, 'app.js': '' });
    expect((await site.get('/api/users', { accept: '*/*' })).status).toBe(404);
    expect((await site.get('/missing.css', page)).status).toBe(404);
    expect((await site.get('/users/7', page, 'POST')).status).toBe(404);
  });

  test.each([
    ['a second page', { 'index.html': APP, 'docs/guide.html': '' }],
    ['404.html', { 'index.html': APP, '404.html': '' }],
    ['an index.html without script', { 'index.html': '<a href="/broken">broken</a>' }],
    ['no index.html', { 'app.js': '' }],
  ])('there is none with %s: broken links stay broken', async (_what, files: Record<string, string>) => {
    await using site = await temporarySite(files);
    expect((await site.get('/broken', page)).status).toBe(404);
  });

  test.each([
    ['200.html', { 'index.html': '', 'about.html': '', '200.html': 'app' }],
    ['__spa-fallback.html', { 'index.html': '', 'about.html': '', '__spa-fallback.html': 'app' }],
    ['a Netlify rule', { 'index.html': 'app', 'about.html': '', _redirects: '/old /new 301\n/*  /index.html  200\n' }],
  ])('%s asks for it beside other pages', async (_what, files: Record<string, string>) => {
    await using site = await temporarySite(files);
    const answered = await site.get('/users/7', page);
    expect([answered.status, answered.body]).toEqual([200, 'app']);
  });
});

describe('parts', () => {
  test('refuses a folder that is not there, an address that is not loopback and a port that is taken', async () => {
    await using site = await temporarySite({ 'index.html': PAGE });
    const open = (folder: string, address: string, port: number) =>
      openSiteServer(folder, { port, address }, silentLog);
    await expect(open(join(site.folder, 'none'), '127.0.0.1', 0)).rejects.toMatchObject({ code: 'SEED_INVALID' });
    await expect(open(join(site.folder, 'index.html'), '127.0.0.1', 0)).rejects.toThrow(
      'index.html is no folder, and no archive by its name.',
    );
    await expect(open(site.folder, '0.0.0.0', 0)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(open(site.folder, '127.0.0.1', site.server.port)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('the log of requests keeps their order, host and user agent', async () => {
    await using site = await temporarySite({ 'index.html': PAGE });
    await site.get('/?one', { 'user-agent': 'Tester/1' });
    await site.get('/two', {}, 'HEAD');
    const requests = site.server.requests();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /?one', 'HEAD /two']);
    expect(requests[0]).toMatchObject({ host: `127.0.0.1:${site.server.port}`, userAgent: 'Tester/1' });
    expect(requests[1]?.at).toBeGreaterThanOrEqual(requests[0]?.at ?? Number.NaN);
  });
});
