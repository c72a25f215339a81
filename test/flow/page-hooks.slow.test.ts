/** Page hooks in whole crawls: from the library, and from the command line. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { defineExtension, type ExtensionDefinition } from '../../src/pipeline/extension.ts';
import type { PageHookCall } from '../../src/render/hooks/page-hook.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, runCrawl } from '../support/crawl-run.ts';

/** Links that appear only after the keys, on a page that would need no browser without its hook. */
const SHOP = `<title>shop</title><script>
  addEventListener('keydown', (event) => {
    if (!event.ctrlKey || !event.shiftKey || event.key !== 'K') return;
    document.body.innerHTML = '<button>Everything</button>';
    document.querySelector('button').onclick = (click) => {
      if (click.isTrusted) document.body.innerHTML = '<p id=everything><a href=/shop/hidden>hidden</a>';
    };
  });
</script>`;
const OPENER = `export default async ({ page, addLink }) => {
  await page.keyboard.press('Control+Shift+K');
  await page.getByRole('button', { name: 'Everything' }).click();
  await page.locator('#everything a').first().waitFor();
  addLink('/shop/catalogue');
};`;
const HOUSE = `import settled from './opener.mjs';
export default { name: 'house', pageHooks: [{ name: 'open', matches: '/shop/', settled }] };`;

let site: FixtureServer;
let folder: string;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/': '<title>home</title><a href=/shop/>shop</a>',
    '/shop/': SHOP,
    '/shop/hidden': '<title>hidden</title>',
    '/shop/catalogue': '<title>catalogue</title>',
  });
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-hooks-'));
  await mkdir(join(folder, 'code'));
  await writeFile(join(folder, 'code/opener.mjs'), OPENER);
  await writeFile(join(folder, 'code/house.mjs'), HOUSE);
  const config = { 'page-script': ['/shop/=opener.mjs'] };
  await writeFile(join(folder, 'code/orbweaver.json'), JSON.stringify(config));
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The extension in docs/library.md, verbatim. */
function documentedExample(): ExtensionDefinition {
  const text = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const [, example] = /const opener = (defineExtension\(\{.*?\n\}\));/s.exec(text) ?? [];
  const made: unknown = runInThisContext(`(defineExtension) => ${example ?? 'null'}`);
  return (made as (define: typeof defineExtension) => ExtensionDefinition)(defineExtension);
}

const whole = ['/', '/shop/', '/shop/catalogue', '/shop/hidden'];
const pathsOf = (pages: readonly PageRecord[]): readonly string[] =>
  pages.map(({ url }) => new URL(url).pathname).toSorted();

test('the hook of the documents finds what a crawl without it does not', async () => {
  const options = { seeds: [site.url('/')], delay: 0, sitemap: false };
  expect(pathsOf((await runCrawl(options)).pages)).toEqual(['/', '/shop/']);
  const asked = site.requests.length;
  const { pages, links } = await runCrawl({ ...options, extensions: [documentedExample()] });
  expect(pathsOf(pages)).toEqual(whole);
  expect(links.filter(({ kind }) => kind === 'hook')).toMatchObject([
    { to: site.url('/shop/catalogue'), context: 'hook opener/shortcut', text: 'Catalogue', new: true },
  ]);
  const shop = site.requests.slice(asked).filter(({ url }) => url === '/shop/');
  expect(shop.map(({ headers }) => headers.cookie)).toEqual(['notice=seen']);
});

