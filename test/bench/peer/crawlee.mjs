// The peers: Crawlee's PlaywrightCrawler, AdaptivePlaywrightCrawler and CheerioCrawler with their defaults, doing the same work: follow the
// links of the site, store title, text and html of each page on disk. The benchmark starts it with one argument, JSON: { crawler, urls, follow,
// workers, executable, storage, result }.
import { writeFileSync } from 'node:fs';

import { CheerioCrawler } from '@crawlee/cheerio';
import {
  AdaptivePlaywrightCrawler,
  Configuration,
  Dataset,
  KeyValueStore,
  LogLevel,
  PlaywrightCrawler,
  log,
} from '@crawlee/playwright';

const { crawler: kind, urls, follow, workers, executable, storage, result } = JSON.parse(process.argv[2]);
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
/** Records each link that would be followed, and follows none. */
const noteOnly = (links) => (request) => {
  links.push(request.url);
  return false;
};

const open = { pushData: (data) => dataset.pushData(data), getKeyValueStore: () => store };

/** @param storages of the crawler's context, for the crawler that wants all effects to go through it */
async function keep(request, enqueueLinks, { title, text, html }, storages = open) {
  const links = (found[request.url] = []);
  const added = await enqueueLinks(follow ? {} : { transformRequestFunction: noteOnly(links) });
  links.push(...(added?.processedRequests ?? []).map(({ uniqueKey }) => uniqueKey));
  await storages.pushData({ url: request.url, title, text, links });
  stored += 1;
  const pages = await storages.getKeyValueStore('pages');
  await pages.setValue(`page-${stored}`, html, { contentType: 'text/html' });
}

const ofMarkup = ($) => ({ title: $('title').text(), text: $('body').text(), html: $.html() });
const options = {
  minConcurrency: workers,
  maxConcurrency: workers,
  maxRequestRetries: 0,
  failedRequestHandler({ request }, error) {
    failures.push(`${request.url}: ${error.message}`.slice(0, 200));
  },
};
const inBrowser = { headless: true, launchContext: { launchOptions: { executablePath: executable } } };
const CRAWLERS = {
  playwright: () =>
    new PlaywrightCrawler(
      {
        ...options,
        ...inBrowser,
        async requestHandler({ page, request, enqueueLinks }) {
          const [title, text, html] = [await page.title(), await page.innerText('body'), await page.content()];
          await keep(request, enqueueLinks, { title, text, html });
        },
      },
      config,
    ),
  adaptive: () =>
    new AdaptivePlaywrightCrawler(
      {
        ...options,
        ...inBrowser,
        // no `page` here: the crawler has none when it reads over HTTP alone
        async requestHandler({ parseWithCheerio, request, enqueueLinks, pushData, getKeyValueStore }) {
          await keep(request, enqueueLinks, ofMarkup(await parseWithCheerio()), { pushData, getKeyValueStore });
        },
      },
      config,
    ),
  cheerio: () =>
    new CheerioCrawler(
      {
        ...options,
        async requestHandler({ $, request, enqueueLinks }) {
          await keep(request, enqueueLinks, ofMarkup($));
        },
      },
      config,
    ),
};

const crawler = CRAWLERS[kind]();
await crawler.run(urls);
const rendered = kind === 'adaptive' ? (crawler.stats.state.browserRequestHandlerRuns ?? null) : null;
writeFileSync(result, JSON.stringify({ found, failures, rendered }));
process.exit(0);
