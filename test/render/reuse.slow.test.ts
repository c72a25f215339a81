import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROWSER_LANGUAGE } from '../../browsers/protocol/browser.ts';
import { processTree } from '../../src/base/process/process-memory.ts';
import { userHeaders } from '../../src/model/user-headers.ts';
import { RESTING_PER_WORKER } from '../../src/render/limits/browser-limits.ts';
import { PAGE_VISITS } from '../../src/render/page-limits.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench } from './render-bench.ts';

const STORE = `<!doctype html><title></title><script>document.title=[document.cookie,localStorage.getItem('n')||'',sessionStorage.getItem('n')||''].join('|');
document.cookie='n='+location.hostname;localStorage.setItem('n','l');sessionStorage.setItem('n','s')</script>`;

const TEST_NAMES = { flags: ['--host-resolver-rules=MAP *.test 127.0.0.1'] };

test('nothing of one registrable domain is there for another, and within one a reader would find his cookies', async () => {
  await using site = await FixtureServer.open({ '/store': STORE });
  await using bench = await openBench({ workers: 1 }, TEST_NAMES);
  const titleAt = async (host: string): Promise<string> => (await bench.capture(site.url('/store', host))).title;
  expect(await titleAt('one.test')).toBe('||');
  expect(await titleAt('one.test')).toBe('n=one.test|l|s');
  expect(await titleAt('two.test')).toBe('||');
  expect(await titleAt('one.test')).toBe('n=one.test|l|s');
  expect(bench.renderer.stats()).toMatchObject({ visits: 4, pagesReplaced: 0 });
});

test('hosts that are visited in turns find their pages again, as many as may rest, and the one that comes last makes room', async () => {
  await using site = await FixtureServer.open({ '/store': STORE });
  await using bench = await openBench({ workers: 1 }, TEST_NAMES);
  const titlesAt = async (hosts: readonly string[]): Promise<readonly string[]> => {
    const titles: string[] = [];
    for (const host of hosts) titles.push((await bench.capture(site.url('/store', `${host}.test`))).title);
    return titles;
  };
  const hosts = Array.from({ length: RESTING_PER_WORKER }, (_, n) => `h${n}`);
  expect(await titlesAt(hosts)).toEqual(hosts.map(() => '||'));
  expect(await titlesAt(hosts)).toEqual(hosts.map((host) => `n=${host}.test|l|s`));
  // one more than may rest, together with the page being visited
  expect(await titlesAt(['more', 'one-more'])).toEqual(['||', '||']);
  const last = hosts.at(-1) ?? '';
  expect(await titlesAt(hosts)).toEqual(hosts.map((host) => (host === last ? '||' : `n=${host}.test|l|s`)));
});

test('a machine without memory to spare keeps as many pages as there are slots', async () => {
  await using site = await FixtureServer.open({ '/store': STORE });
  await using bench = await openBench({ workers: 1 }, { ...TEST_NAMES, machineHasRoom: () => false });
  const titleAt = async (host: string): Promise<string> => (await bench.capture(site.url('/store', host))).title;
  expect(await titleAt('one.test')).toBe('||');
  expect(await titleAt('two.test')).toBe('||');
  expect(await titleAt('one.test')).toBe('||');
});

test('a page is replaced when it has served its time, and what its site has stored is let go', async () => {
  const count = `<!doctype html><script>const n=Number(localStorage.getItem('n')||0)+1;localStorage.setItem('n',n);document.title=n</script>`;
  await using site = await FixtureServer.open({ '/count': count });
  await using bench = await openBench({ workers: 1 });
  const titles: string[] = [];
  for (let n = 0; n <= PAGE_VISITS; n++) titles.push((await bench.capture(site.url('/count'))).title);
  expect(titles.at(PAGE_VISITS - 1)).toBe(String(PAGE_VISITS));
  expect(titles.at(PAGE_VISITS)).toBe('1');
  expect(bench.renderer.stats()).toMatchObject({ pagesReplaced: 0, browsersReplaced: 0 });
}, 60_000);

/** A worker that computes endlessly, or briefly again and again. */
const worker = (kind: string, body: string): string =>
  `<!doctype html><script>new ${kind}(URL.createObjectURL(new Blob([${JSON.stringify(body)}])))</script>`;
const COMPUTING = {
  '/loop': worker('Worker', 'for(;;){}'),
  '/timer': worker('Worker', 'setInterval(()=>{const end=Date.now()+5;while(Date.now()<end);},1)'),
  '/shared': worker('SharedWorker', 'for(;;){}'),
};

