/** The two ways in which the kernel limits a browser's memory: by a control group, and process by process. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { underMemoryLimit } from '../../browsers/launch/limit-memory.ts';
import { openMemoryCgroup } from '../../browsers/launch/memory-cgroup.ts';
import { mebibytes } from '../../src/base/units.ts';

const ON_LINUX = process.platform === 'linux';

/** Is there a control group that we may divide? On machines without one the limit is set process by process. */
async function hasGroups(): Promise<boolean> {
  const group = await openMemoryCgroup(mebibytes(64));
  await group?.remove();
  return group !== null;
}
const WITH_GROUPS = await hasGroups();

/** Prints the limit of its data segment, then allocates memory until it is refused. */
const TAKER = `
const { readFileSync } = require('node:fs');
console.log(/Max data size +(\\S+)/.exec(readFileSync('/proc/self/limits', 'utf8'))[1]);
const all = [];
for (let n = 0; n < 110; n++) all.push(Buffer.alloc(16 << 20, 1));
console.log('all');
`;

async function ran(start: Awaited<ReturnType<typeof underMemoryLimit>>): Promise<{ out: string; end: string }> {
  const child = spawn(start.path, ['-e', TAKER], {
    env: { ...start.environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = new Promise<string>((resolve) => child.once('close', (code, signal) => resolve(signal ?? String(code))));
  return { out: await text(child.stdout), end: await end };
}

const start = { path: process.execPath, flags: [], environment: { PATH: process.env['PATH'] ?? '' } };

describe.runIf(ON_LINUX && WITH_GROUPS)('a control group', () => {
  test('ends who takes more than it holds, counts that, and is removed', async () => {
    const limited = await underMemoryLimit(start, { tree: mebibytes(256), page: mebibytes(200) });
    const { group } = limited;
    if (group === null || group === undefined) return expect.unreachable();
    const { out, end } = await ran(limited);
    expect({ out, end }).toEqual({ out: 'unlimited\n', end: 'SIGKILL' });
    expect(group.kills()).toBe(1);
    expect(group.processes()).toEqual([]);
    await group.remove();
    await expect(readFile(group.entrance)).rejects.toThrow('ENOENT');
  });

  test('that a process left behind is removed by the next', async () => {
    const first = await openMemoryCgroup(mebibytes(64));
    if (first === null) return expect.unreachable();
    // no process has a number that high
    const left = join(first.entrance, '../..', 'orbweaver-4194305-1-1');
    await mkdir(left);
    const second = await openMemoryCgroup(mebibytes(64));
    await expect(readFile(join(left, 'cgroup.procs'))).rejects.toThrow('ENOENT');
    await expect(readFile(first.entrance, 'utf8')).resolves.toBe('');
    await Promise.all([first.remove(), second?.remove()]);
  });
});

describe.runIf(ON_LINUX)('process by process', () => {
  // 110 pieces of 16 MiB are more than the limit on a machine of up to a hundred cores
  test('nobody may write to more than an empty page and what a page may take', async () => {
    const limited = await underMemoryLimit(start, { tree: mebibytes(256), page: mebibytes(200), by: 'process' });
    expect(limited.group).toBeNull();
    const { out, end } = await ran(limited);
    const [limit, all] = out.split('\n');
    expect(Number(limit)).toBe(mebibytes(968 + 8 * availableParallelism()));
    // the process is refused memory and ends by itself
    expect(all).toBe('');
    expect(end).not.toBe('0');
  });

  test('a group that cannot be entered is no reason not to start', async () => {
    const { environment, ...limited } = await underMemoryLimit(start, {
      tree: mebibytes(256),
      page: mebibytes(200),
      by: 'process',
    });
    const nowhere = { ...environment, ORBWEAVER_MEMORY_GROUP: '/nowhere/cgroup.procs' };
    const { out } = await ran({ ...limited, environment: nowhere });
    expect(Number(out.split('\n')[0])).toBeGreaterThan(0);
  });

  test('no limit is asked for: nothing is changed', async () => {
    expect(await underMemoryLimit(start, null)).toBe(start);
  });
});

describe.runIf(ON_LINUX)('where the group lies', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'orbweaver-cgroup-'));
  });
  afterEach(async () => await rm(root, { recursive: true, force: true }));

  const second = (): string => `30 20 0:26 / ${root} rw - cgroup2 cgroup2 rw\n`;

  /** A folder as the kernel shows it, except that the kernel would fill it by itself. */
  async function folder(path: string, files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(root, path), { recursive: true });
    for (const [name, content] of Object.entries(files)) await writeFile(join(root, path, name), content);
  }

  test('version 2: not where the own group has processes, and its neighbours may not be limited', async () => {
    await folder('user/own', { 'cgroup.subtree_control': '', 'memory.max': 'max\n' });
    await folder('user', { 'cgroup.subtree_control': 'cpu pids\n' });
    expect(await openMemoryCgroup(mebibytes(64), { own: '0::/user/own\n', mounts: second() })).toBeNull();
  });

  test('not beside the own group where that has a limit: nobody gets out of it', async () => {
    await folder('user/own', { 'cgroup.subtree_control': '', 'memory.max': '1000000\n' });
    await folder('user', { 'cgroup.subtree_control': 'memory\n' });
    expect(await openMemoryCgroup(mebibytes(64), { own: '0::/user/own\n', mounts: second() })).toBeNull();
  });

  test('not where it is out of sight, or nothing is mounted', async () => {
    expect(await openMemoryCgroup(mebibytes(64), { own: '0::/../other\n', mounts: second() })).toBeNull();
    expect(await openMemoryCgroup(mebibytes(64), { own: '4:memory:/a\n', mounts: '' })).toBeNull();
    expect(await openMemoryCgroup(mebibytes(64), { own: '', mounts: second() })).toBeNull();
  });

  test('a folder that is no group is left as it was', async () => {
    await folder('own', { 'cgroup.subtree_control': 'memory\n' });
    expect(await openMemoryCgroup(mebibytes(64), { own: '0::/own\n', mounts: second() })).toBeNull();
  });
});
