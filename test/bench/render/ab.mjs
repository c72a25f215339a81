// Compares builds of the renderer in one process, in turns over the pages of one family, to show the effect of a change. (sides.mjs)
// Usage: node test/bench/render/ab.mjs <dist>[@own|@riding|@adopted] <other dist>… [--families d] [--batch 40] [--rounds 4] [--workers 2]
// @own: contexts are made without Playwright; @riding, the default: by Playwright; @adopted: Playwright is also attached to each page all the time.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { compareSides } from './sides.mjs';

const { values: options, positionals: builds } = parseArgs({
  options: {
    families: { type: 'string', default: 'd' },
    batch: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '4' },
    workers: { type: 'string', default: '2' },
  },
  allowPositionals: true,
});

const server = fork(fileURLToPath(new URL('site.mjs', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const { origin } = await new Promise((done) => server.once('message', done));
const [batch, rounds, workers] = [options.batch, options.rounds, options.workers].map(Number);
for (const family of options.families.split(',')) {
  for (const side of await compareSides(builds, { origin, family, batch, rounds, workers })) {
    console.log(
      `${family} ${side.name}: ${side.cpu.toFixed(0)} ms CPU a page (browser ${side.browser.toFixed(0)}, node ${side.node.toFixed(0)}), ` +
        `${side.pagesPerSecond.toFixed(1)} pages/s, median visit ${side.latency.toFixed(0)} ms, ` +
        `first batch ${side.firstPagesPerSecond.toFixed(1)} pages/s, links ${side.found}/${side.expected}, load ${side.load.toFixed(1)}`,
    );
  }
}
server.disconnect();
