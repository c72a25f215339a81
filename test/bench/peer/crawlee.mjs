// The peer: Crawlee's PlaywrightCrawler in its defaults, doing the like work: follow the links of the site, store title,
// text and html of each page on disk. Run by the benchmark; one argument, JSON: { seed, urls, follow, workers, executable,
// storage, result }.
import { writeFileSync } from 'node:fs';

import { Configuration, Dataset, KeyValueStore, LogLevel, PlaywrightCrawler, log } from '@crawlee/playwright';

const { urls, follow, workers, executable, storage, result } = JSON.parse(process.argv[2]);
log.setLevel(LogLevel.ERROR);
const config = new Configuration({
  persistStorage: true,
  purgeOnStart: true,
  storageClientOptions: { localDataDirectory: storage },
});
const dataset = await Dataset.open(undefined, { config });
const store = await KeyValueStore.open('pages', { config });
const found = {};
const failures = [];
let stored = 0;
/** Takes down what would be followed, and follows nothing. */
const noteOnly = (links) => (request) => {
  links.push(request.url);
  return false;
};

const crawler = new PlaywrightCrawler(
  {
    headless: true,
    minConcurrency: workers,
    maxConcurrency: workers,
    maxRequestRetries: 0,
    launchContext: { launchOptions: { executablePath: executable } },
    async requestHandler({ page, request, enqueueLinks }) {
      const links = (found[request.url] = []);
      const { processedRequests } = await enqueueLinks(follow ? {} : { transformRequestFunction: noteOnly(links) });
      links.push(...processedRequests.map(({ uniqueKey }) => uniqueKey));
      const [title, text, html] = [await page.title(), await page.innerText('body'), await page.content()];
      await dataset.pushData({ url: request.url, title, text, links });
      stored += 1;
      await store.setValue(`page-${stored}`, html, { contentType: 'text/html' });
    },
    failedRequestHandler({ request }, error) {
      failures.push(`${request.url}: ${error.message}`.slice(0, 200));
    },
  },
  config,
);
await crawler.run(urls);
writeFileSync(result, JSON.stringify({ found, failures }));
process.exit(0);
