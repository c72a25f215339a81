// Tests that a page does not cost more after thousands of others: one long crawl of family b in one browser, by stretches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startMeasured } from './meter.mjs';

const STRETCHES = 10;
const TIMEOUT = 1_800_000;

/** Prints CPU a page and memory for each stretch of the crawl. */
export async function drift({ server, siteOf, contestant, pages }) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const stretch = Math.max(1, Math.floor(pages / STRETCHES));
  try {
    const site = siteOf('b', pages, server);
    const { args, environment } = contestant.prepare(site, scratch);
    const marks = Array.from({ length: STRETCHES }, (_, n) => (n + 1) * stretch);
    let run = null;
    let last = null;
    process.stdout.write(
      '| pages | CPU ms/page | node | Redis | pages/s | node MB | browser MB | Redis MB | load |\n|---|---|---|---|---|---|---|---|---|\n',
    );
    await server.watch({ prefix: site.prefix, marks }, (count) => {
      const now = { ...run.reading(), memory: run.memory() };
      if (last !== null) {
        const each = (key) => (((now[key] - last[key]) * 1000) / stretch).toFixed(1);
        const speed = ((stretch * 1000) / (now.at - last.at)).toFixed(1);
        const mb = (group) => Math.round((now.memory[group] ?? 0) / 1024);
        process.stdout.write(
          `| ${count} | ${each('total')} | ${each('node')} | ${each('redis')} | ${speed} | ${mb('node')} | ${mb('browser')} | ${mb('redis')} | ${now.load.toFixed(1)} |\n`,
        );
      }
      last = now;
    });
    run = startMeasured(args, { timeout: TIMEOUT, environment });
    last = { ...run.reading(), memory: {} };
    const { code, complaints } = await run.ended;
    if (code !== 0) process.stdout.write(`the program ended with ${code}: ${complaints}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
