// Measures the share of a budget that a trap takes. Eight shapes of one site: 3,000 good pages under 6 URL patterns with power-law
// targets and 8 navigation links on every page, and a trap whose pages have 1, 30, 100 or 1,000 links to new ones, entered
// from one page or from the navigation; and 100 hosts of 100 pages with one link into the trap. Nothing is rendered. Each runs with credit
// paid to URL patterns, as in the product, and to pages, and each of these with and without the budgets of patterns.
//
//     npm run build && node test/bench/trap-share.mjs [fetches of one site, default 1200] [fetches of 100 hosts, default 4000] [seeds of
//     100 hosts, default 5]
import { seededRandom } from '../../dist/src/base/random.js';
import { nullCrawl, startFrontiers } from './null-crawl.mjs';

const ONE_SITE = Number(process.argv[2] ?? 1200);
const MANY_HOSTS = Number(process.argv[3] ?? 4000);
const SEEDS = Number(process.argv[4] ?? 5);

/** Share of fetches that went into the trap, in percent. */
async function trapShare(frontiers, { isTrap, fetches, ...site }, way) {
  const noveltyOf = (url) => (isTrap(url) ? 'known' : 'new');
  const visited = await nullCrawl(await frontiers.open(way), { ...site, noveltyOf }, fetches);
  return (100 * visited.filter(isTrap).length) / visited.length;
}

/** Makes trap pages with that many links to new ones, numbered without end. */
function trapLinks(branching, origin) {
  let made = 0;
  return () => Array.from({ length: branching }, () => `${origin}/trap/${(made += 1)}`);
}

function oneSite(branching, entry) {
  const random = seededRandom(1);
  const origin = 'https://site.example';
  const pages = Array.from({ length: 3000 }, (_, index) => `${origin}/${'abcdef'[index % 6]}/${index}`);
  const navigation = [...pages.slice(0, 8), ...(entry === 'navigation' ? [`${origin}/trap/0`] : [])];
  const more = trapLinks(branching, origin);
  const targets = pages.map(() => Array.from({ length: 12 }, () => pages[Math.floor(3000 * random() ** 3)]));
  // an earlier page links to every page
  for (let index = 8; index < 3000; index += 1) targets[Math.floor(index * random())].push(pages[index]);
  if (entry === 'one page') targets[0].push(`${origin}/trap/0`);
  return {
    seeds: [pages[0]],
    linksOf: (url) => [...navigation, ...(url.includes('/trap/') ? more() : targets[Number(url.split('/').pop())])],
    isTrap: (url) => url.includes('/trap/'),
    fetches: ONE_SITE,
  };
}

function manyHosts(branching, seed) {
  const random = seededRandom(seed);
  const page = (host, index) => `https://host-${host}.example/p/${index}`;
  const more = trapLinks(branching, 'https://trap.example');
  const targets = new Map();
  for (let host = 0; host < 100; host += 1) {
    for (let index = 0; index < 100; index += 1) {
      const links = Array.from({ length: 7 }, () =>
        random() < 0.8
          ? page(host, Math.floor(100 * random()))
          : page(Math.floor(100 * random()), Math.floor(100 * random())),
      );
      targets.set(page(host, index), links);
    }
    for (let index = 1; index < 100; index += 1)
      targets.get(page(host, Math.floor(index * random()))).push(page(host, index));
  }
  targets.get(page(0, 0)).push('https://trap.example/trap/0');
  return {
    seeds: Array.from({ length: 100 }, (_, host) => page(host, 0)),
    linksOf: (url) => targets.get(url) ?? more(),
    isTrap: (url) => url.startsWith('https://trap.example/'),
    fetches: MANY_HOSTS,
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const percent = (share) => `${share.toFixed(1)} %`;
const row = (name, shares) =>
  console.log(`| ${[name, ...shares.map((share) => share && percent(share))].join(' | ')} |`);

const WAYS = [
  ['patterns are paid, budgets', { variant: 'product', budgets: 'on' }],
  ['patterns are paid, no budgets', { variant: 'product', budgets: 'off' }],
  ['pages are paid, no budgets', { variant: 'pages', budgets: 'off' }],
];

const frontiers = await startFrontiers();
console.log('| trap | 1 new link a page | 30 | 100 | 1,000 |');
console.log('|---|---|---|---|---|');
for (const entry of ['one page', 'navigation']) {
  for (const [name, way] of WAYS) {
    const shares = [];
    for (const branching of [1, 30, 100, 1000]) shares.push(await trapShare(frontiers, oneSite(branching, entry), way));
    row(`one site, ${ONE_SITE} fetches, entered from ${entry}; ${name}`, shares);
  }
}
for (const [name, way] of WAYS) {
  const shares = ['', '', '', ''];
  for (const [index, branching] of [1, null, 100, 1000].entries()) {
    if (branching === null) continue;
    const own = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      own.push(await trapShare(frontiers, manyHosts(branching, seed), way));
    }
    shares[index] = median(own);
  }
  row(`100 hosts, ${MANY_HOSTS} fetches, median of ${SEEDS}; ${name}`, shares);
}
await frontiers[Symbol.asyncDispose]();
