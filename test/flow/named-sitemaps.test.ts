/** Sitemaps that robots.txt or an index names by addresses that read like no sitemap. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf, runCrawl } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-named-sitemaps-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

it.each(['never', 'always'] as const)(
  'reads what is named as a sitemap, whatever its name and type (--render %s)',
  async (render) => {
    await using site = await httpOrigin(({ url = '', headers }, response) => {
      const host = `http://${headers.host}`;
      const list = (path: string): Buffer =>
        gzipSync(`<?xml version="1.0"?><urlset><url><loc>${host}${path}</loc></url></urlset>`);
      const index = gzipSync(
        `<?xml version="1.0"?><sitemapindex><sitemap><loc>${host}/part?of=index</loc></sitemap></sitemapindex>`,
      );
      const answers: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
        '/robots.txt': [
          'text/plain',
          ['/packed', '/unknown', '/download', '/list', '/index', '/film']
            .map((to) => `Sitemap: ${host}${to}\n`)
            .join(''),
        ],
        '/packed': ['application/x-gzip', list('/of-packed')],
        '/unknown': ['application/octet-stream', list('/of-unknown')],
        '/download': ['application/force-download', list('/of-download')],
        '/list': ['application/octet-stream', gzipSync(`${host}/of-list\n`)],
        '/index': ['application/gzip', index],
        '/part?of=index': ['application/octet-stream', list('/of-index')],
        '/film': ['video/mp4', list('/of-film')],
        '/': ['text/html', '<title>Home</title><a href="/file">a file</a>'],
        // what is only linked is read by its name and type, as before
        '/file': ['application/octet-stream', list('/of-file')],
      };
      const [type, body] = answers[url] ?? ['text/html', `<title>${url}</title>`];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const folder = join(base, render);
    await runCrawl({ seeds: [`${site.url}/`], output: folder, snapshot: [], render, logLevel: 'silent' });
    const paths = (await linesOf<PageRecord>(folder, 'pages.jsonl')).map(({ url }) => new URL(url).pathname);
    expect(paths.filter((path) => path.startsWith('/of-')).toSorted()).toEqual(
      ['download', 'index', 'list', 'packed', 'unknown'].map((name) => `/of-${name}`),
    );
  },
);
