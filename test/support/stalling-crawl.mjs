// A program that crawls with an extension that blocks the main loop on one page: node stalling-crawl.mjs <seed> <folder> <how>
// how: `sync` blocks before the extension first waits, `async` after that
import { currentEnvironment } from '../../dist/src/crawl/crawl-environment.js';
import { resumeCrawl, startCrawl } from '../../dist/src/crawl/start-crawl.js';

const [, , seed, output, how] = process.argv;
const isSlow = (url) => url.endsWith('/slow.html');
const block = () => {
  process.stdout.write('blocking\n');
  for (;;);
};
const extension = {
  name: 'slow',
  discoverers: [
    { name: 'loop', accepts: () => true, discover: ({ url }) => (how === 'sync' && isSlow(url) ? block() : []) },
  ],
  processors: [
    {
      name: 'late',
      accepts: () => true,
      process: async ({ url }) => {
        await null;
        return how === 'async' && isSlow(url) ? block() : {};
      },
    },
  ],
};
const environment = { ...currentEnvironment(), ownsProcess: true };
const stop = new AbortController();
process.on('SIGINT', () => stop.abort());
const options = { render: 'never', delay: 0, extensions: [extension], signal: stop.signal };
const crawl =
  how === 'resume'
    ? await resumeCrawl(output, { extensions: [extension] }, environment)
    : await startCrawl({ ...options, seeds: [seed], output }, environment);
const { state, stalls } = await crawl.report();
process.stdout.write(`${JSON.stringify({ state, stalls })}\n`);
