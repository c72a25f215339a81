import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rewrittenBody } from '../../../src/site-server/rewritten-body.ts';

const served = (text: string): string => text.replaceAll('https://a.test', 'http://a-test.localhost:1');
const sitemap = '<?xml version="1.0"?>\n<urlset><url><loc>https://a.test/größe</loc></url></urlset>';

test.each([
  ['text/html; charset=utf-8', '<a href="https://a.test/">'],
  ['application/xml', sitemap],
  ['', '<!doctype html><a href="https://a.test/">'],
  ['application/octet-stream', `\uFEFF ${sitemap}`],
  ['Binary/Octet-Stream', 'https://a.test/1\nhttps://a.test/2\n'],
])('addresses in a body of type "%s" are rewritten', async (type, text) => {
  const content = await rewrittenBody(Buffer.from(text), type, served);
  expect(Buffer.from(content).toString()).toBe(served(text));
});

test('addresses in a document in UTF-16 are rewritten, and its text stays', async () => {
  const [markup, type] = ['\uFEFF<a href="https://a.test/größe">日本 \uD83D</a>', 'text/html; charset=utf-16'];
  const inOrder = async (swap: (bytes: Buffer) => Buffer): Promise<string> => {
    const content = await rewrittenBody(swap(Buffer.from(markup, 'utf16le')), type, served);
    return swap(Buffer.from(content)).toString('utf16le');
  };
  expect(await inOrder((bytes) => bytes)).toBe(served(markup));
  expect(await inOrder((bytes) => bytes.swap16())).toBe(served(markup));
});

test.each(['application/gzip', 'application/x-gzip; charset=binary', 'application/octet-stream', ''])(
  'addresses in a sitemap that is packed as "%s" are rewritten, and it stays packed',
  async (type) => {
    const content = await rewrittenBody(gzipSync(sitemap), type, served);
    expect(gunzipSync(content).toString()).toBe(served(sitemap));
  },
);

test.each<[string, string, Buffer]>([
  ['a picture', 'image/png', Buffer.from('<https://a.test>')],
  ['a program', 'application/octet-stream', Buffer.from('\0<https://a.test>')],
  ['a packed program', 'application/gzip', gzipSync('\0 https://a.test')],
  ['a packed text without such addresses', 'application/gzip', gzipSync('<p>https://b.test')],
  ['a packed text that breaks off', 'application/gzip', gzipSync(sitemap).subarray(0, -20)],
  ['a packed text that grows', 'application/gzip', gzipSync(`<${' '.repeat(21 * 1_048_576)}`)],
])('%s stays as it is', async (_what, type, body) => {
  expect(await rewrittenBody(body, type, served)).toBe(body);
});
