/** The promises of ARCHITECTURE.md, "Safety of the renderer", checked from outside: by the browser's processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Egress } from '../../src/egress/egress.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

const ON_LINUX = process.platform === 'linux';

test.runIf(ON_LINUX)('pages of two registrable domains are in two renderer processes', async () => {
  await using site = await FixtureServer.open({ '/': '<title>t</title>' });
  await using bench = await openBench({ workers: 2 });
  await bench.capture(site.url('/', 'one.localhost'));
  const first = renderersOf(bench);
  expect(first).toHaveLength(1);
  await bench.capture(site.url('/', 'two.localhost'));
  const both = renderersOf(bench);
  expect(both).toHaveLength(2);
  expect(both).toContain(first[0]);
  await bench.capture(site.url('/', 'one.localhost'));
  expect(renderersOf(bench)).toEqual(both);
});

test.runIf(ON_LINUX)('the process of a domain ends when its page makes room for that of another', async () => {
  await using site = await FixtureServer.open({ '/': '<title>t</title>' });
  await using bench = await openBench({ workers: 1 }, { machineHasRoom: () => false });
  await bench.capture(site.url('/', 'one.localhost'));
  const before = renderersOf(bench);
  expect(before).toHaveLength(1);
  await bench.capture(site.url('/', 'two.localhost'));
  await expect.poll(() => renderersOf(bench).some((pid) => before.includes(pid))).toBe(false);
});

test.runIf(ON_LINUX)(
  'pages that rest beyond the slots go when the machine runs short of memory, also while nothing is visited',
  async () => {
    let machineHasRoom = true;
    await using site = await FixtureServer.open({ '/': '<title>t</title>' });
    await using bench = await openBench({ workers: 1 }, { machineHasRoom: () => machineHasRoom });
    for (const name of ['one', 'two', 'three']) await bench.capture(site.url('/', `${name}.localhost`));
    expect(renderersOf(bench)).toHaveLength(3);
    machineHasRoom = false;
    await expect.poll(() => renderersOf(bench).length).toBe(1);
  },
);

test.runIf(ON_LINUX)(
  'renderers are in the sandbox: no privileges, filtered system calls, their own process tree',
  async () => {
    await using site = await FixtureServer.open({ '/': '<title>t</title>' });
    await using bench = await openBench();
    await bench.capture(site.url('/'));
    const renderers = renderersOf(bench);
    expect(renderers).toHaveLength(1);
    for (const pid of renderers) {
      const status = statusOf(pid);
      expect(status).toMatchObject({ CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' });
      expect(status['Uid']?.split('\t')).not.toContain('0');
      expect(status['NSpid']?.split('\t').length).toBeGreaterThan(1);
    }
  },
);

function egressTo(site: FixtureServer): Promise<Egress> {
  const grants = [{ cidr: '127.0.0.1', port: site.port }];
  const limits = { connectTimeout: seconds(5), resolveTimeout: seconds(5) };
  return openEgress({ grants, closedPorts: [], ...limits }, { log: silentLog });
}

test.runIf(ON_LINUX)(
  'a browser ends with the process that sends its requests: a later one would not know the proxy any more',
  async () => {
    await using site = await FixtureServer.open({ '/': '<title>one</title>' });
    await using egress = await egressTo(site);
    await using bench = await openBench({ workers: 1 }, { egress });
    await bench.capture(site.url('/'));
    const before = bench.renderer.stats().browserPid;
    const [network = 0] = browserProcesses(bench).filter((pid) => kindOf(pid).endsWith('.NetworkService'));
    expect(network).toBeGreaterThan(0);
    process.kill(network, 'SIGKILL');
    await expect.poll(() => bench.renderer.stats().browserPid).not.toBe(before);
    expect((await bench.capture(site.url('/'))).title).toBe('one');
  },
);

test.runIf(ON_LINUX)(
  'what a browser gets when that process has ended, before this is noticed, is no answer of the site',
  async () => {
    await using site = await FixtureServer.open({ '/': '<title>one</title>' });
    await using egress = await egressTo(site);
    await using bench = await openBench({ workers: 1 }, { egress });
    const ends = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      await bench.capture(site.url('/'));
      const before = bench.renderer.stats().browserPid;
      for (const pid of browserProcesses(bench).filter((each) => kindOf(each).endsWith('.NetworkService')))
        process.kill(pid, 'SIGKILL');
      while (bench.renderer.stats().browserPid === before) ends.add((await bench.render(site.url('/'))).kind);
    }
    expect([...ends].filter((kind) => kind !== 'captured')).toEqual(['crashed']);
  },
);

/** Draws, plays, computes and frames in every way that uses a separate process. */
const BUSY = `<!doctype html><title>busy</title><canvas id="flat" width="50" height="50"></canvas><canvas id="deep"></canvas>
  <video src="/none.mp4"></video><audio src="/none.mp3"></audio><iframe src="/frame"></iframe>
  <svg><filter id="blur"><feGaussianBlur stdDeviation="2"/></filter></svg><p style="filter:url(#blur)">text</p>
  <p id="said"></p>
  <script>
    flat.getContext('2d').fillRect(0, 0, 20, 20);
    said.textContent = 'WebGL: ' + (deep.getContext('webgl2') !== null);
    new Worker(URL.createObjectURL(new Blob(['new OffscreenCanvas(9, 9).getContext("2d").fillRect(0, 0, 9, 9)'])));
    new AudioContext().createOscillator().start();
    speechSynthesis.getVoices();
    navigator.mediaDevices?.enumerateDevices();
    navigator.gpu?.requestAdapter();
  </script>`;

