// Crawls a generated site of 2,000 good pages (trap-world.mjs) with the built program, without a browser: once with a budget of 3,000 pages, once
// without a limit. Its navigation holds a calendar, filters, sessions, repeating paths and paths that answer anything.
// Usage: node test/bench/trap-site.mjs [--pages <n>] [--limit <n>] [--seeds <n>] [--no-echoes]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCrawl } from '../../dist/src/index.js';
import { trapWorld } from './trap-world.mjs';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    limit: { type: 'string', default: '3000' },
    seeds: { type: 'string', default: '1' },
    'no-echoes': { type: 'boolean', default: false },
  },
});

/** The result of a crawl of a world. */
async function crawl(world, limit) {
  const server = createServer((request, response) => {
    const { status, type, body } = world.answer(request.url);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const url = `http://127.0.0.1:${server.address().port}`;
  const output = mkdtempSync(join(tmpdir(), 'trap-site-'));
  const before = process.cpuUsage();
  const began = Date.now();
  try {
    const options = {
      seeds: [url],
      output,
      overwrite: true,
      render: 'never',
      delay: 0,
      snapshot: [],
      logLevel: 'info',
    };
    const running = await startCrawl(limit === null ? options : { ...options, limit });
    const report = await running.report();
    const lines = (name) =>
      readFileSync(join(output, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    const captured = new Set(
      lines('pages.jsonl').flatMap((page) => (page.outcome === 'captured' ? [page.url.slice(url.length)] : [])),
    );
    const missing = world.good.filter((path) => !captured.has(path));
    const { user, system } = process.cpuUsage(before);
    return {
      end: report.end,
      fetched: report.totals.visited + report.totals.failed,
      good: world.good.length - missing.length,
      held: lines('skipped.jsonl').filter(({ reason }) => reason === 'trap').length,
      probes: lines('log.jsonl').filter(({ event }) => event === 'soft-404 probe fetched').length,
      patterns: report.suspectedTraps.length,
      seconds: (Date.now() - began) / 1000,
      cpu: (user + system) / 1e6,
      missing,
    };
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(output, { recursive: true, force: true });
  }
}

console.log(`${cpus().length} cores, node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}`);
console.log(
  '| seed | what is not there | limit | end | fetched | good pages | share | others | URLs held back | patterns named | probes | s | CPU s (with the server) |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  for (const echoes of values['no-echoes'] ? [false] : [true, false]) {
    for (const limit of [Number(values.limit), null]) {
      const world = trapWorld({ pages: Number(values.pages), seed, echoes });
      const { end, fetched, good, held, probes, patterns, seconds, cpu, missing } = await crawl(world, limit);
      const share = ((good / world.good.length) * 100).toFixed(1);
      console.log(
        `| ${seed} | ${echoes ? 'echoed, 200' : '404'} | ${limit ?? 'none'} | ${end} | ${fetched} | ${good} | ${share} % | ${fetched - good} | ${held} | ${patterns} | ${probes} | ${seconds.toFixed(1)} | ${cpu.toFixed(1)} |`,
      );
      for (const path of missing.slice(0, 3)) console.error(`missing: ${path}`);
    }
  }
}
