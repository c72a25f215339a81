/** Slow answers: every link in them is found, and the settle timeout is the only limit. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const ADD = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${ADD}${code}</script>`;
const queryOf = (url: string | undefined): URLSearchParams => new URL(url ?? '', 'http://localhost').searchParams;
/** Answers after `after` milliseconds with the path to link to. */
const delayed = (contentType: string, body: (link: string) => string): Route =>
  function answer(request, response) {
    const query = queryOf(request.url);
    wait(Number(query.get('after')))
      .then(() => response.setHeader('content-type', contentType).end(body(query.get('link') ?? '')))
      .catch(() => {});
  };
const DATA = delayed('text/plain', (link) => link);
const get = (after: number, link: string): string =>
  `fetch("/data?after=${after}&link=${link}").then(r=>r.text()).then(add)`;
const bodyOf = async (request: AsyncIterable<unknown>): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

let busy = 0;
let failures = 0;
let jobs = 0;
const graphql: Route = (request, response) => {
  void bodyOf(request).then(async (body) => {
    const { operationName, variables } = JSON.parse(body) as { operationName: string; variables: { link: string } };
    if (operationName === 'Wait') return; // a subscription by long poll
    await wait(operationName === 'Slow' ? 3500 : 50);
    response.end(variables.link);
  });
};
const ask = (operation: string, link: string): string =>
  `fetch("/graphql",{method:"POST",body:JSON.stringify({operationName:"${operation}",query:"query ${operation}{a}",variables:{link:"${link}"}})}).then(r=>r.text()).then(add);`;

const ROUTES: Record<string, Route> = {
  '/data': DATA,
  '/script.js': delayed('text/javascript', (link) => `add(${JSON.stringify(link)})`),
  '/module.js': delayed('text/javascript', (link) => `export default ${JSON.stringify(link)}`),
  '/style.css': delayed('text/css', () => 'a{color:red}'),
  '/frame': delayed('text/html', (link) => `<!doctype html><a href="${link}">x</a>`),
  '/graphql': graphql,
  '/never': () => {},
  '/loaded': (request, response) => {
    busy += 1;
    wait(400 * busy)
      .then(() => response.end(`/loaded-${queryOf(request.url).get('page')}`))
      .catch(() => {})
      .finally(() => (busy -= 1));
  },
  '/fails': (_request, response) => {
    failures += 1;
    response.statusCode = failures % 4 === 0 ? 200 : 503;
    wait(700)
      .then(() => response.end('/after-failures'))
      .catch(() => {});
  },
  '/trickles': (_request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.write('/trick');
    wait(2000)
      .then(() => response.end('led'))
      .catch(() => {});
  },
  '/large': (request, response) => {
    const query = queryOf(request.url);
    const parts = Array.from({ length: 10 }, () => ' '.repeat(20_000));
    response.setHeader('content-type', 'text/plain');
    if (query.has('length')) response.setHeader('content-length', 200_000 + '/large-body'.length);
    void (async () => {
      for (const part of parts) {
        response.write(part);
        await wait(Number(query.get('lasts')) / parts.length);
      }
      response.end('/large-body');
    })();
  },
  '/job': (_request, response) => {
    jobs += 1;
    const isDone = jobs % 4 === 0;
    wait(900)
      .then(() => response.end(isDone ? '/job-done' : ''))
      .catch(() => {});
  },
  '/events': (_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: hello\n\n');
  },
  '/slow-api': (request, response) => {
    const id = queryOf(request.url).get('id');
    wait(id === '0' ? 4000 : 300)
      .then(() => response.end(`/item-${id}`))
      .catch(() => {});
  },
};
const page = (path: string, code: string): void => void (ROUTES[path] = script(code));

