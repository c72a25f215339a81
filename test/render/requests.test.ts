import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadsToPage } from '../../src/core/links/page-link.ts';
import type { Page } from '../../src/model/page.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const answer =
  (contentType: string, body: string): Route =>
  (_request, response: ServerResponse) => {
    response.setHeader('content-type', contentType);
    response.end(body);
  };
const js = (body: string): Route => answer('text/javascript', body);
const json = (value: unknown): Route => answer('application/json; charset=utf-8', JSON.stringify(value));
const page = (script: string, markup = ''): string =>
  `<!doctype html><title>t</title>${markup}<script type=module>${script}</script>`;

/** `context path` of the links of a kind. */
function told({ foundLinks }: Page, ...kinds: string[]): string[] {
  return foundLinks
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ context, href, base }) => {
      const url = new URL(href, base);
      return `${context} ${url.protocol.startsWith('ws') ? 'ws:' : ''}${url.pathname}${url.search}`;
    })
    .sort();
}

describe('what the scripts of a page ask for is recorded:', () => {
  test.each([
    ['fetch', 'fetch("/asked?x=1")', ['fetch /asked?x=1']],
    ['fetch by another method', 'fetch("/asked",{method:"PUT",body:"x"})', ['fetch PUT /asked']],
    ['XMLHttpRequest', 'const x=new XMLHttpRequest;x.open("GET","/asked");x.send()', ['xhr /asked']],
    ['an event stream', 'new EventSource("/stream")', ['eventsource /stream']],
    ['a socket', 'new WebSocket("ws://"+location.host+"/socket")', ['websocket ws:/socket']],
    ['a beacon', 'navigator.sendBeacon("/beacon","x")', ['beacon /beacon']],
    [
      'a worker and what it asks for',
      'new Worker("/w.js")',
      ['fetch /from-worker', 'import /imported.js', 'worker /w.js'],
    ],
    ['a worker that is a module', 'new Worker("/wm.js",{type:"module"})', ['import /module.js', 'worker /wm.js']],
    ['a shared worker', 'new SharedWorker("/shared.js")', ['worker /shared.js']],
    [
      'static and dynamic imports',
      'import "/module.js";import("/dynamic.js")',
      ['import /dynamic.js', 'import /module.js', 'import /nested.js'],
    ],
    ['a picture that is never shown', 'new Image().src="/pixel.png"', ['image /pixel.png']],
    ['both ends of a redirect', 'fetch("/moved")', ['fetch /asked', 'fetch /moved']],
    ['what is asked late', 'setTimeout(()=>fetch("/asked"),3000)', ['fetch /asked']],
    [
      'what a frame asks for',
      'const f=document.createElement("iframe");f.src="/frame";document.body.append(f)',
      ['fetch /from-frame'],
    ],
  ])('%s', async (name, script, expected) => {
    const path = `/p-${encodeURIComponent(name)}`;
    site.add({
      [path]: page(script, '<body>'),
      '/asked': json({}),
      '/stream': (_request, response) => {
        response.setHeader('content-type', 'text/event-stream');
        response.write('data: 1\n\n');
      },
      '/w.js': js('importScripts("/imported.js");fetch("/from-worker")'),
      '/wm.js': js('import "/module.js"'),
      '/shared.js': js(''),
      '/imported.js': js(''),
      '/module.js': js('export {}'),
      '/dynamic.js': js('import "/nested.js"'),
      '/nested.js': js(''),
      '/from-worker': json({}),
      '/from-frame': json({}),
      '/frame': '<!doctype html><script>fetch("/from-frame")</script>',
      '/moved': (_request, response) => {
        response.writeHead(302, { location: '/asked' });
        response.end();
      },
    });
    const captured = await bench.capture(site.url(path));
    expect(told(captured, 'request')).toEqual(expected);
    const requests = captured.foundLinks.filter(({ kind }) => kind === 'request');
    expect(requests.every((foundLink) => foundLink.confidence === 'high' && !leadsToPage(foundLink))).toBe(true);
  });
});

