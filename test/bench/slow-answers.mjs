// Measures the cost of slow answers, and whether they lose links. Pages get their links by three requests, each answered after the same time;
// one site for each time. Crawls them with the built command as a user would. README.md describes the figures. Linux only.
// Usage: node test/bench/slow-answers.mjs [--times 200,1000,4000,8000] [--pages 40] [--workers 2] [--hosts 8] [--build dist]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMeasured } from './render/meter.mjs';

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '200,1000,4000,8000' },
    pages: { type: 'string', default: '40' },
    workers: { type: 'string', default: '2' },
    hosts: { type: 'string', default: '8' },
    build: { type: 'string', default: 'dist' },
  },
});
const PAGES = Number(options.pages);
const HOSTS = Number(options.hosts);
const ANSWERS = 3;
const LINKS = 5;
const LIMIT = 600_000;

/** A site on `hosts` addresses; each has its share of the pages. */
async function openSites(time) {
  const handler = (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const html = (body) => response.setHeader('content-type', 'text/html').end(body);
    if (url.pathname === '/') {
      const links = Array.from({ length: PAGES / HOSTS }, (_, page) => `<a href="/page/${page}">${page}</a>`);
      html(`<title>start</title>${links.join(' ')}`);
    } else if (url.pathname.startsWith('/page/')) {
      const page = url.pathname.slice(6);
      html(`<title>page ${page}</title><p>words of page ${page}</p><script>for(let n=0;n<${ANSWERS};n++)
        fetch('/api?page=${page}&part='+n).then(r=>r.json()).then(links=>{for(const u of links)
        document.body.insertAdjacentHTML('beforeend','<a href="'+u+'">'+u+'</a> ')})</script>`);
    } else if (url.pathname === '/api') {
      const name = `${url.searchParams.get('page')}-${url.searchParams.get('part')}`;
      const links = Array.from({ length: LINKS }, (_, link) => `/item/${name}-${link}`);
      void wait(time).then(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(links)));
    } else html('<title>item</title>');
  };
  const servers = await Promise.all(
    Array.from(
      { length: HOSTS },
      // politeness counts by address: each host gets its own
      (_, host) =>
        new Promise((done) => {
          const server = createServer(handler).listen(0, `127.0.0.${host + 2}`, () => done(server));
        }),
    ),
  );
  return {
    seeds: servers.map((server) => `http://${server.address().address}:${server.address().port}/`),
    close: () => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))),
  };
}

async function run(time) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const sites = await openSites(time);
  try {
    const folder = join(scratch, 'crawl');
    const program = resolve(options.build, 'src/cli/main.js');
    const flags = ['--render', 'always', '--depth', '1', '--workers', options.workers, '--no-progress', '--quiet'];
    const measured = startMeasured([program, 'crawl', ...sites.seeds, '--output', folder, ...flags], {
      timeout: LIMIT,
      environment: {},
    });
    const started = performance.now();
    const end = await measured.ended;
    const wall = (performance.now() - started) / 1000;
    const links = new Set(
      readFileSync(join(folder, 'links.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"anchor"') && line.includes('/item/'))
        .map((line) => JSON.parse(line).to),
    );
    return { time, found: links.size, wall, cpu: (end.whole * 1000) / PAGES, exit: end.code, load: end.load };
  } finally {
    await sites.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const expected = PAGES * ANSWERS * LINKS;
process.stdout.write(
  '| answers after | links | wall | pages/s | CPU a page, whole run | load before |\n|---|---|---|---|---|---|\n',
);
for (const time of options.times.split(',').map(Number)) {
  const { found, wall, cpu, exit, load } = await run(time);
  const rate = (PAGES / wall).toFixed(1);
  const row = [
    `${time} ms`,
    `${found} of ${expected}`,
    `${wall.toFixed(1)} s`,
    rate,
    `${cpu.toFixed(0)} ms`,
    load.toFixed(1),
  ];
  process.stdout.write(`| ${row.join(' | ')} |${exit === 0 ? '' : ` exit ${exit}`}\n`);
}
process.stdout.write(
  `\n${cpus().length} cores (${cpus()[0]?.model}), node ${process.version}, load at the end ${loadavg()[0].toFixed(1)}\n`,
);
