/** Records that an audit crawl makes of its pages in a browser, and the findings on them: one crawl with `--audit`, one without. */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding, InventoryItem } from '../../src/model/finding.ts';
import type { PageDetails } from '../../src/model/page-details.ts';
import { documentOf, prose } from '../support/audited-site.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

const NAV = '<nav><a href="/">Start</a> <a href="/plain">Plain</a> <a href="/other">Other</a></nav>';
/** One script for two pages: its faults show on both. */
const SCRIPT = `
  document.cookie = 'session_id=verysecretvalue; path=/';
  localStorage.setItem('seen', 'yes');
  console.error('no boats', 12);
  fetch('/api/missing');
  const list = document.getElementById('list');
  for (let index = 0; index < 90; index += 1) list.append('word' + index + ' and more ');
  try { eval('1'); } catch {}
  undefinedThing();
`;

/** Only the first two move the text when they load. */
const PICTURES = ['jumps', 'wide', 'sized', 'ratio', 'over', 'hidden'];
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
const IMAGES = `<style>.wide{width:50%}.sized{width:9px;height:1em}.ratio{width:50%;aspect-ratio:2}.over{position:absolute}.hidden{display:none}</style>
  ${PICTURES.map((name) => `<img class="${name}" src="/${name}.svg" alt="">`).join('')}`;

let base = '';
let audited: Awaited<ReturnType<typeof crawled>>;

async function crawled(name: string, ...flags: readonly string[]) {
  await using other = await httpOrigin(({ url }, response) => {
    if (url === '/tag.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
      response.end(
        `fetch('${'http://localhost'}:' + new URL(document.currentScript.src).port + '/gone').catch(() => {})`,
      );
    } else response.writeHead(404, { 'access-control-allow-origin': '*' }).end();
  });
  const tag = `http://localhost:${new URL(other.url).port}/tag.js`;
  const page = (title: string): string =>
    documentOf(
      `${NAV}${prose(title)}<p id="list"></p><img src="/missing.png" alt="" width="9" height="9">${IMAGES}<script src="/app.js"></script><script src="${tag}"></script>`,
      { title },
    );
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/': ['text/html', page('The harbour')],
    '/other': ['text/html', page('The other harbour')],
    '/plain': ['text/html', documentOf(`${NAV}${prose('The plain page')}`, { title: 'Plain' })],
    ...Object.fromEntries(PICTURES.map((name) => [`/${name}.svg`, ['image/svg+xml', PICTURE]] as const)),
    '/app.js': ['text/javascript', SCRIPT + ' '.repeat(2000)],
  };
  await using site = await httpOrigin(({ url = '/' }, response) => {
    const file = files[url];
    if (file === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end();
    response.writeHead(200, {
      'content-type': file[0],
      'content-security-policy': "script-src 'self' http://localhost:*",
      'set-cookie': 'theme=dark; HttpOnly; SameSite=Lax',
      ...(url.endsWith('.svg') ? { 'cache-control': 'max-age=60' } : {}),
    });
    response.end(file[1]);
  });
  const places = ['-o', name, '--allow-private', '127.0.0.1', '--no-progress', '--no-sitemap'];
  const { code, output } = await runHere(['crawl', site.url, ...places, ...flags], base);
  expect(code, output).toBe(0);
  return { folder: join(base, name), origin: site.url.replace(/\/$/, ''), other: new URL(tag).host, output };
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-details-'));
  audited = await crawled('audited', '--audit');
});
afterAll(() => rm(base, { recursive: true, force: true }));

const findings = (): Promise<readonly Finding[]> => linesOf<Finding>(audited.folder, 'findings.jsonl');

