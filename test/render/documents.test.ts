/** A document that was fetched before: the browser gets it, and the server gets no second request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { FetchedDocument } from '../../src/core/answers/fetched-document.ts';
import { answerHead } from '../../src/core/answers/judge-answer.ts';
import type { Page } from '../../src/model/page.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, visitOf, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/app.js': 'document.body.append(Object.assign(document.createElement("a"), {href: "/made", text: "made"}))',
    '/api': '["/from-api"]',
    '/cookies': (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>${request.headers.cookie ?? 'none'}</title>`);
    },
  });
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function documentOf(body: string | Uint8Array, headers: readonly (readonly [string, string])[] = []): FetchedDocument {
  const raw = [['Content-Type', 'text/html; charset=utf-8'] as const, ...headers];
  return {
    head: answerHead(
      200,
      raw.map(([name, value]) => ({ name, value })),
    ),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    truncated: null,
    startedAt: systemClock.now(),
    started: systemClock.monotonic(),
    answered: systemClock.monotonic(),
  };
}

async function show(path: string, document: FetchedDocument): Promise<Page> {
  const signal = new AbortController().signal;
  const outcome = await bench.renderer.renderDocument(visitOf(site.url(path)), document, signal);
  if (outcome.kind !== 'captured') throw new Error(`not captured: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

describe('a document that is handed over', () => {
  test('is not asked for again, and is at its own address', async () => {
    const page = await show('/one?x=1', documentOf('<title>one</title><a href="next">next</a>'));
    expect(page).toMatchObject({
      url: site.url('/one?x=1'),
      finalUrl: site.url('/one?x=1'),
      title: 'one',
      status: 200,
    });
    expect(page).toMatchObject({ rendered: true, bytes: 41, contentType: 'text/html' });
    expect(paths(page, 'anchor')).toEqual(['/next']);
    expect(site.paths()).not.toContain('/one?x=1');
  });

  test('runs its scripts, its timers and its requests', async () => {
    const page = await show(
      '/two',
      documentOf(`<body><script src="/app.js"></script><script>
        setTimeout(async () => {
          const [path] = await (await fetch('/api')).json();
          document.body.insertAdjacentHTML('beforeend', '<a href="' + path + '">api</a>');
        }, 2000);
      </script>`),
    );
    expect(paths(page, 'anchor')).toEqual(['/from-api', '/made']);
    expect(page.settle.reason).toBe('timer-drained');
    expect(site.paths().filter((path) => path === '/app.js' || path === '/api')).toEqual(['/app.js', '/api']);
  });

  test('is read in the character set that its headers name', async () => {
    const body = Buffer.concat([Buffer.from('<title>'), Buffer.from([0xe9, 0xea]), Buffer.from('</title>')]);
    const document = documentOf(body);
    const head = answerHead(200, [{ name: 'content-type', value: 'text/html; charset=windows-1251' }]);
    expect(await show('/three', { ...document, head })).toMatchObject({ title: 'йк' });
  });

  test('is a page where the last of its types says so', async () => {
    const types = ['application/octet-stream', 'text/html; charset=windows-1251'];
    const head = answerHead(
      200,
      types.map((value) => ({ name: 'content-type', value })),
    );
    const body = Buffer.concat([Buffer.from('<title>'), Buffer.from([0xe9]), Buffer.from('</title>')]);
    expect(await show('/twice', { ...documentOf(body), head })).toMatchObject({ title: 'й' });
  });

  test('is held to its content security policy', async () => {
    const policy = ['Content-Security-Policy', "default-src 'none'"] as const;
    const page = await show('/four', documentOf('<a href=/a>a</a><script src="/app.js"></script>', [policy]));
    expect(paths(page, 'anchor')).toEqual(['/a']);
  });

  test('sets its cookies', async () => {
    const headers = [['Set-Cookie', 'one=1; path=/'] as const, ['Set-Cookie', 'two=2; path=/'] as const];
    await show('/five', documentOf('<title>five</title>', headers));
    expect(await bench.capture(site.url('/cookies'))).toMatchObject({ title: 'one=1; two=2' });
  });

  test('that was compressed on its way is taken as it was decoded', async () => {
    const headers = [['Content-Encoding', 'gzip'] as const, ['Content-Length', '7'] as const];
    const page = await show('/six', documentOf('<title>whole</title><a href=/b>b</a>', headers));
    expect(page.title).toBe('whole');
    expect(page.headers).toContainEqual(['content-encoding', 'gzip']);
  });

  test('of some megabytes is handed over whole', async () => {
    // comments, because drawing that many paragraphs would dominate the test
    const filler = `<!--${'x'.repeat(992)}-->\n`.repeat(4_000);
    const page = await show('/seven', documentOf(`<title>large</title>${filler}<a href=/end>end</a>`));
    expect(paths(page, 'anchor')).toEqual(['/end']);
  });

  test('leaves the next visit to the browser', async () => {
    await show('/eight', documentOf('<title>eight</title>'));
    expect(await bench.capture(site.url('/cookies'))).toMatchObject({ contentType: 'text/html' });
    expect(site.paths()).not.toContain('/eight');
  });
});
