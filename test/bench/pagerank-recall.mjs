// Measures how many important pages are crawled early. Sites of 10,000 pages with power-law links are crawled by the real frontier, by the
// same frontier with its first credit rules (ended URLs count in full, lambda pays at an eighth of all credit), and
// breadth-first. Important is the top tenth by PageRank (damping 0.85) over the content links; the crawl also sees the
// navigation links. Nothing is rendered. Two ways to a power law:
//
//   zipf      the page of rank r (ranks drawn anew) is a target with probability r ^ -0.8; an earlier page links to each page, too
//   attached  six of ten links point to earlier link targets and the others anywhere, as in the simulation of
//             design/scheduling, "What lambda pays"; half of the pages link to the next one, as an archive does. Its early
//             pages are the important ones, which favours breadth-first
//
//     npm run build && npm run bench:recall-importance [-- <pages, default 10000> <seeds, default 3>]
import { seededRandom } from '../../dist/src/base/random.js';
import { breadthFirst, nullCrawl, startFrontiers, VARIANTS } from './null-crawl.mjs';

const PAGES = Number(process.argv[2] ?? 10_000);
const SEEDS = Number(process.argv[3] ?? 3);
const LINKS = 8;
const PATTERNS = 6;
const DAMPING = 0.85;
const ROUNDS = 60;
const BUDGETS = [0.1, 0.2];

function attached(random) {
  const bag = Array.from({ length: 50 }, (_, page) => page);
  return Array.from({ length: PAGES }, (_, page) => {
    const own = new Set();
    while (own.size < LINKS) {
      own.add(random() < 0.6 ? bag[Math.floor(random() * bag.length)] : Math.floor(random() * PAGES));
    }
    bag.push(...own);
    if (random() < 0.5 && page + 1 < PAGES) own.add(page + 1);
    return [...own];
  });
}

function zipf(random) {
  const sums = [];
  for (let rank = 1; rank <= PAGES; rank += 1) sums.push((sums.at(-1) ?? 0) + rank ** -0.8);
  const pages = Array.from({ length: PAGES }, (_, page) => [random(), page])
    .toSorted(([a], [b]) => a - b)
    .map(([, page]) => page);
  const draw = () => {
    const wanted = random() * sums.at(-1);
    let [low, high] = [0, PAGES - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return pages[low];
  };
  const targets = pages.map(() => {
    const own = new Set();
    while (own.size < LINKS) own.add(draw());
    return own;
  });
  for (let page = 1; page < PAGES; page += 1) targets[Math.floor(page * random())].add(page);
  return targets.map((own) => [...own]);
}

/** Page n belongs to host n modulo hosts; the navigation of a host links to the host's first pages. */
function site(targets, { hosts, navigation }) {
  const urlOf = (page) =>
    `https://site-${page % hosts}.example/${'abcdef'[Math.floor(page / hosts) % PATTERNS]}/${page}`;
  const links = new Map();
  for (const [page, own] of targets.entries()) {
    const menu = Array.from({ length: navigation }, (_, index) => (page % hosts) + index * hosts);
    const all = [...new Set([...menu, ...own])].filter((target) => target !== page);
    links.set(urlOf(page), all.map(urlOf));
  }
  return { urlOf, seeds: [urlOf(0)], linksOf: (url) => links.get(url) };
}

function topTenth(targets) {
  let ranks = targets.map(() => 1 / PAGES);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = targets.map(() => (1 - DAMPING) / PAGES);
    for (const [page, own] of targets.entries()) {
      for (const target of own) next[target] += (DAMPING * ranks[page]) / own.length;
    }
    ranks = next;
  }
  const order = targets.map((_, page) => page).toSorted((a, b) => ranks[b] - ranks[a]);
  return order.slice(0, PAGES / 10);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Recall of each order for each budget, in percent. */
async function recalls(frontiers, make, shape, seed) {
  const targets = make(seededRandom(seed));
  const given = site(targets, shape);
  const top = new Set(topTenth(targets).map(given.urlOf));
  const most = PAGES * Math.max(...BUDGETS);
  const orders = [breadthFirst(given, most)];
  for (const variant of ['product', 'reference']) {
    orders.push(await nullCrawl(await frontiers.open({ variant }), given, most));
  }
  return BUDGETS.map((share) =>
    orders.map((order) => (100 * order.slice(0, PAGES * share).filter((url) => top.has(url)).length) / top.size),
  );
}

const frontiers = await startFrontiers({ reference: VARIANTS.reference });
console.log('| links | hosts | navigation | budget | breadth-first | by credit | ahead by (least) | as at first |');
console.log('|---|---|---|---|---|---|---|---|');
for (const make of [zipf, attached]) {
  for (const shape of [1, 20].flatMap((hosts) => [8, 0].map((navigation) => ({ hosts, navigation })))) {
    const rows = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) rows.push(await recalls(frontiers, make, shape, seed));
    for (const [index, share] of BUDGETS.entries()) {
      const of = (order) => rows.map((row) => row[index][order]);
      const ahead = of(1).map((value, seed) => value - of(0)[seed]);
      const [breadth, credit, reference] = [0, 1, 2].map((order) => `${mean(of(order)).toFixed(1)} %`);
      const least = `${mean(ahead).toFixed(1)} (${Math.min(...ahead).toFixed(1)})`;
      const name = `${make.name} | ${shape.hosts} | ${shape.navigation} | ${100 * share} %`;
      console.log(`| ${name} | ${breadth} | ${credit} | ${least} | ${reference} |`);
    }
  }
}
await frontiers[Symbol.asyncDispose]();
