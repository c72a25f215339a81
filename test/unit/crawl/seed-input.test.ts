import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSeed } from '../../../src/crawl/opening/seed-input.ts';
import { DEFAULT_URL_POLICY } from '../../../src/model/url/canonical-url.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-seeds-'));
  await mkdir(join(base, 'dist'));
  await mkdir(join(base, 'example.org'));
  await mkdir(join(base, 'empty'));
  await writeFile(join(base, 'dist', 'index.html'), '');
  await writeFile(join(base, 'example.org', 'site.json'), '{}');
  await writeFile(join(base, 'page.html'), '');
});
afterAll(() => rm(base, { recursive: true, force: true }));

const read = (text: string): ReturnType<typeof readSeed> => readSeed(text, base, DEFAULT_URL_POLICY);

describe('a seed', () => {
  it.each([
    ['http://Example.org', 'http://example.org/'],
    ['HTTPS://example.org/a b', 'https://example.org/a%20b'],
    ['http://localhost:3000', 'http://localhost:3000/'],
  ])('that is the URL %s is brought to its canonical form', async (text, url) => {
    expect(await read(text)).toEqual({ kind: 'url', url });
  });

  it.each(['dist', './dist', 'dist/'])('that is the folder %s is found from where it was typed', async (text) => {
    expect(await read(text)).toEqual({ kind: 'folder', folder: expect.stringMatching(/dist\/?$/) as string });
  });

  it.each(['https://me:sesame@example.org:8443/', 'https://me:sesame@example.org:8443/ # home'])(
    'with a password is refused without repeating it: %s',
    async (text) => {
      const refused = await read(text).catch((error: unknown) => String(error));
      expect(refused).toContain('ORBWEAVER_HTTP_AUTH=<user>:<password>@example.org:8443');
      expect(refused).not.toContain('sesame');
    },
  );

  it('that is the name of a folder and looks like a host is the folder', async () => {
    expect(await read('example.org')).toMatchObject({ kind: 'folder' });
  });

  it.each([
    ['ftp://example.org/', /scheme ftp:/],
    ['mailto:me@example.org', /scheme mailto:/],
    ['file:///etc/passwd', /scheme file:/],
    ['javascript:alert(1)', /scheme javascript:/],
    ['page.html', /is a file/],
    ['missing', /folder that exists/],
    ['empty', /without an index\.html/],
    ['example.com', /write https:\/\/example\.com/],
    ['localhost:3000', /write http:\/\/localhost:3000/],
    ['http://', /no URL/],
    ['https://example.org/p\t42', /holds more than a URL/],
    ['https://example.org/p\r\nhttps://example.org/q', /holds more than a URL/],
    ['https://example.org/  # home', /holds more than a URL/],
    ['https://example.org/p https://example.org/q', /holds more than a URL/],
    [`http://example.org/${'x'.repeat(3000)}`, /2,048/],
  ])('%s is refused with the cure', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'SEED_INVALID',
      message: expect.stringMatching(message) as string,
    });
  });
});
