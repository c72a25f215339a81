// Measures the cost of an archive: crawls one site of rendered pages with sub-resources, in turns without snapshots, with html and
// text as files, and with --snapshot warc, and compares the CPU time of all processes of the program. Linux only.
// --together runs the three at the same time, so that other load on the machine affects all of them alike; --skip leaves out the
// CPU used until a crawl had requested that many pages (start of program and browser, code that is not compiled yet).
// Usage: node test/bench/archive.mjs [--pages 1000] [--rounds 3] [--build dist] [--together] [--skip 0]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { reapedSeconds, watchTree } from './process-tree.mjs';

const SAMPLE_EVERY = 200;

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    build: { type: 'string', default: 'dist' },
    together: { type: 'boolean', default: false },
    skip: { type: 'string', default: '0' },
  },
});
const pages = Number(options.pages);
const rounds = Number(options.rounds);
const skip = Number(options.skip);
const program = resolve(options.build, 'src/cli/main.js');
if (!existsSync(program) || !(pages >= 10) || !(rounds >= 1) || !(skip >= 0 && skip <= pages / 2)) {
  process.stderr.write(
    'Usage: node test/bench/archive.mjs [--pages <n>] [--rounds <n>] [--build <dist>] [--together] [--skip <pages, at most half>]\n' +
      `The program is expected at ${program}; build it with: node scripts/build.mjs\n`,
  );
  process.exit(2);
}

/** Every page is rendered in all three: an archive needs that. */
const KINDS = {
  none: ['--snapshot', 'none'],
  'html,text': ['--snapshot', 'html,text'],
  warc: ['--snapshot', 'warc'],
};

/** Bytes that are the same for the same name, and that do not compress. */
function noise(name, length) {
  const pieces = [];
  for (let size = 0; size < length; size += 64) pieces.push(createHash('sha512').update(`${name} ${size}`).digest());
  return Buffer.concat(pieces).subarray(0, length);
}

const WORDS = Array.from({ length: 2000 }, (_, index) =>
  noise(`word ${index}`, 4)
    .toString('hex')
    .slice(0, 3 + (index % 6)),
);

function prose(name, words) {
  const bytes = noise(name, words * 2);
  return Array.from({ length: words }, (_, index) => WORDS[bytes.readUInt16LE(index * 2) % WORDS.length]).join(' ');
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const STYLE = gzipSync(
  Array.from(
    { length: 600 },
    (_, index) => `.${WORDS[index]} { margin: ${index % 9}px; color: #${(index * 997) % 900}; }`,
  ).join('\n'),
);
const SCRIPT = gzipSync(`/* ${prose('script', 9000)} */\ndocument.documentElement.dataset.ran = 'yes';`);

/** A page of 12 KB of text, with two sheets, two scripts and four pictures that all pages share, and eight pictures of its own. */
function page(number) {
  const pictures = Array.from({ length: 12 }, (_, at) => (at < 4 ? `/shared-${at}.gif` : `/own-${number}-${at}.gif`));
  const links = Array.from({ length: 20 }, (_, at) => `<a href="/page-${(number * 20 + at + 1) % pages}">${at}</a>`);
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title>
<link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css"><script src="/a.js" defer></script><script src="/b.js" defer></script></head>
<body><h1>Page ${number}</h1>${pictures.map((src) => `<img src="${src}" width="64" height="48" alt="">`).join('')}
${Array.from({ length: 10 }, (_, at) => `<p>${prose(`${number} ${at}`, 180)}</p>`).join('\n')}
<nav>${links.join(' ')}</nav></body></html>`;
}

function answer(path) {
  const packed = { 'content-encoding': 'gzip' };
  if (/^\/(?:page-\d+)?$/.test(path)) {
    const number = Number(path.slice(6) || 0);
    return [{ ...packed, 'content-type': 'text/html; charset=utf-8' }, gzipSync(page(number))];
  }
  if (path.endsWith('.css')) return [{ ...packed, 'content-type': 'text/css' }, STYLE];
  if (path.endsWith('.js')) return [{ ...packed, 'content-type': 'text/javascript' }, SCRIPT];
  if (path.endsWith('.gif')) return [{ 'content-type': 'image/gif' }, Buffer.concat([PIXEL, noise(path, 8000)])];
  return [null, Buffer.from('not found')];
}

const answers = new Map();

/** @param onPage gets the number of page requests so far */
function serve(onPage) {
  let asked = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (!answers.has(path)) answers.set(path, answer(path));
    const [headers, body] = answers.get(path);
    if (/^\/(?:page-\d+)?$/.test(path)) onPage((asked += 1));
    response.writeHead(headers === null ? 404 : 200, headers ?? {});
    response.end(body);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function crawl(kind) {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-archive-'));
  const folder = join(scratch, 'crawl');
  let tree = null;
  let before = {}; // CPU used before the skipped pages is subtracted
  const server = await serve((asked) => {
    if (asked === skip) before = used(tree);
  });
  try {
    const load = loadavg()[0];
    const reapedBefore = reapedSeconds();
    const started = performance.now();
    const url = `http://127.0.0.1:${server.address().port}/`;
    const flags = ['--render', 'always', '--limit', String(pages), '--quiet', '--no-progress'];
    const child = spawn(process.execPath, [program, 'crawl', url, '-o', folder, ...flags, ...KINDS[kind]], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    tree = watchTree(child.pid);
    const timer = setInterval(() => tree.sample(), SAMPLE_EVERY);
    const code = await new Promise((done) => child.once('exit', (status, signal) => done(status ?? signal)));
    clearInterval(timer);
    const { seconds, peak } = tree.result();
    if (code !== 0) throw new Error(`the program ended with ${code}`);
    const visited = readFileSync(join(folder, 'pages.jsonl'), 'utf8').split('\n').length - 1;
    const aPage = (group) => ((seconds[group] - (before[group] ?? 0)) * 1000) / (visited - skip);
    const sampled = Object.keys(seconds).reduce((sum, group) => sum + aPage(group), 0);
    // CPU of processes that ended between two samples is known only for the whole run, and only if nothing runs beside it
    const reaped = options.together || skip > 0 ? 0 : ((reapedSeconds() - reapedBefore) * 1000) / visited;
    return {
      cpu: Math.max(sampled, reaped),
      node: aPage('node'),
      browser: aPage('browser'),
      wall: (performance.now() - started) / 1000,
      visited,
      pss: peak.pss / 1024,
      load,
      kept: kept(folder),
    };
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** CPU seconds so far, by group. */
function used(tree) {
  tree.sample();
  return tree.result().seconds;
}

/** Files and bytes of snapshots and archive; for an archive also the bytes that its revisits save. */
function kept(folder) {
  const files = ['snapshots', 'archive']
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, String(name))))
    .map((path) => statSync(path))
    .filter((stat) => stat.isFile());
  const size = files.reduce((sum, stat) => sum + stat.size, 0);
  const index = join(folder, 'archive', 'index.cdxj');
  const records = existsSync(index) ? readFileSync(index, 'utf8').trim().split('\n') : [];
  const places = records.map((line) => JSON.parse(line.slice(line.indexOf(' {'))));
  const stored = new Map(
    places.flatMap((each) => (each.mime === 'warc/revisit' ? [] : [[each.digest, Number(each.length)]])),
  );
  const revisits = places.filter(({ mime }) => mime === 'warc/revisit');
  const saved = revisits.reduce((sum, each) => sum + (stored.get(each.digest) ?? 0) - Number(each.length), 0);
  return { files: files.length, size, revisits: revisits.length, saved };
}

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];
const spread = (list, digits = 0) =>
  `${median(list).toFixed(digits)} (${Math.min(...list).toFixed(digits)} to ${Math.max(...list).toFixed(digits)})`;
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

