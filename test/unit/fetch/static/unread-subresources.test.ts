/** Sheets and scripts that a page names but that were not read, from a real server. */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { BROWSER_LANGUAGE } from '../../../../browsers/protocol/browser.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { seconds } from '../../../../src/base/units.ts';
import { KnownSubresources } from '../../../../src/core/page-clusters/known-subresources.ts';
import { openEgress } from '../../../../src/egress/open-egress.ts';
import { UnreadSubresources } from '../../../../src/fetch/static/unread-subresources.ts';
import { NO_USER_HEADERS, userHeaders, type UserHeaders } from '../../../../src/model/user-headers.ts';
import type { Offload } from '../../../../src/offload/offload.ts';
import { bareLink } from '../../../../src/render/extract/found-links.ts';
import { httpOrigin } from '../../../support/origin.ts';

const signal = new AbortController().signal;
const offload: Offload = {
  run: (task, input) => Promise.resolve({ kind: 'done', value: task.run(input) }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

interface Answer {
  readonly body: string;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const JS = 'text/javascript';

/** @param headersFor the user's headers, by the port of the server */
async function server(
  files: Readonly<Record<string, Answer>>,
  headersFor: (port: number) => UserHeaders = () => NO_USER_HEADERS,
) {
  const asked: string[] = [];
  const heard: IncomingHttpHeaders[] = [];
  const origin = await httpOrigin(({ url = '', headers: received }, response) => {
    asked.push(url);
    heard.push(received);
    const { body, status = 200, type = JS, headers = {} } = files[url] ?? { body: '', status: 404 };
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(body);
  });
  const limits = { closedPorts: [], connectTimeout: seconds(5), resolveTimeout: seconds(5) };
  const egress = await openEgress(
    { ...limits, grants: [{ cidr: '127.0.0.1', port: origin.port }] },
    { log: silentLog },
  );
  const known = new KnownSubresources();
  const options = { userAgent: 'Test/1', extraHeaders: headersFor(origin.port), settleTimeout: seconds(10) };
  const unread = new UnreadSubresources(options, { egress, offload, known });
  const base = `http://127.0.0.1:${origin.port}/`;
  const absolute = (names: readonly string[]): string[] => names.map((name) => new URL(name, base).href);
  return {
    asked,
    heard,
    known,
    absolute,
    read: async (
      scripts: readonly string[],
      sheets: readonly string[] = [],
      page = `${base}page`,
      linked: readonly string[] = [],
    ) => {
      const where = { frame: null, base: page, stage: 'load' as const };
      const found = linked.map((href) => bareLink(href, { kind: 'anchor', context: 'a/@href' }, where));
      const parts = { sheets: absolute(sheets), scripts: absolute(scripts) };
      const links = await unread.read({ url: page, base: page, parts, links: found }, signal);
      return links?.map(({ href, context, confidence }) => `${context} ${href} ${confidence}`) ?? null;
    },
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]();
      await origin[Symbol.asyncDispose]();
    },
  };
}

describe('files that a page names and nobody has read', () => {
  it('are read once, each for its links', async () => {
    await using site = await server({
      '/a.js': { body: 'const next = "/found/a"', type: 'text/javascript; charset=utf-8' },
      '/b.js': { body: 'import { x } from "./a.js"; const next = "/found/b"' },
      '/a.css': { body: '@import "b.css"; p { background: url(a.png) }', type: 'text/css' },
      '/b.css': { body: 'p { background: url(b.png) }', type: 'text/css' },
    });
    expect(await site.read(['a.js', 'b.js'], ['a.css'])).toEqual(['literal /found/a low', 'literal /found/b low']);
    expect(site.asked.toSorted()).toEqual(['/a.css', '/a.js', '/b.css', '/b.js']);
    expect(site.known.foundLinksOf(site.absolute(['a.css'])).map(({ href }) => href)).toEqual([
      'b.css',
      'a.png',
      'b.png',
    ]);
    expect(await site.read(['a.js', 'b.js'], ['a.css'])).toEqual([]);
    expect(site.asked).toHaveLength(4);
  });

  it('have their routes below the folder of the application where the page links to one of them there', async () => {
    await using site = await server({ '/app/a.js': { body: 'go("/users");go("/reports")' } });
    const [page] = site.absolute(['/app/']);
    expect(await site.read(['/app/a.js'], [], page, ['./', 'users', 'https://example.org/reports'])).toEqual([
      'literal /app/users low',
      'literal /app/reports low',
    ]);
  });

  it('are read once by whatever URLs the same text comes', async () => {
    await using site = await server({ '/a.js?1': { body: 'go("/x/y")' }, '/a.js?2': { body: 'go("/x/y")' } });
    expect(await site.read(['a.js?1'])).toEqual(['literal /x/y low']);
    expect(await site.read(['a.js?2'])).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['are missing', { body: '', status: 404 }],
    ['are pages', { body: '<p>', type: 'text/html' }],
    ['set cookies', { body: '', headers: { 'set-cookie': 'a=1' } }],
    ['are written in another character set', { body: '', type: 'text/javascript; charset=iso-8859-1' }],
    ['import what nobody has read', { body: 'import x from "./other.js"' }],
    ['import it later', { body: 'button.onclick = () => import("/other.js")' }],
    ['are longer than scripts that are read', { body: ' '.repeat(4_194_305) }],
  ])('are left to a browser, unread, where they %s', async (_case, answer) => {
    await using site = await server({ '/a.js': { body: 'go("/found/a")' }, '/b.js': answer });
    const parts = { sheets: [], scripts: site.absolute(['a.js', 'b.js']) };
    expect(await site.read(['a.js', 'b.js'])).toBe(null);
    expect(site.known.unknownOf(parts)).toEqual(parts);
  });

  it('are left to a browser, unread, where all of them together are longer than scripts that are read', async () => {
    const names = ['a.js', 'b.js', 'c.js', 'd.js'];
    const long = '//'.padEnd(3_500_000);
    await using site = await server(
      Object.fromEntries(names.map((name) => [`/${name}`, { body: `go("/${name}/x")${long}` }])),
    );
    expect(await site.read(names)).toBe(null);
    expect(site.known.unknownOf({ sheets: [], scripts: site.absolute(names) }).scripts).toHaveLength(4);
    expect(await site.read(names.slice(1))).toHaveLength(3);
  });

  it.each([
    ['of their own origin', (port: number) => `http://127.0.0.1:${port}/page`, 'secret'],
    ['of another port', (port: number) => `http://127.0.0.1:${port + 1}/page`, undefined],
    ['of another host', () => 'http://other.test/page', undefined],
    ['with no origin', () => 'about:blank', undefined],
  ])('are asked for by a page %s with the headers that are meant for that page', async (_whose, page, key) => {
    const headersFor = (port: number) => userHeaders(['X-Key: secret'], [`http://127.0.0.1:${port}/`]);
    await using site = await server({ '/a.js': { body: '1' }, '/a.css': { body: '', type: 'text/css' } }, headersFor);
    await site.read(['a.js'], ['a.css'], page(Number(new URL(site.absolute([''])[0] ?? '').port)));
    expect(site.heard.map((headers) => headers['x-key'])).toEqual([key, key]);
    expect(site.heard.map((headers) => headers['accept-language'])).toEqual([BROWSER_LANGUAGE, BROWSER_LANGUAGE]);
  });

  it('are left to a browser where they are many', async () => {
    await using site = await server({});
    expect(await site.read(Array.from({ length: 11 }, (_, index) => `${index}.js`))).toBe(null);
    expect(site.asked).toEqual([]);
  });
});
