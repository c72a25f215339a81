// Measures the cost of each test file: processor seconds of vitest and all its descendants, and the number of browsers, commands and Redis
// servers started. Prints one line a file as it ends, then all of them ranked. Linux only.
//
//   node test/bench/test-costs.mjs [--beside 2] [--minutes 30] <files…>
//
// Wall-clock seconds mean little on a shared machine; these figures do. Processes are sampled every 200 ms: a shorter one is missed as
// a start, but its time counts in its parent's. No file starts after --minutes.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string', default: '2' }, minutes: { type: 'string', default: '30' } },
});
const TICKS_PER_SECOND = 100;
const end = Date.now() + Number(values.minutes) * 60_000;

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const field = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the first is field 3 of proc(5)
    return { pid, parent: Number(field[1]), ticks: Number(field[11]) + Number(field[12]), start: field[19] };
  } catch {
    return null; // the process has ended meanwhile
  }
}

/** The kind of start that a process counts as; null: none. */
function startOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const [program = '', ...args] = line.split('\0');
    // processes below a browser have a type; Chromium rewrites their command line, with spaces between the arguments
    if (/chrom|headless.shell/i.test(program)) return line.includes('--type=') ? 'part' : 'browsers';
    if (/redis-server|valkey-server/.test(program)) return 'redis';
    return program.endsWith('node') && args.some((arg) => arg.endsWith('/bin/orbweaver.js')) ? 'commands' : null;
  } catch {
    return null;
  }
}

const running = new Set();
/** A process once seen below a file stays with that file, even after its parent has ended. */
function sample() {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  for (const file of running) {
    const below = new Set([file.pid, ...file.alive]);
    for (let grew = true; grew;) {
      grew = false;
      for (const { pid, parent } of processes) {
        if (below.has(pid) || !below.has(parent)) continue;
        below.add(pid);
        grew = true;
      }
    }
    file.alive = new Set();
    for (const { pid, start, ticks } of processes) {
      if (!below.has(pid)) continue;
      file.alive.add(pid);
      const key = `${pid}/${start}`;
      // a child is a copy of its parent until it calls exec: read its kind again each time
      file.seen.set(key, { ticks, start: startOf(pid) ?? file.seen.get(key)?.start });
    }
  }
}
const sampler = setInterval(sample, 200);

function run(name) {
  const command = 'TIMEFORMAT="%U %S"; time node_modules/.bin/vitest run --reporter=minimal "$0" >&2';
  const child = spawn('bash', ['-c', command, name], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const file = { pid: child.pid, alive: new Set(), seen: new Map() };
  running.add(file);
  let printed = '';
  child.stderr.on('data', (data) => (printed = (printed + data).slice(-2000)));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      running.delete(file);
      const [user = 0, sys = 0] = printed.trimEnd().split('\n').at(-1).split(' ').map(Number);
      const all = [...file.seen.values()];
      const count = (kind) => all.filter(({ start }) => start === kind).length;
      // nobody reaps the children of a killed browser, and samples miss the end of a process: the larger sum counts
      const seen = all.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
      const starts = ['browsers', 'commands', 'redis'].map(count);
      resolve({ name, cpu: Math.max(user + sys, seen), starts, code });
    });
  });
}

const results = [];
const waiting = [...positionals];
const line = ({ name, cpu, starts, code }) =>
  `| ${name} | ${cpu.toFixed(1)} | ${starts.join(' | ')} |${code === 0 ? '' : ' FAILED'}`;
async function work() {
  while (waiting.length > 0 && Date.now() < end) {
    const result = await run(waiting.shift());
    results.push(result);
    console.log(line(result));
  }
}
await Promise.all(Array.from({ length: Number(values.beside) }, work));
clearInterval(sampler);
console.log('\n| file | CPU s | browsers | commands | Redis |\n|---|---|---|---|---|');
for (const result of results.toSorted((a, b) => b.cpu - a.cpu)) console.log(line(result));
if (waiting.length > 0) console.log(`not begun: ${waiting.length} files`);
