// Tests that two builds write the same crawl folders: crawls every fixture site with each build, one page at a time, from the same
// origin, and compares all files: records line by line, snapshots byte for byte. Leaves out times, ids, versions
// and what depends on them. Lines may come in another order, which is reported: parallel requests answer in any order.
// Usage: node test/bench/same-crawls.mjs --before <dist> --after <dist> [--only <site,site>] [-- flags of crawl]
// Exit code 1 if a file differs. Neither build serves the sites: the server of the tests does.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveSite } from './serve-site.mjs';

const SITES = resolve(import.meta.dirname, '../../fixtures/sites');
/** Sites whose answers depend on time or chance: two crawls of the same build differ. */
const VARYING_SITES = new Set(['endless-poll', 'retry-after', 'crawl-delay', 'session-ids']);
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
/** Fields for times, durations and identities: their values are replaced by their names. */
const VARYING = new Set([
  'startedAt',
  'finishedAt',
  'started',
  'finished',
  'timing',
  'id',
  'versions',
  'at',
  'lastModified',
]);
const SHOWN = 3;

const split = process.argv.indexOf('--');
const crawlFlags = split === -1 ? [] : process.argv.slice(split + 1);
const { values: options } = parseArgs({
  args: split === -1 ? process.argv.slice(2) : process.argv.slice(2, split),
  options: { before: { type: 'string' }, after: { type: 'string' }, only: { type: 'string' } },
});
const builds = [options.before, options.after].map((dist) => resolve(dist ?? '', 'src/cli/main.js'));
if (options.before === undefined || options.after === undefined || !builds.every((file) => existsSync(file))) {
  process.stderr.write(
    'Usage: node test/bench/same-crawls.mjs --before <dist> --after <dist> [--only <sites>] [-- flags]\n',
  );
  process.exit(2);
}

/** The flags in a site's expectations. */
function flagsOf(site) {
  if (!existsSync(join(SITES, site, 'expected.json'))) return ['--explore', 'submit'];
  const { options: wanted = {} } = JSON.parse(readFileSync(join(SITES, site, 'expected.json'), 'utf8'));
  return Object.entries(wanted).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (value === true) return [`--${name}`];
    return value === false ? [`--no-${name}`] : values.flatMap((each) => [`--${name}`, String(each)]);
  });
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function crawl(program, url, folder, flags) {
  const fixed = ['--no-progress', '--quiet', '--delay', '0', '--workers', '1', '--host-concurrency', '1'];
  const child = spawn(process.execPath, [program, 'crawl', url, '-o', folder, ...fixed, ...flags, ...crawlFlags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return await new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
}

function masked(value, key = '') {
  if (VARYING.has(key)) return `<${key}>`;
  if (Array.isArray(value)) return value.map((each) => masked(each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, name)]));
}

/**
 * Every file of a crawl folder, by its path: JSON without what varies, anything else as it is. The log and the state are left out, and
 * the index of links, which is made of places in files whose lines hold times.
 */
function contents(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && !file.endsWith('log.jsonl') && !/[/](?:graph|state)[/]/.test(file));
  return new Map(
    files.map((file) => {
      const bytes = readFileSync(file, 'latin1').replaceAll(UUID, '<uuid>');
      const name = relative(folder, file);
      if (name.endsWith('.jsonl')) {
        const lines = bytes.split('\n').filter((line) => line !== '');
        return [name, lines.map((line) => JSON.stringify(masked(JSON.parse(line)))).join('\n')];
      }
      return [name, name.endsWith('.json') ? JSON.stringify(masked(JSON.parse(bytes)), null, 1) : bytes];
    }),
  );
}

/** @param reordered gets the names of files whose lines are in another order */
function differences(before, after, reordered) {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined) return [`${name}: only after`];
    if (now === undefined) return [`${name}: only before`];
    if (old === now) return [];
    const [lines, others] = [old.split('\n'), now.split('\n')];
    if (name.endsWith('.jsonl') && lines.toSorted().join('\n') === others.toSorted().join('\n')) {
      reordered.add(name);
      return [];
    }
    const at = Array.from({ length: Math.max(lines.length, others.length) }, (_, line) => line)
      .filter((line) => lines[line] !== others[line])
      .slice(0, SHOWN);
    return at.map(
      (line) => `${name}:${line + 1}\n  - ${lines[line]?.slice(0, 400)}\n  + ${others[line]?.slice(0, 400)}`,
    );
  });
}

/** Crawls a site with a build; with a new server each time, because some servers answer differently on the second request. */
async function crawled(program, site, port) {
  rmSync(folder, { recursive: true, force: true });
  const { url, stop } = await serveSite(site, port);
  try {
    const code = await crawl(program, url, folder, flagsOf(site));
    return new Map([...contents(folder), ['exit code', String(code)]]);
  } finally {
    await stop();
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-same-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
/** The same folder for both builds: crawl.json contains its name. */
const folder = join(scratch, 'crawl');
const wanted = options.only?.split(',');
const sites = readdirSync(SITES)
  .filter((site) => existsSync(join(SITES, site, 'expected.json')) || existsSync(join(SITES, site, 'recall.json')))
  .filter((site) => !VARYING_SITES.has(site))
  .filter((site) => wanted === undefined || wanted.includes(site));
let files = 0;
let differing = 0;
for (const site of sites) {
  const port = await freePort();
  const before = await crawled(builds[0], site, port);
  const after = await crawled(builds[1], site, port);
  const reordered = new Set();
  const found = differences(before, after, reordered);
  files += before.size;
  if (found.length > 0) differing += 1;
  const order = reordered.size === 0 ? '' : `, ${[...reordered].join(', ')} in another order`;
  console.log(`${found.length === 0 ? 'same' : 'DIFFERENT'}  ${site}  ${before.size} files${order}`);
  for (const line of found) console.log(line);
}
console.log(`${sites.length - differing} of ${sites.length} sites the same, ${files} files`);
process.exit(differing === 0 && files > 0 ? 0 : 1);