test("the contexts of a crawl with default options are Playwright's, one for each page", async () => {
  const counts: number[] = [];
  const own: boolean[] = [];
  const settled = ({ context, page }: PageHookCall): void => {
    const contexts = context.browser()?.contexts() ?? [];
    counts.push(contexts.length);
    own.push(contexts.includes(context) && context.pages().length === 1 && context.pages()[0] === page);
  };
  const counter = defineExtension({ name: 'counter', pageHooks: [{ name: 'count', matches: '**', settled }] });
  const { pages } = await runCrawl({ seeds: [site.url('/')], extensions: [counter] });
  expect(counts.length).toBe(pages.filter(({ rendered }) => rendered).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
  expect(own).toEqual(counts.map(() => true));
});

test('a hook needs a browser, and only its own pages are rendered for it', async () => {
  const options = { seeds: [site.url('/')], delay: 0, sitemap: false, extensions: [documentedExample()] };
  await expect(runCrawl({ ...options, render: 'never' })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('opener/shortcut needs a browser') as string,
  });
  const { pages } = await runCrawl({ ...options, render: 'auto' });
  expect(pages.find(({ url }) => url === site.url('/'))?.rendered).toBe(false);
  expect(pages.find(({ url }) => url === site.url('/shop/'))?.rendered).toBe(true);
});

describe('the command line', () => {
  const wordsOf = (...flags: readonly string[]): readonly string[] => [
    'crawl',
    site.url('/'),
    '--delay',
    '0',
    '--no-sitemap',
    '-o',
    'out',
    '--overwrite',
    ...flags,
  ];
  const crawl = (...flags: readonly string[]) => runHere(wordsOf(...flags), folder);

  test.each([
    ['a page script', ['--page-script', '/shop/=code/opener.mjs']],
    ['an extension', ['--extension', 'code/house.mjs']],
    ['a page script of a config file, which stands beside it', ['-c', 'code/orbweaver.json']],
  ])('crawls with %s', async (_what, flags) => {
    const { code, output } = await crawl(...flags);
    expect([code, output]).toEqual([0, expect.any(String)]);
    expect(pathsOf(await linesOf<PageRecord>(join(folder, 'out'), 'pages.jsonl'))).toEqual(whole);
    const links = await linesOf<LinkRecord>(join(folder, 'out'), 'links.jsonl');
    expect(links.filter(({ kind }) => kind === 'hook')).toHaveLength(1);
  });

  test('goes on where a page script does not wait for what fails, and says so', async () => {
    const slip = `export default async ({ page }) => { page.locator('#never').click(); };`;
    await writeFile(join(folder, 'code/slip.mjs'), slip);
    // what nobody awaits fails in the process, not in a test
    const { code, output } = await runCommand(wordsOf('--page-script', '/shop/=code/slip.mjs'), folder).ended;
    expect([code, output]).toEqual([0, expect.stringContaining('is an await missing?')]);
    expect(output).toContain('slip.mjs:1');
    expect(pathsOf(await linesOf<PageRecord>(join(folder, 'out'), 'pages.jsonl'))).toEqual(['/', '/shop/']);
  });

  test.each([
    ['--page-script', '/shop/=none.mjs', 'there is no file'],
    ['--page-script', 'shop=code/opener.mjs', 'the glob matches no URL'],
    ['--extension', 'code/opener.mjs', 'must be an extension'],
  ])('refuses %s %s before anything is fetched', async (flag, value, words) => {
    const asked = site.requests.length;
    const { code, output } = await crawl(flag, value);
    expect(code).toBe(2);
    expect(output).toContain(`${flag}: ${JSON.stringify(value)} is not accepted`);
    expect(output).toContain(words);
    expect(site.requests).toHaveLength(asked);
  });

  test('resumes with page scripts that are given again, and asks for them', async () => {
    const script = ['--page-script', '/shop/=code/opener.mjs'];
    const first = await crawl(...script, '--limit', '2');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('--page-script') as string });
    const without = await runHere(['resume', 'out', '--limit', '9'], folder);
    expect(without).toMatchObject({
      code: 2,
      output: expect.stringContaining('a crawl folder starts no program') as string,
    });
    const { code } = await runHere(['resume', 'out', '--limit', '9', ...script], folder);
    expect(code).toBe(0);
    expect(pathsOf(await linesOf<PageRecord>(join(folder, 'out'), 'pages.jsonl'))).toEqual(whole);
  });
});
