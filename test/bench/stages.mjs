// Splits the processor time of a rendered page into stages. Browser: the renderer alone, one page at a time, with its control group read at
// each change of stage. Node: a profile of the main thread of a whole crawl, each sample assigned to the stage of its innermost module; other
// threads and Redis from the process table. README.md beside it describes the figures. Linux only, as root (control groups).
// Usage: node test/bench/stages.mjs [--families a,b,…] [--pages 60] [--warm 20] [--crawl-pages 160] [--build <dist>] [--only browser|node]
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { moduleOf, openBenchRenderer, visitMaker } from './bench-renderer.mjs';
import { processesBelow, watchTree } from './process-tree.mjs';
import { openAccount } from './render/meter.mjs';

const { values: options } = parseArgs({
  options: {
    families: { type: 'string', default: 'a,b,c,d,e,f,g' },
    pages: { type: 'string', default: '60' },
    warm: { type: 'string', default: '20' },
    'crawl-pages': { type: 'string', default: '160' },
    build: { type: 'string', default: 'dist' },
    only: { type: 'string' },
  },
});
const { build } = options;
const [pages, warm, crawlPages] = [options.pages, options.warm, options['crawl-pages']].map(Number);
const SIZE = 1000;
const RUN_LIMIT = 240_000;
const never = new AbortController().signal;

/** Stages of a browser visit. */
const BROWSER_STAGES = [
  'navigation',
  'idle',
  'frames',
  'reading',
  'longer wait',
  'scroll',
  'end of visit',
  'between visits',
];

/** Accounts of a visit: CPU of browser and node since the last change of stage goes to the stage that ends. */
class Stages {
  #at = 'between visits';
  #last;
  #reading;
  used = new Map();

  constructor(reading) {
    this.#reading = reading;
    this.#last = reading();
  }