describe('a crawl with --audit', () => {
  it('writes a line of details for each captured page, once, and none of the values of cookies', async () => {
    const pages = await linesOf<{ url: string; outcome: string }>(audited.folder, 'pages.jsonl');
    const details = await linesOf<PageDetails>(audited.folder, 'details.jsonl');
    const captured = pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => url);
    expect(details.map(({ url }) => url)).toEqual(captured);
    expect(captured).toHaveLength(3);
    const text = await readFile(join(audited.folder, 'details.jsonl'), 'utf8');
    expect(text).not.toMatch(/verysecretvalue|dark/);
  });

  it('records what the browser observed, whose requests are whose, and the document before its scripts ran', async () => {
    const details = await linesOf<PageDetails>(audited.folder, 'details.jsonl');
    const start = details.find(({ url }) => url === `${audited.origin}/`);
    const { behaviour, received, headers } = start ?? {};
    expect(headers).toContainEqual(['content-security-policy', "script-src 'self' http://localhost:*"]);
    expect(received).toMatchObject({ title: 'The harbour', links: 3 });
    expect(behaviour?.exceptions).toEqual({
      count: 1,
      first: [{ text: 'ReferenceError: undefinedThing is not defined', source: `${audited.origin}/app.js` }],
    });
    expect(behaviour?.consoleErrors.first[0]?.text).toBe('no boats 12');
    expect(
      behaviour?.failed.first.map(({ url, party, status }) => [new URL(url).pathname, party, status]).toSorted(),
    ).toEqual([
      ['/api/missing', 'first', 404],
      ['/gone', 'third', 404],
      ['/missing.png', 'first', 404],
    ]);
    expect(behaviour?.cspViolations.first).toMatchObject([{ directive: 'script-src', blocked: 'eval' }]);
    expect(behaviour?.thirdParties.first).toMatchObject([{ host: audited.other, requests: 2, chain: [] }]);
    expect(behaviour?.requests['script']).toMatchObject({ count: 2 });
    expect(behaviour?.storage).toEqual({ local: 1, session: 0 });
    expect(
      behaviour?.cookies.first.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).toSorted(),
    ).toEqual([
      ['session_id', false, null],
      ['theme', true, 'Lax'],
    ]);
  });

  it('asks the browser which images need no width and height', async () => {
    const [start] = await linesOf<PageDetails>(audited.folder, 'details.jsonl');
    const names = start?.behaviour?.steadyImages.map((url) => new URL(url).pathname);
    expect(names).toEqual(['/sized.svg', '/ratio.svg', '/over.svg', '/hidden.svg']);
    const told = (await findings()).filter(({ rule }) => rule === 'image-without-size').map(({ message }) => message);
    expect(told.toSorted()).toEqual([
      'The image /jumps.svg has no width and height',
      'The image /wide.svg has no width and height',
    ]);
  });

  it('says of a fault that a script brings to many pages one thing', async () => {
    const found = await findings();
    const of = (rule: string): readonly Finding[] => found.filter((finding) => finding.rule === rule);
    expect(of('uncaught-exception')).toHaveLength(1);
    expect(of('uncaught-exception')[0]?.sources.count).toBe(2);
    expect(of('console-error')).toHaveLength(1);
    expect(
      of('failed-request')
        .map(({ target, sources }) => [target, sources.count])
        .toSorted(),
    ).toEqual([
      [`${audited.origin}/api/missing`, 2],
      [`${audited.origin}/missing.png`, 2],
    ]);
    expect(of('failed-third-party-request')).toHaveLength(1);
    expect(of('csp-violation')).toHaveLength(1);
    expect(of('cookie-without-httponly').map(({ message }) => message)).toEqual([
      'The cookie session_id looks like a session, and is set without HttpOnly',
    ]);
    expect(of('uncached-static-file').map(({ target }) => target)).toEqual([`${audited.origin}/app.js`]);
    expect(of('missing-content-type-options').length).toBeGreaterThan(0);
    // the site is not https, it has a policy, and its text is in the document
    for (const silent of ['missing-transport-security', 'missing-content-security-policy', 'cookie-without-secure'])
      expect(of(silent), silent).toEqual([]);
  });

  it('writes the inventory of the site beside its findings', async () => {
    const { items }: { items: readonly InventoryItem[] } = JSON.parse(
      await readFile(join(audited.folder, 'inventory.json'), 'utf8'),
    );
    expect(items).toContainEqual(expect.objectContaining({ kind: 'host', name: audited.other, pages: 2 }));
    expect(items).toContainEqual(expect.objectContaining({ kind: 'cookie', name: 'session_id' }));
    expect(items).toContainEqual(expect.objectContaining({ kind: 'storage', name: 'localStorage' }));
  });

  it('is audited again from its folder with the same findings', async () => {
    const before = await findings();
    const { code, output } = await runHere(['audit', 'audited'], base);
    expect(code, output).toBe(0);
    expect(await findings()).toEqual(before);
  });
});

describe('a crawl with --audit that goes on', () => {
  it('cuts details to what its state knows, and records the pages to come though the flag is not given again', async () => {
    await using site = await httpOrigin(({ url = '/' }, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(documentOf(`${NAV}${prose(`Page ${url}`)}`, { title: `Page ${url}` }));
    });
    const first = await runHere(
      ['crawl', site.url, '-o', 'going', '--audit', '--limit', '1', '--no-sitemap', '-q'],
      base,
    );
    expect(first.code, first.output).toBe(0);
    await appendFile(join(base, 'going', 'details.jsonl'), '{"url":"http://nobody.example/"}\n{"url":');
    await rm(join(base, 'going', 'report'), { recursive: true });
    const second = await runHere(['resume', 'going', '--limit', '10', '-q'], base);
    expect(second.code, second.output).toBe(0);
    // its report includes the new pages, too
    expect(second.output).toContain('3 judged');
    const report = await readFile(join(base, 'going', 'report', 'index.html'), 'utf8');
    expect(report.includes('Page /other')).toBe(true);
    const details = await linesOf<PageDetails>(join(base, 'going'), 'details.jsonl');
    const pages = await linesOf<{ url: string }>(join(base, 'going'), 'pages.jsonl');
    expect(details.map(({ url }) => url)).toEqual(pages.map(({ url }) => url));
    expect(details).toHaveLength(3);
  });
});

describe('a crawl without --audit', () => {
  it('records no details, and its audit says which rules are silent for that', async () => {
    const bare = await crawled('bare');
    await expect(readFile(join(bare.folder, 'details.jsonl'))).rejects.toThrow('ENOENT');
    const { code, output } = await runHere(['audit', 'bare'], base);
    expect(code, output).toBe(0);
    expect(output.replaceAll(/\s+/g, ' ')).toContain('recorded no details of its pages (crawl --audit does)');
    const rules = (await linesOf<Finding>(bare.folder, 'findings.jsonl')).map(({ rule }) => rule);
    expect(rules).not.toContain('uncaught-exception');
    expect(rules).not.toContain('missing-content-type-options');
  });
});