for (let entry = 0; entry < 80; entry++) ROUTES[`/entry/${entry}`] = DATA;
for (const after of [200, 1000, 4000, 8000, 12_000]) page(`/after-${after}`, get(after, `/came-${after}`));
page(
  '/xhr',
  'const x=new XMLHttpRequest();x.onload=()=>add(x.responseText);x.open("GET","/data?after=4000&link=/by-xhr");x.send()',
);
page('/late-timer', `fetch("/data?after=4000&link=/x").then(()=>setTimeout(()=>add("/timer-behind"),1500))`);
page(
  '/chain',
  `fetch("/data?after=3000&link=/a").then(()=>fetch("/data?after=3000&link=/second")).then(r=>r.text()).then(add)`,
);
page('/many', Array.from({ length: 10 }, (_, n) => get((n * 1777) % 6000, `/many-${n}`)).join(';'));
page(
  '/by-script',
  'const s=document.createElement("script");s.src="/script.js?after=4000&link=/by-script-link";document.head.append(s)',
);
page('/by-import', 'import("/module.js?after=4000&link=/imported").then(m=>add(m.default))');
page(
  '/by-sheet',
  'const l=document.createElement("link");l.rel="stylesheet";l.href="/style.css?after=4000";l.onload=()=>add("/styled");document.head.append(l)',
);
page(
  '/by-frame',
  'const f=document.createElement("iframe");f.src="/frame?after=4000&link=/framed";document.body.append(f)',
);
page('/stream-beside', `new EventSource("/events");${get(4000, '/beside-stream')}`);
page(
  '/poll-beside',
  `const p=()=>fetch("/data?after=20&link=").then(()=>setTimeout(p,250));p();${get(5000, '/beside-poll')}`,
);
page('/comet-beside', `fetch("/never?beside");${get(3000, '/beside-comet')}`);
page(
  '/pages',
  'const p=(n)=>n<9&&fetch("/data?after=500&link=/list-"+n).then(r=>r.text()).then(t=>{add(t);p(n+1)});p(0)',
);
page('/retries', 'const t=()=>fetch("/fails").then(r=>r.ok?r.text().then(add):setTimeout(t,300));t()');
page('/waits-for-job', 'const t=()=>fetch("/job").then(r=>r.text()).then(u=>u?add(u):setTimeout(t,500));t()');
page('/slow-body', 'fetch("/trickles").then(r=>r.text()).then(add)');
page('/large-of-length', 'fetch("/large?lasts=1500&length").then(r=>r.text()).then(t=>add(t.trim()))');
page('/large-without', 'fetch("/large?lasts=4000").then(r=>r.text()).then(t=>add(t.trim()))');
page('/entries', `for(let n=0;n<80;n++)fetch("/entry/"+n+"?after=400&link=/entry-"+n).then(r=>r.text()).then(add)`);
page('/icons', 'for(let n=0;n<8;n++)fetch("/data?after=300&link=/icon-").then(r=>r.text()).then(t=>add(t+n))');
page('/one-address', ask('Items', '/gql-items') + ask('Slow', '/gql-slow') + ask('Feed', '/gql-feed'));

const EXPECTED: readonly (readonly [string, readonly string[]])[] = [
  ...[200, 1000, 4000, 8000, 12_000].map((after) => [`/after-${after}`, [`/came-${after}`]] as const),
  ['/xhr', ['/by-xhr']],
  ['/late-timer', ['/timer-behind']],
  ['/chain', ['/second']],
  ['/many', Array.from({ length: 10 }, (_, n) => `/many-${n}`)],
  ['/by-script', ['/by-script-link']],
  ['/by-import', ['/imported']],
  ['/by-sheet', ['/styled']],
  ['/stream-beside', ['/beside-stream']],
  ['/poll-beside', ['/beside-poll']],
  ['/comet-beside', ['/beside-comet']],
  ['/pages', Array.from({ length: 9 }, (_, n) => `/list-${n}`)],
  ['/retries', ['/after-failures']],
  ['/waits-for-job', ['/job-done']],
  ['/slow-body', ['/trickled']],
  ['/large-of-length', ['/large-body']],
  ['/large-without', ['/large-body']],
  ['/entries', Array.from({ length: 80 }, (_, n) => `/entry-${n}`)],
  ['/icons', Array.from({ length: 8 }, (_, n) => `/icon-${n}`)],
  ['/one-address', ['/gql-feed', '/gql-items', '/gql-slow']],
];

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({ ...ROUTES });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** A bench with the default limits of a crawl. */
const openUsual = (workers: number, explore: 'scroll' | 'click' = 'scroll'): Promise<Bench> =>
  openBench({ workers, explore, settleTimeout: seconds(15), pageTimeout: seconds(60) });

