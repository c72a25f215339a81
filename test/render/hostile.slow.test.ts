import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { milliseconds, seconds } from '../../src/base/units.ts';
import { SALVAGE_TIME } from '../../src/render/page-limits.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const page = (script: string): string =>
  `<!doctype html><title>before</title><a href=/kept>k</a><script>${script}</script>`;

const ROUTES: Record<string, Route> = {
  '/innocent': '<title>innocent</title><a href=/fine>f</a>',
  '/loop': page('while(true);'),
  '/loop-later': page('setTimeout(()=>{while(true);},100)'),
  '/clock-loop': page('const t=Date.now();while(Date.now()-t<1000);'),
  '/observer': page(
    'new MutationObserver(()=>document.body.append("x")).observe(document,{subtree:true,childList:true});document.body.append("x")',
  ),
  '/microtasks': page('const f=()=>Promise.resolve().then(f);f()'),
  '/frame-loop': page('requestAnimationFrame(()=>{while(true);})'),
  '/worker': page('new Worker(URL.createObjectURL(new Blob(["while(true);"])))'),
  '/getter': page('Object.defineProperty(document,"title",{get(){while(true);}})'),
  '/alerts': page('while(1)alert(1)'),
  '/dialogs': page('alert(1);confirm(2);prompt(3);document.title="after"'),
  '/unload': page('onbeforeunload=e=>{e.preventDefault();return "stay"}'),
  '/deep': page('let n=document.body;for(let i=0;i<100000;i++){const d=document.createElement("div");n.append(d);n=d}'),
  '/heap': page('const a=[];for(;;)a.push(new Array(1e6).fill({}))'),
  '/silent': () => {},
  '/endless': (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.write('<!doctype html><title>endless</title><a href=/part>p</a>');
    const timer = setInterval(() => response.write(' '.repeat(100)), 50);
    response.on('close', () => clearInterval(timer));
  },
  '/self-frame':
    '<!doctype html><iframe src=/self-frame></iframe><iframe src="/self-frame?2"></iframe><a href=/kept>k</a>',
  '/polluted': page('Object.prototype.kept="x";document.body.innerHTML+="<a href=__proto__ rel=__proto__>p</a>"'),
};

const PAGE_TIMEOUT = seconds(8);

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
  bench = await openBench({ settleTimeout: milliseconds(1500), pageTimeout: PAGE_TIMEOUT });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const innocent = async (): Promise<void> => {
  expect((await bench.capture(site.url('/innocent'))).title).toBe('innocent');
};

describe('scripts without end', () => {
  test.each(['/loop', '/loop-later', '/clock-loop', '/microtasks'])(
    '%s: what was there before is saved',
    async (path) => {
      const [outcome] = await Promise.all([bench.render(site.url(path)), innocent()]);
      expect(outcome).toMatchObject({ kind: 'captured', page: { title: 'before', settle: { reason: 'timeout' } } });
      if (outcome.kind === 'captured') expect(paths(outcome.page)).toEqual(['/kept']);
      await innocent();
    },
  );

  test('one that grows the document out of a mutation observer is ended by luck alone, and costs its own visit only', async () => {
    const started = performance.now();
    const [outcome] = await Promise.all([bench.render(site.url('/observer')), innocent()]);
    // it may also end by its memory, if that limit comes first
    if (outcome.kind === 'crashed') expect(outcome.memory).toBe(true);
    else expect(['timed-out', 'captured']).toContain(outcome.kind);
    expect(performance.now() - started).toBeLessThan(PAGE_TIMEOUT + SALVAGE_TIME);
    await innocent();
  });

  test('one that hangs the drawing of frames costs the browser, and no visit in it', async () => {
    const { browsersReplaced } = bench.renderer.stats();
    const [outcome] = await Promise.all([bench.render(site.url('/frame-loop')), innocent(), innocent()]);
    expect(outcome).toMatchObject({ kind: 'captured', page: { title: 'before' } });
    await innocent();
    expect(bench.renderer.stats().browsersReplaced).toBe(browsersReplaced + 1);
  });

  test('a worker without end holds nobody', async () => {
    expect(paths(await bench.capture(site.url('/worker')))).toEqual(['/kept']);
  });

  test('a getter on the title is not asked', async () => {
    expect((await bench.capture(site.url('/getter'))).title).toBe('before');
  });
});

describe('dialogs', () => {
  test('a few are dismissed and the page goes on', async () => {
    expect((await bench.capture(site.url('/dialogs'))).title).toBe('after');
  });

  test('without end they end the page, not the slot', async () => {
    expect(await bench.render(site.url('/alerts'))).toMatchObject({ kind: 'timed-out' });
    await innocent();
    await innocent();
  });

  test('beforeunload keeps no page from its next visit', async () => {
    await bench.capture(site.url('/unload'));
    for (let visit = 0; visit < 4; visit++) await innocent();
  });
});

describe('crashes', () => {
  test('a renderer that crashes is an outcome, and the next visit succeeds', async () => {
    const outcome = await bench.render(site.url('/deep'));
    expect(['crashed', 'captured']).toContain(outcome.kind); // newer Chromiums survive 100,000 levels
    await innocent();
  });

  test('a heap that overflows ends its own page only', async () => {
    const [outcome] = await Promise.all([bench.render(site.url('/heap')), innocent()]);
    expect(['crashed', 'timed-out', 'captured']).toContain(outcome.kind);
    await innocent();
  });

  test('a browser that is killed in the middle of visits is replaced at once', async () => {
    const visits = Promise.all([bench.render(site.url('/silent')), bench.render(site.url('/silent'))]);
    const asked = (): number => site.paths().filter((path) => path === '/silent').length;
    while (asked() < 2) await new Promise((resolve) => setImmediate(resolve));
    const { browserPid, browsersReplaced } = bench.renderer.stats();
    process.kill(browserPid ?? Number.NaN, 'SIGKILL');
    expect((await visits).map(({ kind }) => kind)).toEqual(['crashed', 'crashed']);
    const started = performance.now();
    await Promise.all([innocent(), innocent(), innocent()]);
    expect(performance.now() - started).toBeLessThan(2 * PAGE_TIMEOUT);
    const stats = bench.renderer.stats();
    expect(stats.browserPid).not.toBe(browserPid);
    expect(stats.browsersReplaced).toBe(browsersReplaced + 1);
  });
});

describe('servers and floods', () => {
  test('a server that never answers is a timeout within the page timeout', async () => {
    const started = performance.now();
    expect(await bench.render(site.url('/silent'))).toMatchObject({ kind: 'timed-out' });
    expect(performance.now() - started).toBeLessThan(PAGE_TIMEOUT + SALVAGE_TIME);
    await innocent();
  });

  test('a document without end is taken as far as it came', async () => {
    const page = await bench.capture(site.url('/endless'));
    expect(page).toMatchObject({ title: 'endless', settle: { reason: 'timeout' } });
    expect(paths(page)).toEqual(['/part']);
  });

  test('a page that frames itself is read to a bounded depth', async () => {
    const page = await bench.capture(site.url('/self-frame'));
    expect(paths(page)).toContain('/kept');
  });

  test('names of the prototype are words like others', async () => {
    const page = await bench.capture(site.url('/polluted'));
    expect(page.foundLinks.map(({ href }) => href)).toContain('__proto__');
    expect(Reflect.get({}, 'kept')).toBeUndefined();
  });
});
