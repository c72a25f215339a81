// Measures the cost of a rendered page: CPU milliseconds (node and all browser processes; node's part includes the server) and
// pages per second, for a static page of 60 links and for an application that builds them from an API answer.
// Usage: node test/bench/page.mjs [pages] [workers] [folder of the build]
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { openBenchRenderer } from './bench-renderer.mjs';
import { cpuBelow } from './process-tree.mjs';

const [pages = '100', workers = '3', build = 'dist'] = process.argv.slice(2);

const LINKS = Array.from(
  { length: 60 },
  (_, n) => `<li><a href="/item/${n}">Item number ${n}</a> with some words</li>`,
);
const PAGES = {
  '/static': `<!doctype html><title>static</title><h1>Sixty links</h1><ul>${LINKS.join('')}</ul>`,
  '/app': `<!doctype html><title>app</title><div id=root></div><script src=/app.js></script>`,
  '/app.js': `fetch('/api').then(r=>r.json()).then(items=>{document.getElementById('root').innerHTML='<ul>'+items.join('')+'</ul>'})`,
};
const TYPES = { '/app.js': 'text/javascript', '/api': 'application/json' };
const server = createServer((request, response) => {
  const path = request.url.split('?')[0];
  response.setHeader('content-type', TYPES[path] ?? 'text/html');
  if (path === '/api') setTimeout(() => response.end(JSON.stringify(LINKS)), 30);
  else response.end(PAGES[path] ?? '');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const base = `http://127.0.0.1:${server.address().port}`;

const { signal } = new AbortController();
const renderer = await openBenchRenderer(build, { settings: { workers: Number(workers) } });

async function run(path, count) {
  let next = 0;
  const latencies = [];
  const worker = async () => {
    while (next < count) {
      const url = `${base}${path}?${next++}`;
      const started = performance.now();
      const outcome = await renderer.render({ url, host: base, leasedAt: Date.now() }, signal);
      latencies.push(performance.now() - started);
      const links = outcome.page?.foundLinks.filter(({ kind }) => kind === 'anchor').length;
      if (links !== LINKS.length) throw new Error(`${url}: ${links} links, ${JSON.stringify(outcome).slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(workers) }, worker));
  return latencies.sort((a, b) => a - b)[latencies.length >> 1];
}

for (const path of ['/static', '/app', '/static', '/app']) {
  await run(path, 20);
  const before = {
    browser: cpuBelow(renderer.stats().browserPid),
    node: process.cpuUsage(),
    wall: performance.now(),
  };
  const median = await run(path, Number(pages));
  const node = process.cpuUsage(before.node);
  const browser = cpuBelow(renderer.stats().browserPid) - before.browser;
  const wall = performance.now() - before.wall;
  const each = (value) => (value / Number(pages)).toFixed(1);
  console.log(
    `${path}: ${each(browser + (node.user + node.system) / 1000)} ms CPU a page (browser ${each(browser)}, node ` +
      `${each((node.user + node.system) / 1000)}), ${((Number(pages) * 1000) / wall).toFixed(1)} pages/s, ` +
      `median ${median.toFixed(0)} ms, load average ${loadavg()[0].toFixed(1)}`,
  );
}
await renderer[Symbol.asyncDispose]();
server.close();
