/** Pages that the browser asks for ahead of a visit: the crawl visits them by itself. */
import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { openBench, paths } from '../render/render-bench.ts';

const RULES = JSON.stringify({
  prefetch: [{ source: 'list', urls: ['/speculated'], eagerness: 'immediate' }],
  prerender: [{ source: 'list', urls: ['/prerendered'], eagerness: 'immediate' }],
});

it('nothing is asked for ahead of its use, and the pages are links', async () => {
  await using site = await FixtureServer.open({});
  const script: Route = (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end();
  };
  site.add({
    '/': `<title>page</title><link rel=prefetch href=/ahead><link rel=prefetch as=document href=/document>
      <script type=speculationrules>${RULES}</script><link rel=preload as=script href=/part.js>
      <script>
        const last = Object.assign(document.createElement('link'), { rel: 'prefetch', href: '/last' });
        last.onload = () => document.body.insertAdjacentHTML('beforeend', '<p id=all>all</p>');
        onload = () => setTimeout(() => document.head.append(last), 300);
      </script>`,
    '/part.js': script,
  });
  const limits = { connectTimeout: seconds(5), resolveTimeout: seconds(5) };
  const grants = [{ cidr: '127.0.0.1', port: site.port }];
  await using egress = await openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog, recorder: null });
  await using bench = await openBench({ workers: 1, waitFor: '#all' }, { egress });
  const captured = await bench.capture(site.url('/'));
  expect(new Set(site.paths())).toEqual(new Set(['/', '/part.js']));
  expect(paths(captured, 'link-element')).toEqual(expect.arrayContaining(['/ahead', '/last']));
  expect(paths(captured, 'script')).toEqual(expect.arrayContaining(['/speculated', '/prerendered']));
});
