// Measures the cost of reading pages in a thread beside the main loop. Crawls pages of one size without a browser, by two builds in turn:
// CPU milliseconds a page of the whole process, and the longest block of its main loop.
// Usage: node test/bench/offload.mjs [other build, default: this one] [pages] [rounds]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Bytes of a page: below the limit for offloading, above it, and far above it. */
const SIZES = [16 * 1024, 256 * 1024, 2 * 1024 * 1024];
const OWN = fileURLToPath(new URL('../../dist', import.meta.url));
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === '--crawl') await crawl(process.argv[3], process.argv[4], Number(process.argv[5]));
else await compare(resolve(process.argv[2] ?? OWN), Number(process.argv[3] ?? 60), Number(process.argv[4] ?? 5));

/** Runs one crawl in a process of its own, and prints its figures. */
async function crawl(build, seed, limit) {
  const { startCrawl } = await import(pathToFileURL(join(build, 'src/index.js')).href);
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-offload-'));
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const cpu = process.cpuUsage();
  delay.enable();
  const running = await startCrawl({ seeds: [seed], render: 'never', delay: 0, limit, output: join(folder, 'out') });
  const { totals } = await running.report();
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(
    `${JSON.stringify({ cpu: (user + system) / 1000 / totals.visited, block: delay.max / 1e6, pages: totals.visited })}\n`,
  );
  await rm(folder, { recursive: true, force: true });
}

function pageOf(size, number, pages) {
  const rows = [];
  for (let length = 0, row = 0; length < size; row += 1) {
    const words = Array.from({ length: 12 }, (_, word) => `w${(number * 7919 + row * 31 + word * 17) % 9973}`).join(
      ' ',
    );
    const to = row < 20 ? (number + row + 1) % pages : number;
    const text = `<p class="row-${row}"><a href="/${to}">Page ${to}</a> ${words}</p>\n`;
    rows.push(text);
    length += text.length;
  }
  return `<!doctype html><title>Page ${number}</title>\n${rows.join('')}`;
}

async function measured(build, seed, pages) {
  const child = spawn(process.execPath, [SELF, '--crawl', build, seed, String(pages)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await once(child, 'close');
  return JSON.parse(output.trim().split('\n').at(-1));
}

async function compare(other, pages, rounds) {
  for (const size of SIZES) {
    const bodies = Array.from({ length: pages }, (_, number) => pageOf(size, number, pages));
    const server = createServer((request, response) => {
      const body = bodies[Number(request.url.slice(1)) || 0];
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(request.url === '/robots.txt' ? '' : body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const seed = `http://127.0.0.1:${server.address().port}/`;
    const found = { [other]: [], [OWN]: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const build of Object.keys(found)) found[build].push(await measured(build, seed, pages));
    server.closeAllConnections();
    server.close();
    for (const [build, runs] of Object.entries(found)) {
      const cpu = runs.map((run) => run.cpu).sort((a, b) => a - b);
      const block = Math.max(...runs.map((run) => run.block));
      const median = cpu[cpu.length >> 1];
      console.log(
        `${String(size / 1024).padStart(5)} KiB  CPU ms a page: min ${cpu[0].toFixed(1)}, median ${median.toFixed(1)}  longest block ${block.toFixed(0)} ms  ${build}`,
      );
    }
  }
  console.log(`load ${loadavg()[0].toFixed(1)}`);
}
