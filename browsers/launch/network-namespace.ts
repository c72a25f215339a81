/**
 * A network of the browser's own (Linux): a namespace that holds a loopback interface and nothing else. Whatever runs in it
 * reaches one port there, at which this process listens, and no other host, not even the loopback of this machine.
 *
 * A socket belongs to the namespace in which it was made, so a helper that is born there listens, and hands the listening socket over:
 * connections of the browser then come straight to this process, and no process copies their traffic. Afterwards this process keeps the
 * namespace alive by a descriptor: a further browser starts in it whatever was killed, and it ends with this process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { Server, type AddressInfo } from 'node:net';
import { withDeadline } from '../../src/base/deadline.ts';
import { seconds } from '../../src/base/units.ts';
import { inPath } from '../browser-places.mjs';

export interface NetworkNamespace extends AsyncDisposable {
  /** Listens in the namespace; its connections are for `Egress.serve`. */
  readonly listener: Server;
  /** Port of the listener on 127.0.0.1 in the namespace. */
  readonly port: number;
  /** Prefix of a command that is to run there: a program and its arguments. */
  readonly enter: readonly [string, ...string[]];
}

/** Limit for the start of two programs, which takes 0.1 s. */
const START_LIMIT = seconds(10);

/**
 * Brings loopback up (SIOCSIFFLAGS with IFF_UP and IFF_RUNNING, netdevice(7)), starts the command it is given, and stays until
 * its input ends, or it is killed. Descriptor 3 is the channel of that command, which has to close with it.
 */
const HOLDER = `use strict; use Socket;
socket(my $socket, AF_INET, SOCK_DGRAM, 0) or die "socket: $!\\n";
ioctl($socket, 0x8914, my $request = pack('a16 s x22', 'lo', 0x41)) or die "loopback: $!\\n";
my $pid = fork;
die "fork: $!\\n" if !defined $pid;
if ($pid == 0) { exec @ARGV or die "exec: $!\\n" }
if (open(my $channel, '<&=', 3)) { close $channel }
1 while sysread(STDIN, my $rest, 1024);`;

const LISTENER = `const server = require('node:net').createServer().listen(0, '127.0.0.1', () =>
  process.send({ port: server.address().port }, server, () => process.exit()));`;

/**
 * Makes a namespace where the kernel and the rights of this process allow it; null where they do not, or a program for it is
 * missing (`unshare` and `nsenter` of util-linux 2.36 or later, `perl`).
 * @param variables the environment that the browser is started with
 */
export async function openNetworkNamespace(
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<NetworkNamespace | null> {
  if (process.platform !== 'linux') return null;
  const path = variables['PATH'] ?? '';
  const [unshare, nsenter, perl] = [inPath(path, 'unshare'), inPath(path, 'nsenter'), inPath(path, 'perl')];
  if (unshare === null || nsenter === null || perl === null) return null;
  const asRoot = process.getuid?.() === 0;
  // another user gets the right to a network from a user namespace, in which the browser is the same user, without rights
  const rights = asRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const command = [perl, '-e', HOLDER, process.execPath, '-e', LISTENER];
  const holder = spawn(unshare, [...rights, '--net', '--', ...command], {
    cwd: '/',
    env: { PATH: path },
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    detached: true, // a Ctrl-C is for this process alone; it ends with us
  });
  const ended = new Promise<void>((resolve) => {
    holder.once('exit', () => resolve());
    holder.once('error', () => resolve());
  });
  const handed = handedOver(holder);
  try {
    const { listener, port } = await withDeadline(handed, 'the network namespace', START_LIMIT, signal);
    const kept = await keep(holder, asRoot ? ['net'] : ['net', 'user']);
    end(holder);
    await ended;
    const [net, user] = kept.map(({ fd }) => `/proc/${process.pid}/fd/${fd}`);
    const rightsThere = user === undefined ? [] : [`--user=${user}`, '--preserve-credentials'];
    return {
      listener,
      port,
      enter: [nsenter, ...rightsThere, `--net=${net}`, '--'],
      [Symbol.asyncDispose]: async () => {
        listener.close();
        await Promise.all(kept.map((file) => file.close()));
      },
    };
  } catch {
    // a socket that is under way comes all the same, and would hold this process
    handed.then(
      ({ listener }) => listener.close(),
      () => {},
    );
    end(holder);
    signal.throwIfAborted();
    return null;
  }
}

/** The listening socket that the helper made. @throws where the helper ends without one */
function handedOver(holder: ChildProcess): Promise<{ readonly listener: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('no network namespace'));
    holder.once('error', gone);
    holder.once('exit', gone);
    holder.once('disconnect', gone);
    holder.once('message', (_message, handle) => {
      if (!(handle instanceof Server)) return gone();
      resolve({ listener: handle, port: portOf(handle.address()) });
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  return address.port;
}

/** Descriptors of the helper's namespaces, which live on with them. */
function keep({ pid }: ChildProcess, kinds: readonly ('net' | 'user')[]): Promise<readonly FileHandle[]> {
  return Promise.all(kinds.map((kind) => open(`/proc/${pid}/ns/${kind}`)));
}

function end(holder: ChildProcess): void {
  holder.stdin?.on('error', () => {}).destroy();
  holder.kill('SIGKILL');
}
