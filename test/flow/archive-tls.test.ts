/** An archive of a TLS site, made by the command line as a user does. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { readArchive } from '../support/archive.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { secureOrigin, type SecureOrigin } from '../support/secure-origin.ts';

const STYLE = 'body{color:#123}';
const BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': ['text/html', '<title>home</title><link rel=stylesheet href=/style.css><a href=/next>next</a>'],
  '/next': ['text/html', '<title>next</title><script src=/script.js></script>'],
  '/style.css': ['text/css', STYLE],
  '/script.js': ['text/javascript', 'fetch("/data.json").then(()=>document.body.append("there"))'],
  '/data.json': ['application/json', '{"data":1}'],
};

describe('a crawl with --snapshot warc over TLS', () => {
  let base: string;
  let origin: SecureOrigin;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'orbweaver-tls-'));
    origin = await secureOrigin((request, response) => {
      const known = BODIES[request.url ?? ''];
      if (known === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': known[0], 'cache-control': 'max-age=60' }).end(known[1]);
    });
  });
  afterEach(async () => {
    await origin[Symbol.asyncDispose]();
    await rm(base, { recursive: true, force: true });
  });

  async function crawl(variables: Readonly<Record<string, string>>): Promise<string> {
    const folder = join(base, 'crawl');
    const args = ['crawl', origin.url('/'), '--output', folder, '--snapshot', 'warc', '--delay', '0'];
    const { output } = await runCommand(args, base, variables).ended;
    expect(output).toContain('crawl');
    return folder;
  }

  it('holds every request that the server has seen, with the answers that it gave', async () => {
    const authority = join(base, 'authority.pem');
    await writeFile(authority, origin.authority);
    const folder = await crawl({ NODE_EXTRA_CA_CERTS: authority });
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages.map(({ url, outcome }) => [new URL(url).pathname, outcome])).toEqual([
      ['/', 'captured'],
      ['/next', 'captured'],
    ]);
    const records = await readArchive(folder);
    const asked = records.filter(({ type }) => type === 'request');
    expect(asked.map(({ statusLine }) => (statusLine ?? '').replace(/ HTTP\/1\.1$/, '')).toSorted()).toEqual(
      origin.requests.toSorted(),
    );
    for (const [path, [, body]] of Object.entries(BODIES)) {
      const answer = records.find(({ type, uri }) => type === 'response' && uri === origin.url(path));
      expect([path, answer?.payload.toString()]).toEqual([path, body]);
    }
    for (const { name, parentPath } of await readdir(folder, { recursive: true, withFileTypes: true }).then((all) =>
      all.filter((entry) => entry.isFile()),
    ))
      expect(await readFile(join(parentPath, name), 'latin1'), name).not.toContain('PRIVATE KEY');
  });

  it('asks nothing of a server whose certificate nobody trusts, and says that this is why', async () => {
    const folder = await crawl({});
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages).toMatchObject([{ outcome: 'unreachable', detail: expect.stringMatching(/certificate/) as string }]);
    expect(origin.requests).toEqual([]);
  });
});
