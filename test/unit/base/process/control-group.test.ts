import { describe, expect, it } from 'vitest';
import {
  coresOfMax,
  coresOfQuota,
  groupChain,
  groupFolder,
  machineMemory,
  memoryInUse,
  memoryOfLimit,
  memoryStall,
} from '../../../../src/base/process/control-group.ts';
import { readMachineGrant } from '../../../../src/base/process/machine-grant.ts';

/** Texts as kernels write them: for a pod of Kubernetes, a container of Docker, and systemd on the machine itself. */
const POD = {
  own: '0::/\n',
  mounts: [
    '1010 996 0:54 / / rw,relatime master:309 - overlay overlay rw,lowerdir=/var/lib/containerd/1/fs',
    '1015 1014 0:30 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate,memory_recursiveprot',
  ].join('\n'),
};
const DOCKER_1 = {
  own: [
    '12:cpuset:/docker/9f0c',
    '9:memory:/docker/9f0c',
    '4:cpu,cpuacct:/docker/9f0c',
    '1:name=systemd:/docker/9f0c',
    '0::/system.slice/containerd.service',
  ].join('\n'),
  mounts: [
    '735 730 0:30 /docker/9f0c /sys/fs/cgroup/memory ro,nosuid,nodev,noexec,relatime master:15 - cgroup cgroup rw,memory',
    '736 730 0:31 /docker/9f0c /sys/fs/cgroup/cpu,cpuacct ro,nosuid,nodev,noexec,relatime master:16 - cgroup cgroup rw,cpu,cpuacct',
  ].join('\n'),
};
const SERVICE = {
  own: '0::/system.slice/crawl.slice/orbweaver.service\n',
  mounts: '35 24 0:30 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate',
};
const MEMINFO =
  'MemTotal:       65806292 kB\nMemFree:         1203336 kB\nMemAvailable:   48354720 kB\nBuffers: 12 kB\n';
const GIB = 1024 ** 3;

const filesOf =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string =>
    files[path] ?? '';

describe('a control group', () => {
  it('is found where it is mounted, in both versions', () => {
    expect(groupFolder(POD, 'memory', 2)).toBe('/sys/fs/cgroup/');
    expect(groupFolder(DOCKER_1, 'memory', 1)).toBe('/sys/fs/cgroup/memory');
    expect(groupFolder(DOCKER_1, 'cpu', 1)).toBe('/sys/fs/cgroup/cpu,cpuacct');
    expect(groupFolder(DOCKER_1, 'cpu', 2)).toBeNull();
  });

  it('lies in others, which limit it as well', () => {
    expect(groupChain(SERVICE, 'cpu', 2)).toEqual([
      '/sys/fs/cgroup/system.slice/crawl.slice/orbweaver.service',
      '/sys/fs/cgroup/system.slice/crawl.slice',
      '/sys/fs/cgroup/system.slice',
      '/sys/fs/cgroup',
    ]);
  });

  it('is that of the container where its own path is out of sight', () => {
    const hidden = { ...POD, own: '0::/../../kubepods.slice/pod1\n' };
    expect(groupFolder(hidden, 'cpu', 2)).toBeNull();
    expect(groupChain(hidden, 'cpu', 2)).toEqual(['/sys/fs/cgroup']);
    expect(groupChain({ own: '', mounts: '' }, 'cpu', 1)).toEqual([]);
  });

  it.each([
    ['max 100000\n', null],
    ['100000 100000\n', 1],
    ['150000 100000\n', 1.5],
    ['50000\n', 0.5],
    ['', null],
    ['rubbish', null],
  ])('grants by a cpu.max of %j %s cores', (text, cores) => {
    expect(coresOfMax(text)).toBe(cores);
  });

  it.each([
    ['-1\n', '100000\n', null],
    ['200000\n', '100000\n', 2],
    ['25000\n', '50000\n', 0.5],
    ['', '', null],
  ])('grants by a quota of %j in %j %s cores', (quota, period, cores) => {
    expect(coresOfQuota(quota, period)).toBe(cores);
  });

  it('says how much memory it grants, and how much of that cannot be had back', () => {
    expect(memoryOfLimit('max\n')).toBeNull();
    expect(memoryOfLimit('')).toBeNull();
    expect(memoryOfLimit('9223372036854771712\n')).toBeNull();
    expect(memoryOfLimit('2147483648\n')).toBe(2 * GIB);
    expect(memoryInUse('1000000\n', 'anon 1\nfile 2\ninactive_file 300000\nactive_file 9\n')).toBe(700_000);
    expect(memoryInUse('1000000\n', 'inactive_file 100\ntotal_inactive_file 400000\n')).toBe(600_000);
  });

  it('says how long others waited for memory', () => {
    const text =
      'some avg10=12.50 avg60=3.12 avg300=0.70 total=196270\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=64787\n';
    expect(memoryStall(text)).toBe(0.125);
    expect(memoryStall('')).toBeNull();
  });

  it('has a machine around it', () => {
    expect(machineMemory(MEMINFO)).toEqual({ used: (65806292 - 48354720) * 1024, limit: 65806292 * 1024 });
    expect(machineMemory('')).toBeNull();
  });
});