  enter(stage) {
    const now = this.#reading();
    const sums = this.used.get(this.#at) ?? { browser: 0, node: 0 };
    sums.browser += now.browser - this.#last.browser;
    sums.node += now.node - this.#last.node;
    this.used.set(this.#at, sums);
    this.#last = now;
    const before = this.#at;
    this.#at = stage;
    return before;
  }

  async within(stage, work) {
    const before = this.enter(stage);
    try {
      return await work();
    } finally {
      this.enter(before);
    }
  }
}

/** The account of warm-up pages: never reported. */
const UNTOLD = new Stages(() => ({ browser: 0, node: 0 }));
let current = UNTOLD;

/** Reports the begin and end of the renderer's methods to the stages; a method called by another one belongs to the outer one. */
async function watchStages(stages) {
  const classOf = async (path, name) => (await moduleOf(build, path))[name].prototype;
  const wait = await classOf('src/render/idle/virtual-idle-wait.js', 'VirtualIdleWait');
  const guard = await classOf('src/render/extract/hang-guard.js', 'HangGuard');
  const visit = await classOf('src/render/rendered-visit.js', 'RenderedVisit');
  let inner = false;
  let guarded = 0;
  const watch = (prototype, method, stageOf) => {
    const original = prototype[method];
    prototype[method] = async function watched(...given) {
      if (inner) return original.apply(this, given);
      inner = true;
      try {
        return await stages.within(stageOf(), () => original.apply(this, given));
      } finally {
        inner = false;
      }
    };
  };
  watch(wait, 'waitForIdle', () => 'idle');
  for (const method of ['draw', 'more', 'animate', 'pass', 'show']) watch(wait, method, () => 'frames');
  watch(guard, 'collect', () => 'reading');
  // a page that runs scripts is guarded twice: during its extra time, and during the scroll
  watch(guard, 'orStop', () => (guarded++ === 0 ? 'longer wait' : 'scroll'));
  const finish = visit.finish;
  visit.finish = function finished(...given) {
    guarded = 0;
    return stages.within('end of visit', () => finish.apply(this, given));
  };
}

async function browserStages(origin, family) {
  const { openEgress } = await moduleOf(build, 'src/egress/open-egress.js');
  const { silentLog } = await moduleOf(build, 'src/base/log.js');
  const account = openAccount();
  if (account === null) throw new Error('stages.mjs needs a control group: run it as root, on Linux');
  const grants = [{ cidr: '127.0.0.1', port: Number(new URL(origin).port) }];
  const egress = await openEgress(
    { grants, closedPorts: [], connectTimeout: 5000, resolveTimeout: 5000 },
    { log: silentLog },
  );
  const renderer = await openBenchRenderer(build, { egress });
  const visitOf = await visitMaker(build);
  try {
    const reading = () => {
      const { user, system } = process.cpuUsage();
      return { browser: account.seconds() * 1000, node: (user + system) / 1000 };
    };
    const visit = async (page) => {
      const outcome = await renderer.render(visitOf(`${origin}/${family}/${SIZE}/p/${page}`), never);
      if (outcome.kind !== 'captured') throw new Error(JSON.stringify(outcome).slice(0, 300));
    };
    await visit(0);
    for (const pid of processesBelow(renderer.stats().browserPid)) writeFileSync(account.processes, String(pid));
    for (let page = 1; page < warm; page++) await visit(page);
    const stages = new Stages(reading);
    current = stages;
    for (let page = warm; page < warm + pages; page++) await stages.within('navigation', () => visit(page));
    stages.enter('between visits');
    return stages.used;
  } finally {
    current = UNTOLD;
    await renderer[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
    account.close();
  }
}

/** Stages of node by the module of a sample or of its callers: the first match counts. */
const NODE_STAGES = [
  ['page set-up', /render\/(page\/warm-page|page-contexts|pool-slot|browser-pool|live-browser)|playwright/],
  ['navigation', /render\/(page\/(navigate|document-interceptor|fulfil-request|held-request)|visit-page|hooks\/)/],
  ['idle', /render\/idle\//],
  ['scroll', /render\/interact\//],
  ['reading', /render\/(extract|page|rendered-visit|details)/],
  ['protocol', /browsers\/protocol/],
  ['proxy', /src\/egress\//],
  ['judging links', /pipeline\/(outgoing-links|discover-links|url-hashes)|core\/(links|url|scope|robots)|model\/url/],
  [
    'text and fingerprint',
    /pipeline\/(page-text|duplicates|novelty)|core\/(fingerprint|text|folding)|src\/(dedup|offload)\//,
  ],
  ['snapshot', /crawl-folder\/(snapshot|page-files)|src\/warc\//],
  ['journal', /crawl-folder\/|journal-pump|graph|base\/safe-json/],
  ['Redis and queue', /frontier\/|ioredis|bullmq|src\/redis\/|msgpackr|dispatch\//],
  ['robots and politeness', /fetch\/|undici/],
  ['pipeline', /pipeline\//],
];

function stageOfStack(stack) {
  for (const url of stack) {
    if (!url.startsWith('file:') && !url.includes('/')) continue;
    const found = NODE_STAGES.find(([, pattern]) => pattern.test(url));
    if (found !== undefined) return found[0];
  }
  return stack.some((url) => url.startsWith('node:')) ? 'node itself (streams, files, timers)' : 'the rest';
}

/** Milliseconds of the main thread by stage, from a profile without its first `skip` microseconds. */
function stagesOfProfile({ nodes, samples, timeDeltas }, skip) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const stages = new Map();
  const kept = new Map();
  const stageOf = (id) => {
    if (kept.has(id)) return kept.get(id);
    const { functionName } = byId.get(id).callFrame;
    let stage = null;
    if (functionName === '(garbage collector)') stage = 'garbage';
    else if (functionName === '(program)') stage = 'node itself (streams, files, timers)';
    else if (functionName !== '(idle)') {
      const stack = [];
      for (let at = id; at !== undefined; at = parents.get(at)) stack.push(byId.get(at).callFrame.url);
      stage = stageOfStack(stack);
    }
    kept.set(id, stage);
    return stage;
  };
  let age = 0;
  samples.forEach((id, index) => {
    age += timeDeltas[index];
    const stage = stageOf(id);
    if (age < skip || stage === null) return;
    stages.set(stage, (stages.get(stage) ?? 0) + timeDeltas[index] / 1000);
  });
  return stages;
}

/** Profiles a whole crawl of a family: node's main thread by stage, its other threads, Redis; ms a page after the first pages. */
async function nodeStages(server, origin, family) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-stages-'));
  try {
    const marks = new Map();
    let started = 0;
    let tree = null;
    let child = null;
    const reading = () => {
      tree.sample();
      // proc(5): nanoseconds that the main thread has run
      const main = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
      return { at: performance.now() - started, main, ...tree.result().seconds };
    };
    server.on('message', (message) => message.kind === 'mark' && marks.set(message.pages, reading()));
    const watching = new Promise((done) => server.once('message', done));
    server.send({ prefix: `/${family}/${crawlPages}/p/`, marks: [warm, crawlPages] });
    await watching;
    const program = resolve(build, 'src/cli/main.js');
    const args = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', scratch, program, 'crawl'];
    const flags = ['--output', join(scratch, 'crawl'), '--render', 'always', '--no-progress', '--quiet'];
    child = spawn(process.execPath, [...args, `${origin}/${family}/${crawlPages}/`, ...flags], {
      stdio: 'ignore',
    });
    started = performance.now();
    tree = watchTree(child.pid);
    const limit = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT);
    const code = await new Promise((done) => child.once('exit', done));
    clearTimeout(limit);
    server.removeAllListeners('message');
    const [from, to] = [marks.get(warm), marks.get(crawlPages)];
    if (code !== 0 || to === undefined) throw new Error(`the crawl of ${family} ended with ${code}`);
    const [file] = readdirSync(scratch).filter((name) => name.endsWith('.cpuprofile'));
    const profile = JSON.parse(readFileSync(join(scratch, file), 'utf8'));
    const count = crawlPages - warm;
    const main = stagesOfProfile(profile, from.at * 1000);
    // samples follow the wall clock: if other processes use the processor, too, the thread waits in some of them
    const sampled = [...main.values()].reduce((sum, one) => sum + one, 0);
    const ofMain = ((to.main - from.main) * 1000) / count;
    const each = new Map([...main].map(([stage, spent]) => [stage, (spent / sampled) * ofMain]));
    const ofNode = ((to.node - from.node) * 1000) / count;
    each.set('other threads', Math.max(0, ofNode - ofMain));
    each.set('Redis', ((to.redis - from.redis) * 1000) / count);
    each.set('browser', ((to.browser - from.browser) * 1000) / count);
    return each;
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const number = (value) => (value === undefined ? '' : value.toFixed(value < 10 ? 1 : 0));

function table(title, stages, columns) {
  const header = [title, ...columns.map(([family]) => family)];
  const rows = stages.map((stage) => [stage, ...columns.map(([, each]) => number(each.get(stage)))]);
  const sums = ['sum', ...columns.map(([, each]) => number([...each.values()].reduce((sum, one) => sum + one, 0)))];
  return [header, header.map(() => '---'), ...rows, sums].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const server = fork(fileURLToPath(new URL('render/site.mjs', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const { origin } = await new Promise((done) => server.once('message', done));
const families = options.families.split(',');
if (options.only !== 'node') {
  await watchStages({ within: (stage, work) => current.within(stage, work) });
  const browser = [];
  const node = [];
  for (const family of families) {
    const used = await browserStages(origin, family);
    browser.push([family, new Map([...used].map(([stage, { browser: ms }]) => [stage, ms / pages]))]);
    node.push([family, new Map([...used].map(([stage, { node: ms }]) => [stage, ms / pages]))]);
  }
  console.log(`\n${table('browser, ms a page', BROWSER_STAGES, browser)}\n`);
  console.log(`${table('node in the renderer alone, ms a page', BROWSER_STAGES, node)}\n`);
}
if (options.only !== 'browser') {
  const columns = [];
  for (const family of families) columns.push([family, await nodeStages(server, origin, family)]);
  const known = [
    ...new Set([...NODE_STAGES.map(([name]) => name), ...columns.flatMap(([, each]) => [...each.keys()])]),
  ];
  console.log(`${table('whole crawl, ms a page', known, columns)}\n`);
}
const { model } = cpus()[0];
console.log(
  `${cpus().length} × ${model}, Node ${process.version}, ${pages} and ${crawlPages} pages, load ${loadavg()[0].toFixed(1)}`,
);
server.disconnect();
