/** An application of third-party libraries that requests one address for everything (fixtures/apps/one-address), crawled whole. */
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCrawl } from '../support/crawl-run.ts';

const WWW = fileURLToPath(new URL('../../fixtures/apps/one-address/www', import.meta.url));
const PRODUCTS = 8;

interface Operation {
  readonly operationName: string;
  readonly variables: { readonly id?: string };
}

/** The delay in milliseconds and the answer; null if the answer never comes. */
function answerOf({ operationName, variables: { id = '' } }: Operation): readonly [number, object] | null {
  switch (operationName) {
    case 'Viewer':
      return [20, { viewer: { name: 'Ada' } }];
    case 'Products':
      return [
        1500,
        { products: Array.from({ length: PRODUCTS }, (_, at) => ({ id: `${at + 1}`, title: `Product ${at + 1}` })) },
      ];
    case 'Product':
      return [200, { product: { id, title: `Product ${id}` } }];
    case 'Related':
      return [id === '3' ? 4000 : 1500, { related: [{ id, title: `Accessory of ${id}` }] }];
    default:
      return null;
  }
}

async function graphql(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- what the application sends
  const answer = answerOf(JSON.parse(await text(request)) as Operation);
  if (answer === null) return;
  const [after, data] = answer;
  await wait(after);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
}

async function openApplication(): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (request.method === 'POST') return void graphql(request, response).catch(() => response.destroy());
    const isFile = extname(path) !== '';
    if (isFile && !path.startsWith('/assets/')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': isFile ? 'text/javascript' : 'text/html; charset=utf-8' });
    createReadStream(join(WWW, isFile ? path : 'index.html')).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('an API of one address, with slow operations and one that never answers, loses no page', async () => {
  await using site = await openApplication();
  const { pages, report } = await runCrawl({ seeds: [`${site.origin}/`], delay: 0, settleTimeout: 6000 });
  const ids = Array.from({ length: PRODUCTS }, (_, at) => at + 1);
  const expected = ['/', ...ids.flatMap((id) => [`/product/${id}`, `/product/${id}/details`, `/accessory/${id}`])];
  const captured = pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => new URL(url).pathname);
  expect(captured.toSorted()).toEqual(expected.toSorted());
  // the first pages wait for the operation that never answers; that one alone is learnt
  expect(report.unanswered.count).toBeGreaterThan(0);
  expect(report.unanswered.count).toBeLessThan(captured.length);
  for (const { settle } of pages)
    expect(settle?.pending.filter((name) => !name.includes('/graphql')) ?? []).toEqual([]);
});