describe('what a process is granted', () => {
  it('is one core of 64 in a container that has one', () => {
    const read = filesOf({
      '/proc/self/cgroup': POD.own,
      '/proc/self/mountinfo': POD.mounts,
      '/proc/meminfo': MEMINFO,
      '/sys/fs/cgroup/cpu.max': '100000 100000\n',
      '/sys/fs/cgroup/memory.max': `${2 * GIB}\n`,
      '/sys/fs/cgroup/memory.current': `${GIB}\n`,
      '/sys/fs/cgroup/memory.stat': 'inactive_file 1024\n',
      '/sys/fs/cgroup/memory.pressure': 'some avg10=20.00 avg60=0.00 avg300=0.00 total=1\n',
    });
    const grant = readMachineGrant(read, 64);
    expect(grant.cores).toBe(1);
    expect(grant.memory()).toEqual({ used: GIB - 1024, limit: 2 * GIB, stall: 0.2 });
  });

  it('is the least that any group around it grants', () => {
    const slice = '/sys/fs/cgroup/system.slice/crawl.slice';
    const read = filesOf({
      '/proc/self/cgroup': SERVICE.own,
      '/proc/self/mountinfo': SERVICE.mounts,
      '/proc/meminfo': MEMINFO,
      [`${slice}/orbweaver.service/cpu.max`]: '800000 100000\n',
      [`${slice}/cpu.max`]: '250000 100000\n',
      [`${slice}/orbweaver.service/memory.max`]: `${8 * GIB}\n`,
      [`${slice}/orbweaver.service/memory.current`]: `${GIB}\n`,
      [`${slice}/memory.max`]: `${4 * GIB}\n`,
      [`${slice}/memory.current`]: `${3 * GIB}\n`,
    });
    const grant = readMachineGrant(read, 16);
    expect(grant.cores).toBe(2.5);
    expect(grant.memory()).toEqual({ used: 3 * GIB, limit: 4 * GIB, stall: null });
  });

  it('is read of version 1, too', () => {
    const read = filesOf({
      '/proc/self/cgroup': DOCKER_1.own,
      '/proc/self/mountinfo': DOCKER_1.mounts,
      '/proc/meminfo': MEMINFO,
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GIB}\n`,
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': '1000000\n',
      '/sys/fs/cgroup/memory/memory.stat': 'total_inactive_file 400000\n',
    });
    const grant = readMachineGrant(read, 64);
    expect(grant.cores).toBe(1.5);
    expect(grant.memory()).toEqual({ used: 600_000, limit: GIB, stall: null });
  });

  it('is of processors that have a name, which processes share that compete for them', () => {
    const nameOf = (files: Readonly<Record<string, string>>, cores = 8): string =>
      readMachineGrant(filesOf({ '/proc/sys/kernel/random/boot_id': 'a\n', ...files }), cores).processors;
    const bound = { '/proc/self/status': 'Cpus_allowed_list:\t0-3\n' };
    const service = { '/proc/self/cgroup': SERVICE.own, '/proc/self/mountinfo': SERVICE.mounts };
    const limit = { '/sys/fs/cgroup/system.slice/crawl.slice/cpu.max': '250000 100000\n' };
    const [whole, part, group] = [nameOf({}), nameOf(bound), nameOf({ ...service, ...limit })];
    expect(new Set([whole, part, group, nameOf({ '/proc/sys/kernel/random/boot_id': 'b\n' })]).size).toBe(4);
    expect(nameOf(service)).toBe(whole);
    expect(nameOf({ ...service, ...limit }, 2)).toBe(whole);
    expect(whole).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is the whole machine where there are no groups', () => {
    const grant = readMachineGrant(filesOf({ '/proc/meminfo': MEMINFO }), 8);
    expect(grant.cores).toBe(8);
    expect(grant.memory().limit).toBe(65806292 * 1024);
  });
});