test.skipIf(process.platform !== 'linux').each(Object.keys(COMPUTING))(
  'a worker that computes ends with the visit, or soon after it: %s',
  async (path) => {
    await using site = await FixtureServer.open(COMPUTING);
    await using bench = await openBench({ workers: 1 });
    /** The browser's worker threads, by Blink's names for them. */
    const threads = (): readonly string[] =>
      processTree(bench.renderer.stats().browserPid ?? 0, () => false)
        .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/comm`))
        .flatMap((file) => /^(?:Dedicated|Shared)Worker/.exec(readFileSync(file, 'utf8')) ?? [])
        .map(String);
    const visit = bench.capture(site.url(path));
    await expect.poll(threads).toHaveLength(1);
    await visit;
    await expect.poll(threads).toEqual([]);
    expect(bench.renderer.stats()).toMatchObject({ visits: 1, pagesReplaced: 0 });
  },
);

test('headers given for the crawl go to the origins that they are meant for and to no other', async () => {
  await using site = await FixtureServer.open({});
  site.add({
    '/': `<!doctype html><img src=/own.png><script src="${site.url('/foreign.js', 'localhost')}"></script><a href=/x>x</a>`,
    '/own.png': (_request, response) => response.end(),
    '/foreign.js': (_request, response) => response.end(),
  });
  await using bench = await openBench({ extraHeaders: userHeaders(['X-Key: secret'], [site.url('/')]) });
  await bench.capture(site.url('/'));
  const keys = Object.fromEntries(site.requests.map(({ url, headers }) => [url, headers['x-key']]));
  expect(keys).toMatchObject({ '/': 'secret', '/own.png': 'secret' });
  expect(keys['/foreign.js']).toBeUndefined();
});

test('the browser says who it is, and in which language', async () => {
  await using site = await FixtureServer.open({ '/': '<a href=/x>x</a>' });
  await using bench = await openBench();
  await bench.capture(site.url('/'));
  expect(site.requests[0]?.headers).toMatchObject({ 'user-agent': 'OrbweaverTest/1.0 (+https://example.org/bot)' });
  // requests without a browser send the same: it is all that the browser sends
  expect(site.requests[0]?.headers['accept-language']).toBe(BROWSER_LANGUAGE);
});

test('no visit disturbs the others: eight at once on two pages all end as they should', async () => {
  await using site = await FixtureServer.open({});
  for (let n = 0; n < 8; n++)
    site.add({ [`/p${n}`]: `<title>p${n}</title><script>setTimeout(()=>document.title+="!",1000)</script>` });
  await using bench = await openBench({ workers: 2 });
  const pages = await Promise.all(Array.from({ length: 8 }, (_, n) => bench.capture(site.url(`/p${n}`))));
  expect(pages.map(({ title }) => title)).toEqual(Array.from({ length: 8 }, (_, n) => `p${n}!`));
});

test('a visit given up by its caller rejects at once, and the slot is free again', async () => {
  await using site = await FixtureServer.open({ '/slow': () => {}, '/ok': '<title>ok</title>' });
  await using bench = await openBench({ workers: 1 });
  const giveUp = new AbortController();
  const visit = bench.render(site.url('/slow'), giveUp.signal);
  const waiting = bench.render(site.url('/ok'), giveUp.signal);
  const ends = Promise.allSettled([visit, waiting]);
  while (site.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  giveUp.abort();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await bench.capture(site.url('/ok'))).title).toBe('ok');
});

test('what a page has told at length is not told again in the next visits', async () => {
  await using site = await FixtureServer.open({
    '/long': `<!doctype html><title>long</title><script>console.log('x'.repeat(2*1024*1024));console.error('late')</script>`,
    '/faulty': `<!doctype html><title>faulty</title><script>console.error('own')</script>`,
    '/quiet': '<!doctype html><title>quiet</title><p>x',
    '/many': `<!doctype html><title>many</title><script>for(let i=0;i<10500;i++)console.error(i)</script>`,
  });
  await using bench = await openBench({ workers: 1 });
  const errorsAt = async (path: string): Promise<number> => (await bench.capture(site.url(path))).problems.console;
  await errorsAt('/long');
  expect([await errorsAt('/faulty'), await errorsAt('/quiet')]).toEqual([1, 0]);
  await errorsAt('/many');
  expect([await errorsAt('/quiet'), await errorsAt('/faulty')]).toEqual([0, 1]);
  expect(bench.renderer.stats().pagesReplaced).toBe(0);
});