test('what a frame asks for names the frame', async () => {
  site.add({ '/of-frame': '<!doctype html><iframe src=/frame></iframe>' });
  const captured = await bench.capture(site.url('/of-frame'));
  const asked = captured.foundLinks.find(({ context }) => context === 'fetch');
  expect(asked?.frame).toBe(site.url('/frame'));
});

test('what the markup names is not told twice', async () => {
  const markup = '<body><script src=/classic.js></script><img src=/a.png><link rel=stylesheet href=/a.css>';
  site.add({
    '/markup': page('const s=document.createElement("script");s.src="/added.js";document.body.append(s)', markup),
    '/classic.js': js(''),
    '/added.js': js(''),
  });
  const captured = await bench.capture(site.url('/markup'));
  expect(told(captured, 'request')).toEqual([]);
  expect(told(captured, 'resource')).toEqual(
    expect.arrayContaining(['script/@src /added.js', 'script/@src /classic.js']),
  );
});

test('a page that was fetched is a speculative link, a piece of one is not', async () => {
  const asked = ['/whole', '/titled', '/fragment', '/drawing', '/gone-page'].map((path) => `fetch("${path}");`);
  site.add({
    '/pjax': page(`${asked.join('')}fetch("/posted",{method:"POST"})`),
    '/whole': '<!-- cached -->\n<!DOCTYPE html><p>page</p>',
    '/titled': '<title>page</title><p>page</p>',
    '/fragment': '<p>piece</p>',
    '/drawing': '<svg><title>a drawing</title></svg>',
    '/posted': '<!doctype html><p>page</p>',
  });
  const captured = await bench.capture(site.url('/pjax'));
  const speculativeLinks = captured.foundLinks.filter(({ kind }) => kind === 'script');
  expect(speculativeLinks.map(({ href, context, confidence }) => `${href} ${context} ${confidence}`).sort()).toEqual([
    `${site.url('/titled')} fetch low`,
    `${site.url('/whole')} fetch low`,
  ]);
  expect(told(captured, 'request')).toContain('fetch /fragment');
});

test('of an endless list of pieces the answers are not all read', async () => {
  const pieces = Array.from({ length: 30 }, (_, at) => `/piece-${at}`);
  site.add({ '/endless-pieces': page(pieces.map((path) => `fetch("${path}");`).join('')) });
  site.add(Object.fromEntries(pieces.map((path) => [path, '<!doctype html><p>page</p>'])));
  const captured = await bench.capture(site.url('/endless-pieces'));
  expect(captured.foundLinks.filter(({ kind }) => kind === 'request')).toHaveLength(30);
  expect(captured.foundLinks.filter(({ kind }) => kind === 'script').length).toBeLessThanOrEqual(4);
});

