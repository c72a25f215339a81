/** The seccomp profile of the container: a list of allowed calls. test/docker/run and test/docker/syscalls show which calls it needs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly args?: readonly { readonly index: number; readonly value: number; readonly op: string }[];
}

const profile = JSON.parse(readFileSync(new URL('../../../browsers/seccomp.json', import.meta.url), 'utf8')) as {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly architectures: readonly string[];
  readonly syscalls: readonly Rule[];
};
const names = profile.syscalls.flatMap((rule) => rule.names);
const rulesOf = (name: string): readonly Rule[] => profile.syscalls.filter((rule) => rule.names.includes(name));

describe('the seccomp profile of the container', () => {
  it('refuses what it does not name, as a kernel does that does not know it', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(profile.defaultErrnoRet).toBe(38); // ENOSYS: glibc and Chromium then use the older call
    expect(profile.syscalls.map(({ action }) => action)).toEqual(profile.syscalls.map(() => 'SCMP_ACT_ALLOW'));
  });

  it('is for the 64-bit calls of the machines that Chromium is packed for', () => {
    expect(profile.architectures).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64']);
  });

  it('names no system call twice', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each([
    ...[
      'mount',
      'umount2',
      'pivot_root',
      'fsopen',
      'fsmount',
      'move_mount',
      'open_tree',
      'mount_setattr',
      'mknod',
      'mknodat',
    ],
    ...['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd', 'process_madvise'],
    ...['bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'vmsplice'],
    ...[
      'add_key',
      'keyctl',
      'request_key',
      'init_module',
      'finit_module',
      'delete_module',
      'kexec_load',
      'kexec_file_load',
    ],
    ...[
      'reboot',
      'swapon',
      'acct',
      'settimeofday',
      'clock_settime',
      'adjtimex',
      'sethostname',
      'setdomainname',
      'syslog',
    ],
    ...[
      'open_by_handle_at',
      'name_to_handle_at',
      'fanotify_init',
      'quotactl',
      'iopl',
      'ioperm',
      'modify_ldt',
      'personality',
    ],
    'clone3', // has its flags in memory, which no filter sees; glibc then uses clone
  ])('does not allow %s', (name) => {
    expect(names).not.toContain(name);
  });

  it.each(['clone', 'unshare'])('allows %s the namespaces of the sandbox, and no others', (name) => {
    const others = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000; // sched.h: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC
    expect(rulesOf(name).map(({ args }) => args)).toEqual([
      [{ index: 0, value: others, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
    ]);
  });

  it('allows no sockets to the host of a virtual machine', () => {
    expect(rulesOf('socket').map(({ args }) => args)).toEqual([[{ index: 0, value: 40, op: 'SCMP_CMP_NE' }]]);
  });
});
