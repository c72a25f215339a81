/** The browser's own network: its reachable and unreachable addresses, and that the network ends with the browser. */
import { ChildProcess, execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Server, type AddressInfo } from 'node:net';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { openNetworkNamespace } from '../../browsers/launch/network-namespace.ts';
import { createDisposal } from '../../src/base/disposal.ts';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import { launchContained } from '../../src/crawl/opening/launch-contained.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { openRawPage } from '../support/raw-page.ts';
import { until } from '../support/until.ts';

const environment = browserEnvironment(process.env, process.platform, homedir());
const { signal } = new AbortController();
const probe = await openNetworkNamespace(environment.variables, signal);
await probe?.[Symbol.asyncDispose]();
const ALLOWED = probe !== null;

const limits = { connectTimeout: seconds(5), resolveTimeout: seconds(5) };

/** Tries to connect to each address, and prints the addresses that accepted. */
const REACH = `const addresses = JSON.parse(process.argv[1]);
  const reached = ([host, port]) => new Promise((resolve) => {
    const socket = require('node:net').connect({ host, port, timeout: 2000 });
    socket.on('connect', () => { socket.destroy(); resolve([host, port]) });
    socket.on('error', () => resolve(null)).on('timeout', () => { socket.destroy(); resolve(null) });
  });
  Promise.all(addresses.map(reached)).then((all) => console.log(JSON.stringify(all.filter(Boolean))));`;

const networkOf = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/net`);

/** The network namespaces of all processes of this machine. */
function networks(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of readdirSync('/proc').filter((each) => Number(each) > 0)) {
    try {
      found.add(networkOf(Number(name)));
    } catch {
      // the process has ended
    }
  }
  return found;
}

/** Calls `act`, and `see` with each process that it starts. */
async function watchSpawned<T>(see: (spawned: ChildProcess) => void, act: () => Promise<T>): Promise<T> {
  const watch = (spawned: unknown): void => {
    if (!(spawned instanceof Object) || !('process' in spawned) || !(spawned.process instanceof ChildProcess)) return;
    see(spawned.process);
  };
  subscribe('child_process', watch);
  try {
    return await act();
  } finally {
    unsubscribe('child_process', watch);
  }
}

test.runIf(ALLOWED)('is given up, and the socket that comes all the same holds this process no longer', async () => {
  const giving = new AbortController();
  let listener: unknown = null;
  const opening = watchSpawned(
    (helper) =>
      helper.prependOnceListener('message', (_message, handle) => {
        listener = handle;
        giving.abort(new Error('given up'));
      }),
    () => openNetworkNamespace(environment.variables, giving.signal),
  );
  await expect(opening).rejects.toThrow('given up');
  expect(listener).toBeInstanceOf(Server);
  expect(listener).toHaveProperty('listening', false);
});

test.runIf(ALLOWED)(
  'a process in it reaches our listener, and no other port of this machine or of another, though its helper was killed',
  async () => {
    const canary = createServer((_request, response) => response.end('canary'));
    await new Promise<void>((resolve) => canary.listen(0, '0.0.0.0', resolve));
    try {
      const { port } = canary.address() as AddressInfo;
      const helpers: ChildProcess[] = [];
      const namespace = await watchSpawned(
        (helper) => helpers.push(helper),
        () => openNetworkNamespace(environment.variables, signal),
      );
      if (namespace === null) throw new Error('it could be made before');
      for (const helper of helpers) helper.kill('SIGKILL');
      await until(
        () => helpers.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null),
        'its end',
      );
      const [program, ...words] = namespace.enter;
      const own = Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).map(({ address }) => [address, port]),
      );
      const tried = [...own, ['127.0.0.1', port], ['::1', port], ['192.0.2.1', 80], ['127.0.0.1', namespace.port]];
      // namespace.port accepts, although nothing answers there in this test
      const command = [...words, process.execPath, '-e', REACH, JSON.stringify(tried)];
      const { stdout } = await promisify(execFile)(program, command);
      await namespace[Symbol.asyncDispose]();
      expect(JSON.parse(stdout)).toEqual([['127.0.0.1', namespace.port]]);
    } finally {
      canary.close();
    }
  },
);

test.runIf(ALLOWED)(
  'a browser in it loads pages through the proxy, is online and in its sandbox, and leaves nothing',
  async () => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<title>-</title><script>document.title = [navigator.onLine, crossOriginIsolated].join()</script>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    const egress = await openEgress(
      { grants: [{ cidr: '127.0.0.1', port }], closedPorts: [], ...limits },
      { log: silentLog },
    );
    const disposal = createDisposal();
    let network = '';
    try {
      const found = await findBrowser({ asked: null, environment }, signal);
      const launchOptions = { frameControl: true, extraFlags: [], sandbox: 'auto', log: silentLog } as const;
      const { browser } = await launchContained(found, { launchOptions, egress, disposal, ungated: false }, signal);
      const page = await openRawPage(browser);
      await page.goto(`http://127.0.0.1:${port}/`);
      expect(await page.evaluate('document.title')).toBe('true,false');
      expect(egress.counts().requests).toBeGreaterThan(0);
      const processes = await browser.processes();
      expect(processes.length).toBeGreaterThan(2);
      const own = networkOf('self');
      for (const pid of processes) expect(networkOf(pid)).not.toBe(own);
      network = networkOf(browser.pid ?? 0);
      const answers = await page.evaluate(UDP);
      expect(answers).toBe('');
      await browser.close();
    } finally {
      await disposal[Symbol.asyncDispose]();
      await egress[Symbol.asyncDispose]();
      await new Promise((resolve) => site.close(resolve));
    }
    expect(network).not.toBe('');
    await until(() => !networks().has(network), 'the end of the network');
  },
);

/** Addresses that WebRTC gathers in a page. */
const UDP = `new Promise((resolve) => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:9' }] });
  const found = [];
  peer.onicecandidate = ({ candidate }) => candidate === null ? resolve(found.join()) : found.push(candidate.candidate);
  peer.createDataChannel('c');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  setTimeout(() => resolve(found.join()), 2000);
})`;

test('it is none where the programs for it are not there', async () => {
  expect(await openNetworkNamespace({ ...environment.variables, PATH: '/nowhere' }, signal)).toBeNull();
});

test('a browser without one starts in the network of the machine', async () => {
  const egress = await openEgress({ grants: [], closedPorts: [], ...limits }, { log: silentLog });
  const disposal = createDisposal();
  const refusing = await mkdtemp(join(tmpdir(), 'orbweaver-refusing-'));
  try {
    await writeFile(join(refusing, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const found = await findBrowser({ asked: null, environment }, signal);
    if (found.kind !== 'executable') throw new Error('this test wants a browser of its own');
    const bare = { ...found, variables: { ...found.variables, PATH: `${refusing}:${environment.path}` } };
    const launchOptions = { frameControl: true, extraFlags: [], sandbox: 'auto', log: silentLog } as const;
    const { browser } = await launchContained(bare, { launchOptions, egress, disposal, ungated: false }, signal);
    const [pid = 0] = await browser.processes();
    expect(networkOf(pid)).toBe(networkOf('self'));
    await browser.close();
  } finally {
    await disposal[Symbol.asyncDispose]();
    await rm(refusing, { recursive: true });
    await egress[Symbol.asyncDispose]();
  }
});