describe('what stands in the answers is recorded as speculative links:', () => {
  test('data, its own next page as a request', async () => {
    site.add({
      '/data-page': page('fetch("/items?page=1").then(r=>r.json())'),
      '/items': json({
        next: '/items?page=2',
        results: [{ url: '/item/one' }, { link: '/item/two' }],
        image: '/i.png',
      }),
    });
    const captured = await bench.capture(site.url('/data-page'));
    expect(told(captured, 'json')).toEqual(['json /item/one', 'json /item/two']);
    expect(told(captured, 'request')).toEqual(['fetch /items?page=1', 'json /items?page=2']);
    expect(captured.foundLinks.every(({ kind, confidence }) => kind !== 'json' || confidence === 'low')).toBe(true);
  });

  test('scripts, each once', async () => {
    site.add({
      '/literal-one': page('import "/routes.js"'),
      '/literal-two': page('import "/routes.js"'),
      '/routes.js': js('export const routes=["/route/one","/route/:id",`/route/two`]'),
    });
    expect(told(await bench.capture(site.url('/literal-one')), 'script')).toEqual([
      'literal /route/one',
      'literal /route/two',
    ]);
    expect(told(await bench.capture(site.url('/literal-two')), 'script')).toEqual([]);
  });

  test('the one script that a whole application was bundled into', async () => {
    site.add({
      '/bundled': page('import "/bundle.js"'),
      '/bundle.js': js(`${'var library = 1;'.repeat(100_000)}router.push("/route/last")`),
    });
    expect(told(await bench.capture(site.url('/bundled')), 'script')).toEqual(['literal /route/last']);
  });

  test('many long scripts as far as they are not too long together, and the page tells of the others', async () => {
    const names = [0, 1, 2, 3].map((name) => `/long-${name}.js`);
    const long = '//'.padEnd(4_000_000);
    site.add(Object.fromEntries(names.map((name) => [name, js(`go("${name}/x")${long}`)])));
    site.add({ '/long': page(names.map((name) => `import "${name}"`).join(';')) });
    const seen = await bench.capture(site.url('/long'));
    expect(told(seen, 'script')).toHaveLength(3);
    expect(seen.unreadAnswers?.join()).toMatch(
      /^scripts beyond 12,582,912 characters, the first is http:.*\/long-\d\.js$/,
    );
  });

  test('sheets of other origins', async () => {
    const far = `http://localhost:${site.port}`;
    site.add({
      '/styled': `<!doctype html><link rel=stylesheet href="${far}/far.css"><p>text`,
      '/far.css': answer('text/css', '@import "further.css";p{background:url(bg.png)}'),
      '/further.css': answer('text/css', 'p{cursor:url(c.cur),auto}'),
    });
    const captured = await bench.capture(site.url('/styled'));
    const css = captured.foundLinks
      .filter(({ kind }) => kind === 'css')
      .map(({ href, base }) => new URL(href, base).href);
    expect(css).toEqual(expect.arrayContaining([`${far}/further.css`, `${far}/bg.png`, `${far}/c.cur`]));
  });

  test('at most 20 answers and 50 scripts, and the page tells of the others', async () => {
    site.add({
      '/many-answers': page('for(let n=0;n<40;n++)fetch("/answer?n="+n);for(let n=0;n<51;n++)import("/part?n="+n)'),
      '/part': js('export default 1'),
      '/answer': (request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ url: `/from/answer-${new URL(request.url ?? '', 'http://x').searchParams.get('n')}` }),
        );
      },
    });
    const seen = await bench.capture(site.url('/many-answers'));
    expect(told(seen, 'json')).toHaveLength(20);
    expect(seen.unreadAnswers?.toSorted()).toEqual([
      expect.stringMatching(/^JSON beyond 20, the first is http:.*\/answer\?n=\d+$/),
      expect.stringMatching(/^scripts beyond 50, the first is http:.*\/part\?n=\d+$/),
    ]);
    expect(seen.foundLinksTotal).toBe(seen.foundLinks.length);
  });

  test('none that is too long, of which the page tells', async () => {
    site.add({
      '/long-answers': page(
        'fetch("/long-answer").then(()=>fetch("/long-answer"))',
        '<link rel=stylesheet href=/long.css><script src=/long.js></script>',
      ),
      '/long-answer': json({ url: '/from/long', rest: 'x'.repeat(1_048_576) }),
      '/long.js': js(`"/from/script";//${'x'.repeat(4_194_304)}`),
      '/long.css': answer('text/css', `a{background:url(/from/sheet)}/*${'x'.repeat(4_194_304)}*/`),
    });
    const captured = await bench.capture(site.url('/long-answers'));
    expect(told(captured, 'json', 'script', 'css')).toEqual([]);
    expect(captured.unreadAnswers?.toSorted()).toEqual([
      `links of a sheet (longer than 4,194,304 characters) ${site.url('/long.css')}`,
      `links of an answer (longer than 1,048,576 characters) ${site.url('/long-answer')}`,
      `links of an answer (longer than 4,194,304 characters) ${site.url('/long.js')}`,
    ]);
  });
});
