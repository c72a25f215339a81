import { describe, expect, test } from 'vitest';

import { temporarySite } from '../../support/temporary-site.ts';

const HEAD = '<!doctype html><title>Guide</title>';
const FILES = { 'assets/app.js': '', 'assets/app.css': '', 'start/index.html': HEAD, '404.html': 'lost' };

describe('a build for a path', () => {
  test.each([
    ['of Vite, Astro, Docusaurus', '<script type="module" src="/guide/assets/app.js"></script><a href="/">Us</a>'],
    [
      'with a longer path',
      '<link rel="stylesheet" href="/me/guide/assets/app.css?v=1"><a href=start/>Start</a>',
      '/me/guide',
    ],
    [
      'with single quotes, or none',
      "<link href='/guide/assets/app.css' rel=stylesheet><script src=/guide/assets/app.js></script>",
    ],
    ['of Angular, which names it in the base element', '<base href="/guide/"><script src="assets/app.js"></script>'],
    [
      'of Hugo, which writes whole addresses',
      '<link rel=canonical href="https://me.github.io/guide/"><link rel=stylesheet href="https://me.github.io/guide/assets/app.css">',
    ],
    [
      'that lacks one of its files',
      '<script src="/guide/assets/app.js"></script><link rel=icon href="/guide/assets/app.css"><img src="/guide/x.png">',
    ],
  ])('%s is served there, and nowhere else', async (_name, markup, base = '/guide') => {
    await using site = await temporarySite({ ...FILES, 'index.html': HEAD + markup });
    expect(site.server.url).toBe(`http://127.0.0.1:${site.server.port}${base}/`);
    expect(site.server.base).toBe(base);
    const served = `http://127.0.0.1:${site.server.port}${base}`; // whole addresses of the place (published-place.test.ts)
    expect((await site.get(`${base}/`)).body).toBe(HEAD + markup.replaceAll('https://me.github.io/guide', served));
    expect((await site.get(`${base}/assets/app.js`)).status).toBe(200);
    const bare = await site.get(`${base}?a=1`);
    expect([bare.status, bare.headers.location]).toEqual([301, `${base}/?a=1`]);
    expect((await site.get(`${base}/start`)).headers.location).toBe(`${base}/start/`);
    for (const path of ['/', '/assets/app.js', `${base}s/assets/app.js`, `${base}/none`]) {
      const missing = await site.get(path);
      expect([path, missing.status, missing.body]).toEqual([path, 404, 'lost']);
    }
  });

  test('with one page answers the paths of its router below its own', async () => {
    const index = `${HEAD}<script src="/app/main.js"></script>`;
    await using site = await temporarySite({ 'index.html': index, 'main.js': '' });
    const page = { accept: 'text/html' };
    expect((await site.get('/app/users/1', page)).body).toBe(index);
    expect((await site.get('/users/1', page)).status).toBe(404);
  });
});

describe('a folder is served at the root', () => {
  test.each([
    ['without parts', '<a href="/guide/start/">Start</a><a href="/guide/assets/app.css">x</a>'],
    ['with relative parts', '<script src="assets/app.js"></script><a href="/guide/start/">Start</a>'],
    [
      'with parts of the root',
      '<script src="/assets/app.js"></script><link rel=stylesheet href="/guide/assets/app.css">',
    ],
    ['with parts that are nowhere', '<script src="/guide/gone.js"></script>'],
    [
      'with parts of which most are nowhere',
      '<script src="/guide/assets/app.js"></script><script src="/guide/1.js"></script><script src="/2.js"></script>',
    ],
    [
      'with parts of other hosts',
      '<script src="//cdn.example/assets/app.js"></script><script src="https://cdn.example/assets/app.js"></script>',
    ],
    [
      'with a canonical address alone',
      '<link rel=canonical href="https://me.github.io/guide/"><script src=assets/app.js></script>',
    ],
    ['with a base of its own', '<base href="/"><script src="assets/app.js"></script>'],
    ['with what a comment names', '<!-- <script src="/guide/assets/app.js"></script> -->'],
  ])('%s', async (_name, markup) => {
    await using site = await temporarySite({ ...FILES, 'index.html': HEAD + markup });
    expect(site.server.base).toBe('');
    expect((await site.get('/')).status).toBe(200);
  });

  test('without an index', async () => {
    await using site = await temporarySite({
      'a.html': `${HEAD}<script src="/guide/assets/app.js"></script>`,
      ...FILES,
    });
    expect(site.server.base).toBe('');
  });
});
