// Measures CPU and memory of a program and all its descendants. With a control group (cgroup v1 cpuacct or v2, as root)
// the group's account covers every process, also those that lived between two samples; else the samples of process-tree.mjs count.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { loadavg } from 'node:os';

import { watchTree } from '../process-tree.mjs';

/** Reading /proc costs some milliseconds of a core; CPU from the account needs no samples, memory and shares need few. */
const SAMPLE_EVERY = 500;

const ACCOUNTS = [
  { parent: '/sys/fs/cgroup/cpuacct', file: 'cpuacct.usage', seconds: (text) => Number(text) / 1e9 },
  {
    parent: '/sys/fs/cgroup',
    file: 'cpu.stat',
    seconds: (text) => Number(/^usage_usec (\d+)$/m.exec(text)?.[1]) / 1e6,
  },
];

/** @returns {{ processes: string, seconds: () => number, close: () => void } | null} null if no control group can be made */
export function openAccount() {
  for (const { parent, file, seconds } of ACCOUNTS) {
    const folder = `${parent}/orbweaver-bench-${process.pid}-${Date.now()}`;
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    const read = () => seconds(readFileSync(`${folder}/${file}`, 'utf8'));
    const close = () => {
      endAll(`${folder}/cgroup.procs`);
      try {
        rmdirSync(folder);
      } catch {
        // one of its processes is just ending; an empty group costs nothing
      }
    };
    try {
      if (Number.isFinite(read())) return { processes: `${folder}/cgroup.procs`, seconds: read, close };
    } catch {
      // not a control group of this kind
    }
    close();
  }
  return null;
}

/** Kills the processes that an aborted program has left behind. */
function endAll(list) {
  try {
    for (const pid of readFileSync(list, 'utf8').split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  } catch {
    // no process is left
  }
}

export const cpuFrom = () => {
  const account = openAccount();
  account?.close();
  return account === null ? 'samples of /proc' : 'control group';
};

/**
 * Starts a program under watch.
 * `reading()` returns the CPU used so far, in seconds by kind of process, `memory()` the current memory, in kB; `ended`
 * resolves with exit code and peak.
 */
export function startMeasured(args, { timeout, environment }) {
  const account = openAccount();
  // The shell enters the group and then becomes the program, so the group accounts for all of it.
  const command = account === null ? [process.execPath, ...args] : ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"'];
  const [program, ...rest] = account === null ? command : [...command, account.processes, process.execPath, ...args];
  const load = loadavg()[0];
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...environment } });
  let complaints = '';
  child.stderr.on('data', (data) => (complaints = (complaints + data).slice(-2000)));
  const tree = watchTree(child.pid);
  const sampler = setInterval(() => tree.sample(), SAMPLE_EVERY);
  const limit = setTimeout(() => child.kill('SIGKILL'), timeout);
  const reading = () => {
    tree.sample();
    const { seconds } = tree.result();
    const sampled = Object.values(seconds).reduce((sum, one) => sum + one, 0);
    const total = account === null ? sampled : account.seconds();
    // A process that lived and ended between two samples was a renderer.
    return { at: performance.now(), total, node: seconds.node, redis: seconds.redis, load: loadavg()[0] };
  };
  const ended = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearInterval(sampler);
      clearTimeout(limit);
      const whole = account === null ? null : account.seconds();
      account?.close();
      resolve({ code: code ?? signal, complaints, whole, peak: tree.result().peak, load });
    });
  });
  return { reading, memory: () => tree.memory(), ended };
}