/** Processes without a filter, and why they may lack one: they handle no content of pages except the bytes in transfer. */
const UNFILTERED = [
  'main', // starts the others, and decides their rights
  'zygote', // forks renderers, which get their filter before they get a page
  'utility network.mojom.NetworkService', // Chromium has no filter for it on Linux
  'utility video_capture.mojom.VideoCaptureService', // lists cameras; pages get none
];

test.runIf(ON_LINUX)('no process that handles what pages hold goes without a system call filter', async () => {
  await using site = await FixtureServer.open({ '/': BUSY, '/frame': '<title>f</title>' });
  await using bench = await openBench({ screenshot: 'viewport' });
  const page = await bench.capture(site.url('/'));
  expect(page.text).toContain('WebGL: false');
  const all = browserProcesses(bench).map((pid) => ({ kind: kindOf(pid), status: statusOf(pid) }));
  expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['main', 'zygote', 'gpu-process', 'renderer']));
  const unfiltered = all.filter(({ status }) => status['Seccomp'] !== '2').map(({ kind }) => kind);
  expect(unfiltered.filter((kind) => !UNFILTERED.includes(kind))).toEqual([]);
  for (const { status, kind } of all) {
    expect(status['Uid']?.split('\t'), kind).not.toContain('0');
    // the sandbox's zygote has capabilities in its own user namespace, with which it isolates renderers
    if (kind !== 'zygote') expect(status['CapEff'], kind).toBe('0000000000000000');
  }
});

test('WebGL is there for who asks for it', async () => {
  await using site = await FixtureServer.open({ '/': BUSY, '/frame': '<title>f</title>' });
  await using bench = await openBench({}, { webgl: true });
  const page = await bench.capture(site.url('/'));
  expect(page.text).toContain('WebGL: true');
});

/** Process ids of the renderers below a bench's browser, in order. */
function renderersOf(bench: Bench): number[] {
  return browserProcesses(bench).filter((pid) => kindOf(pid) === 'renderer');
}

/** The browser's own name for the type of a process; for a utility also the service. */
function kindOf(pid: number): string {
  const line = textOf(`/proc/${pid}/cmdline`);
  const [, type = 'main'] = /--type=([a-z-]+)/.exec(line) ?? [];
  const [, service] = /--utility-sub-type=([\w.]+)/.exec(line) ?? [];
  return service === undefined ? type : `${type} ${service}`;
}

/** Process ids of a bench's browser, in order. */
function browserProcesses({ renderer }: Bench): number[] {
  const below = new Set([renderer.stats().browserPid]);
  // a child has a higher pid than its parent until pids wrap around: repeat until no more is found
  for (let known = 0; known !== below.size;) {
    known = below.size;
    for (const pid of processes()) if (below.has(Number(statusOf(pid)['PPid']))) below.add(pid);
  }
  return processes().filter((pid) => below.has(pid));
}

function processes(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = textOf(`/proc/${pid}/status`).split('\n');
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).trim()]));
}

/** Empty if the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