describe('links that slow answers bring', () => {
  test('are found, whatever else the page does, on pages that wait beside each other', async () => {
    await using bench = await openUsual(4);
    const visits = EXPECTED.map(
      async ([path]) => [path, paths(await bench.capture(site.url(path)), 'anchor')] as const,
    );
    const found = new Map(await Promise.all(visits));
    for (const [path, links] of EXPECTED) expect(found.get(path), path).toEqual(['/first', ...links].toSorted());
  });

  test('are found in frames', async () => {
    await using bench = await openUsual(1);
    const { foundLinks } = await bench.capture(site.url('/by-frame'));
    expect(foundLinks.map(({ href }) => href)).toContain('/framed');
  });

  test.each([1, 2])('one slow answer makes no other page give up, with %i pages at a time', async (workers) => {
    await using bench = await openUsual(workers);
    for (let id = 0; id < 20; id++)
      site.add({ [`/item/${id}`]: script(`fetch("/slow-api?id=${id}").then(r=>r.text()).then(add)`) });
    const visits = Array.from({ length: 20 }, (_, id) => bench.capture(site.url(`/item/${id}`)));
    for (const [id, captured] of (await Promise.all(visits)).entries())
      expect(paths(captured, 'anchor')).toEqual(['/first', `/item-${id}`]);
  });

  test('of a server that slows down under load are found', async () => {
    await using bench = await openUsual(2);
    for (let number = 0; number < 8; number++)
      site.add({ [`/load/${number}`]: script(`fetch("/loaded?page=${number}").then(r=>r.text()).then(add)`) });
    const visits = Array.from({ length: 8 }, (_, number) => bench.capture(site.url(`/load/${number}`)));
    for (const [number, captured] of (await Promise.all(visits)).entries())
      expect(paths(captured, 'anchor')).toEqual(['/first', `/loaded-${number}`]);
  });

  test.each([1000, 4000, 8000])('after a click are found, %i ms later', async (after) => {
    site.add({
      [`/click-${after}`]: script('').replace(
        '<script>',
        `<button onclick='${get(after, `/clicked-${after}`)}'>more</button><script>`,
      ),
    });
    await using bench = await openUsual(1, 'click');
    expect(paths(await bench.capture(site.url(`/click-${after}`)), 'anchor')).toContain(`/clicked-${after}`);
  });

  test('after a scroll are found', async () => {
    site.add({
      '/scrolls': script(
        `document.body.insertAdjacentHTML("beforeend","<div style='height:4000px'></div><p id=end>end</p>");let n=0;
        new IntersectionObserver(es=>es.some(e=>e.isIntersecting)&&n<2&&fetch("/data?after=3000&link=/scrolled-"+n++).then(r=>r.text()).then(t=>{add(t);document.body.insertAdjacentHTML("beforeend","<div style='height:4000px'></div>");document.body.append(document.querySelector("#end"))})).observe(document.querySelector("#end"))`,
      ),
    });
    await using bench = await openUsual(1);
    expect(paths(await bench.capture(site.url('/scrolls')), 'anchor')).toEqual([
      '/first',
      '/scrolled-0',
      '/scrolled-1',
    ]);
  });
});

describe('what is never answered', () => {
  const LIMIT = seconds(4);
  const SHORT = { workers: 1, settleTimeout: LIMIT, pageTimeout: seconds(20) };
  const hanging = { '/hanging.js': () => {}, '/never': () => {} };

  test.each([
    ['a long poll', 'fetch("/never").then(()=>add("/no"));setTimeout(()=>add("/t2000"),2000)'],
    [
      'a script',
      'const s=document.createElement("script");s.src="/hanging.js";document.head.append(s);setTimeout(()=>add("/t2000"),2000)',
    ],
  ])('%s is waited for by two pages, named by them, and no longer by the third', async (_what, code) => {
    await using own = await FixtureServer.open({ ...hanging, '/waits': script(code) });
    await using bench = await openBench(SHORT);
    for (const number of [1, 2, 3]) {
      const captured = await bench.capture(own.url(`/waits?page=${number}`));
      expect(paths(captured, 'anchor')).toEqual(['/first', '/t2000']);
      expect(captured.settle.reason).toBe(number < 3 ? 'timeout' : 'quiet');
      expect(captured.settle.pending).toHaveLength(1);
      if (number < 3) expect(captured.timing.total).toBeGreaterThanOrEqual(LIMIT - 100);
      else expect(captured.timing.total).toBeLessThan(LIMIT - 100);
    }
    expect(bench.renderer.stats().pagesReplaced).toBe(0);
  });

  test('one operation of an address says nothing about the others', async () => {
    const code = ask('Wait', '/no') + ask('Slow', '/gql-slow');
    await using own = await FixtureServer.open({
      '/graphql': graphql,
      '/waits': script(code),
      '/other': script(ask('Slow', '/gql-other')),
    });
    await using bench = await openBench({ ...SHORT, settleTimeout: seconds(5) });
    for (const number of [1, 2, 3]) {
      const captured = await bench.capture(own.url(`/waits?page=${number}`));
      expect(paths(captured, 'anchor')).toEqual(['/first', '/gql-slow']);
    }
    expect(paths(await bench.capture(own.url('/other')), 'anchor')).toEqual(['/first', '/gql-other']);
  });
});

test('a page that only waits gives its place to others', async () => {
  let open = 0;
  let most = 0;
  let allAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (allAsked = resolve));
  await using own = await FixtureServer.open({
    '/slow': (_request, response) => {
      open += 1;
      most = Math.max(most, open);
      if (open === 4) allAsked();
      // if one visit waited for another, the last would never send its request
      Promise.race([asked, wait(8000)])
        .then(() => response.end('/came'))
        .catch(() => {})
        .finally(() => (open -= 1));
    },
  });
  for (let number = 0; number < 4; number++)
    own.add({ [`/waits/${number}`]: script('fetch("/slow").then(r=>r.text()).then(add)') });
  await using bench = await openUsual(1);
  const visits = Array.from({ length: 4 }, (_, number) => bench.capture(own.url(`/waits/${number}`)));
  for (const captured of await Promise.all(visits)) expect(paths(captured, 'anchor')).toEqual(['/came', '/first']);
  expect(most).toBe(4);
});