const kinds = Object.keys(KINDS);
const runs = Object.fromEntries(kinds.map((kind) => [kind, []]));

function note(kind, run) {
  runs[kind].push(run);
  process.stderr.write(
    `${kind}: ${run.cpu.toFixed(1)} ms CPU a page, ${run.wall.toFixed(1)} s, load ${run.load.toFixed(1)}\n`,
  );
}

for (let round = 0; round < rounds; round += 1) {
  if (options.together) {
    const all = await Promise.all(kinds.map((kind) => crawl(kind)));
    all.forEach((run, index) => note(kinds[index], run));
  } else for (const kind of kinds) note(kind, await crawl(kind));
}

const of = (kind, field) => runs[kind].map((run) => run[field]);
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model} x ${cpus().length}, Node ${process.versions.node}; ${pages} pages, the first ${skip} not counted, ${rounds} rounds ${options.together ? 'side by side' : 'in turns'}\n\n` +
    '| snapshot | CPU a page, ms | node | browser | wall, s | peak PSS, MB | files | MB |\n|---|---|---|---|---|---|---|---|\n',
);
for (const kind of kinds) {
  const [{ kept: found }] = runs[kind];
  process.stdout.write(
    `| ${kind} | ${spread(of(kind, 'cpu'), 1)} | ${median(of(kind, 'node')).toFixed(1)} | ${median(of(kind, 'browser')).toFixed(1)} | ${spread(of(kind, 'wall'), 1)} | ${median(of(kind, 'pss')).toFixed(0)} | ${found.files} | ${megabytes(found.size)} |\n`,
  );
}
const [{ kept: archive }] = runs.warc;
/** Round by round, so that other load on the machine is in both figures. */
const over = (other) => runs.warc.map((run, round) => (run.cpu / runs[other][round].cpu - 1) * 100);
process.stdout.write(
  `\nwarc over none: ${spread(over('none'), 1)} % CPU; over html,text: ${spread(over('html,text'), 1)} %\n` +
    `${archive.revisits} revisits save ${megabytes(archive.saved)} MB of ${megabytes(archive.size + archive.saved)}\n` +
    `load before each run: ${spread(
      Object.values(runs)
        .flat()
        .map(({ load }) => load),
      1,
    )}\n`,
);
