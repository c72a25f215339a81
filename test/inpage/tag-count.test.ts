import { homedir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import type { Browser } from '../../browsers/protocol/browser.ts';
import type { DevToolsSession } from '../../browsers/protocol/session.ts';
import { silentLog } from '../../src/base/log.ts';
import type { CollectInput } from '../../src/model/page-facts.ts';
import { tagCount } from '../../src/render/extract/closed-roots.ts';
import { SOURCE as COLLECT } from '../../src/render/generated/collect.ts';
import { parseCollection } from '../../src/render/page/isolated-world.ts';
import { FixtureServer } from '../render/fixture-server.ts';

const INPUT: CollectInput = { links: 100, select: [], rules: false, html: 0, text: 0, scrolls: 'never' };

let site: FixtureServer;
let browser: Browser;
let session: DevToolsSession;

beforeAll(async () => {
  site = await FixtureServer.open({});
  const { signal } = new AbortController();
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, signal);
  const options = { proxyUrl: null, frameControl: false, extraFlags: [], sandbox: 'auto', log: silentLog } as const;
  browser = await launchBrowser(found, options, signal);
  ({ session } = await (
    await browser.openContext({ userAgent: 'test', viewport: { width: 800, height: 600 } })
  ).openPage());
  await session.send('Page.enable');
});
afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
});

/** The page script's count, and the count of a protocol search. */
async function counts(html: string): Promise<{ readonly seen: number | undefined; readonly found: number }> {
  site.add({ '/': html });
  const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
  await session.send('Page.navigate', { url: site.url('/') });
  await loaded;
  const expression = `(${COLLECT})(${JSON.stringify(INPUT)})`;
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  const collection = parseCollection(JSON.parse(String(result.value)));
  return { seen: collection?.tags, found: await tagCount(session) };
}

test.each([
  ['elements alone', '<!doctype html><title>t</title><p>one <b>two</b></p>'],
  [
    'scripts that make elements',
    `<script>const a='<p>',b="<a href='/x'>"</script><p>1 > 0</p><script>if(1<2);</script>`,
  ],
  [
    'sheets, noscript and fields with tags in them',
    '<style>a::after{content:"<"}</style><noscript><p></noscript><textarea><b></textarea>',
  ],
  ['texts with the sign, beside scripts with it', '<p>1 &lt; 2</p><p>3 &lt; 4</p><script>"<p>"</script><p>none</p>'],
  [
    'comments with markup, one before the document',
    '<!--<a>--><!doctype html><p><!-- <p> --><!-- none --></p><!--[if IE]><p><![endif]-->',
  ],
  [
    'drawings and formulas',
    '<svg><style>/*<*/</style><text>&lt;</text><![CDATA[<x>]]></svg><math><mi>&lt;</mi></math>',
  ],
  [
    'templates, declared ones too',
    '<template><p>&lt;</template><div><template shadowrootmode=open><p>&lt;</p><!--<--></template></div>',
  ],
  ['texts that a script has split', `<p id=p></p><script>p.append('a<','b<','c');document.title='<t>'</script>`],
  ['an old frame of text', '<title>t</title><xmp><p>x</xmp><p>a'],
])('what is counted in the page is what a search for tags finds: %s', async (_name, html) => {
  const { seen, found } = await counts(html);
  expect(found).toBeGreaterThan(3);
  expect(seen).toBe(found);
});

test.each([
  [
    'a declared one',
    '<p>a<div><template shadowrootmode=closed>words</template><p>x</div><div><template shadowrootmode=closed><p>y</template></div>',
  ],
  [
    'one that a script has made',
    `<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<a href=/x>x</a>'</script>`,
  ],
])('a closed tree makes the search find more: %s', async (_name, html) => {
  const { seen = 0, found } = await counts(html);
  expect(found).toBeGreaterThan(seen);
});
