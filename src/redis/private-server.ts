/**
 * The Redis of one crawl: a redis-server on a Unix socket, its append-only file in the crawl's state folder.
 *
 * It ends with its owner: on request when disposed of; by the kernel (setpriv --pdeathsig) where the owner is killed; and the next owner of
 * the folder ends one that was left all the same. A server that is killed is started again over the same
 * files and on the same socket. Redis does not lock its folder, two servers would mix their files; so there is a lock file
 * of ours. Every acknowledged write survives a kill of either process
 * (design/reliability, "The private Redis"); a power loss costs the last second.
 */
import { performance } from 'node:perf_hooks';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDisposal, type Disposal } from '../base/disposal.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { lockFile } from '../base/process/lock-file.ts';
import { processIdentity } from '../base/process/process-identity.ts';
import { findProgram } from '../base/process/program.ts';
import { minutes, type Milliseconds } from '../base/units.ts';
import {
  briefClient,
  clearNote,
  endStaleServer,
  endServer,
  SERVER_NOTE,
  SOCKET_FOLDER,
  SOCKET_NAME,
  type ServerNote,
} from './stale-server.ts';

export interface PrivateRedis extends AsyncDisposable {
  /** Stays the same when the server is started again. */
  readonly socketPath: string;
  /** Of the server that runs now. */
  readonly pid: number;
  /** Resolves with the cause when the server has ended unasked and could not be started again. */
  readonly lost: Promise<CrawlError>;
}

interface PrivateRedisOptions {
  /** Made where it is missing, and left where it is; holds the append-only file. */
  readonly stateFolder: string;
  /** Folders to look for redis-server or valkey-server in, as in PATH. */
  readonly searchPath: string;
  readonly log: Log;
}

/** sun_path holds 108 bytes on Linux and 104 on macOS, with the zero at the end. */
const SOCKET_PATH_LIMIT = 103;
/** A server that answers nothing at all for so long is given up; while it loads its data it answers LOADING. */
const START_PATIENCE: Milliseconds = minutes(2);
const SERVER_LOG = 'redis.log';

/**
 * Limits up to which Redis keeps small collections packed (design/scheduling, "Memory of a URL"). The names
 * with `ziplist` are understood as aliases by all versions.
 */
export const PACKING = {
  'set-max-intset-entries': 16384,
  // a packed set of hosts is searched from end to end at every lease
  'zset-max-ziplist-entries': 128,
  'zset-max-ziplist-value': 1024,
  'hash-max-ziplist-entries': 512,
  'hash-max-ziplist-value': 1024,
} as const;

/**
 * Commands that the server does not know. A server runs the commands of an append-only file when it loads it, without asking whether a
 * client may: a file of another origin could load a module (code of its own), or write and send files elsewhere.
 */
const WITHHELD = ['MODULE', 'DEBUG', 'REPLICAOF', 'SLAVEOF', 'MIGRATE', 'SAVE', 'BGSAVE'] as const;

/**
 * Starts a private Redis, with the data that the folder holds.
 * @throws {CrawlError} REDIS_MISSING, OUTPUT_IN_USE, STATE_LOST where the data cannot be read, REDIS_UNREACHABLE where it
 * does not start for another cause; the signal's reason where that comes first
 */
export async function startPrivateRedis(options: PrivateRedisOptions, signal: AbortSignal): Promise<PrivateRedis> {
  const { searchPath, log } = options;
  const program = await findServer(searchPath);
  const disposal = createDisposal();
  try {
    await mkdir(options.stateFolder, { recursive: true, mode: 0o700 });
    const stateFolder = await realpath(options.stateFolder);
    disposal.use(await lockFile(join(stateFolder, 'lock')));
    await endStaleServer(stateFolder, log);
    signal.throwIfAborted();
    const place = { stateFolder, ...(await socketPlace(stateFolder)) };
    const { socketFolder } = place;
    if (socketFolder !== null) disposal.defer(() => rm(socketFolder, { recursive: true, force: true }));
    const guard = await findProgram(['setpriv'], searchPath);
    const commands = [...(guard === null ? [] : [[guard, '--pdeathsig', 'TERM', '--', program]]), [program]];
    return await SupervisedServer.start({ commands, place, log, disposal }, signal);
  } catch (error) {
    await disposal[Symbol.asyncDispose]();
    throw error;
  }
}

/** A server that is killed this often within the time is not started again: something kills it on purpose. */
const RESTARTS = 5;
const RESTART_WINDOW: Milliseconds = minutes(1);

interface Supervision {
  /** Tried in this order. */
  readonly commands: readonly (readonly string[])[];
  readonly place: Place;
  readonly log: Log;
  /** Closes the resources that were opened for the server. */
  readonly disposal: Disposal;
}

/** Starts a server again that has ended unasked. */
class SupervisedServer implements PrivateRedis {
  readonly lost: Promise<CrawlError>;
  readonly #parts: Supervision;
  readonly #closing = new AbortController();
  #server: Server;
  #watch: Promise<void>;

  constructor(parts: Supervision, server: Server) {
    this.#parts = parts;
    this.#server = server;
    let giveUp: (cause: CrawlError) => void = () => {};
    this.lost = new Promise((resolve) => (giveUp = resolve));
    this.#watch = this.#supervise(giveUp);
  }

  static async start(parts: Supervision, signal: AbortSignal): Promise<SupervisedServer> {
    return new SupervisedServer(parts, await launchFirst(parts, signal));
  }

  get socketPath(): string {
    return this.#server.note.socketPath;
  }

  get pid(): number {
    return this.#server.note.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the server is no longer needed'));
    await endServer(this.#server.note);
    await this.#watch;
    await clearNote(this.#parts.place.stateFolder, this.#server.note);
    await this.#parts.disposal[Symbol.asyncDispose]();
  }

  async #supervise(giveUp: (cause: CrawlError) => void): Promise<void> {
    const { place, log } = this.#parts;
    const restarts: number[] = [];
    for (;;) {
      await this.#server.ended;
      if (this.#closing.signal.aborted) return;
      const now = performance.now();
      restarts.push(now);
      if (restarts.filter((at) => now - at < RESTART_WINDOW).length > RESTARTS) {
        giveUp(
          new CrawlError(
            'REDIS_UNREACHABLE',
            `The private redis-server was ended ${restarts.length} times.\nIts log is ${join(place.stateFolder, SERVER_LOG)}.`,
          ),
        );
        return;
      }
      log.warn('private redis has ended and is started again', { pid: this.pid });
      try {
        await rm(place.socketPath, { force: true });
        this.#server = await launchFirst(this.#parts, this.#closing.signal);
        if (this.#closing.signal.aborted) return await endServer(this.#server.note);
      } catch (error) {
        if (!this.#closing.signal.aborted)
          giveUp(
            error instanceof CrawlError ? error : new CrawlError('REDIS_UNREACHABLE', String(error), { cause: error }),
          );
        return;
      }
    }
  }
}

/** Starts the server by the first command that works: some setpriv (busybox) do not know the option. */
async function launchFirst({ commands, place, log }: Supervision, signal: AbortSignal): Promise<Server> {
  for (const [index, command] of commands.entries()) {
    try {
      const server = await launch(command, place, signal);
      log.debug('private redis started', { pid: server.note.pid, socketPath: place.socketPath });
      return server;
    } catch (error) {
      if (!(error instanceof GuardFailed) || index === commands.length - 1) throw error;
    }
  }
  throw new CrawlError('REDIS_UNREACHABLE', 'The private redis-server does not start.\nTry again.');
}

/** The program that a private server is started from. @throws {CrawlError} REDIS_MISSING */
export async function findServer(searchPath: string): Promise<string> {
  const program = await findProgram(['redis-server', 'valkey-server'], searchPath);
  if (program !== null) return program;
  throw new CrawlError(
    'REDIS_MISSING',
    'No redis-server or valkey-server was found.\nInstall one: apt-get install redis-server (or: brew install redis); or name a running server with --redis.',
  );
}

/** The socket lies in the state folder, or in a short one of its own where that path is too long for a socket. */
async function socketPlace(stateFolder: string): Promise<Pick<ServerNote, 'socketPath' | 'socketFolder'>> {
  const socketPath = join(stateFolder, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) <= SOCKET_PATH_LIMIT) return { socketPath, socketFolder: null };
  const socketFolder = await mkdtemp(join(tmpdir(), SOCKET_FOLDER));
  return { socketPath: join(socketFolder, SOCKET_NAME), socketFolder };
}

interface Place {
  readonly stateFolder: string;
  readonly socketPath: string;
  readonly socketFolder: string | null;
}

interface Server {
  readonly note: ServerNote;
  readonly ended: Promise<void>;
}

/** setpriv ended instead of becoming the server. */
class GuardFailed extends Error {}

async function launch(command: readonly string[], place: Place, signal: AbortSignal): Promise<Server> {
  const { stateFolder, socketPath, socketFolder } = place;
  const serverLog = join(stateFolder, SERVER_LOG);
  await rm(serverLog, { force: true });
  const [program = '', ...before] = command;
  // A process group of its own: Ctrl-C in the terminal is for us, and we end the server when all is saved.
  const child = spawn(program, [...before, ...settings(stateFolder, socketPath, serverLog)], {
    cwd: stateFolder,
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.unref();
  if (child.pid === undefined) {
    await ended;
    throw new CrawlError('REDIS_UNREACHABLE', `${program} cannot be started.\nCheck that it may be run.`);
  }
  const note = { ...(await processIdentity(child.pid)), socketPath, socketFolder };
  try {
    await writeFile(join(stateFolder, SERVER_NOTE), JSON.stringify(note), { mode: 0o600 });
    await untilReady(child, place, signal);
  } catch (error) {
    if (isRunning(child)) child.kill('SIGKILL');
    await ended;
    await clearNote(stateFolder, { ...note, socketFolder: null }); // the next command may need the folder
    if (before.length > 0 && (await readFile(serverLog).catch(() => null)) === null) throw new GuardFailed();
    throw error;
  }
  return { note, ended };
}

function settings(stateFolder: string, socketPath: string, serverLog: string): readonly string[] {
  const all: Readonly<Record<string, string | number>> = {
    port: 0,
    unixsocket: socketPath,
    unixsocketperm: 700,
    dir: stateFolder,
    logfile: serverLog,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'aof-load-truncated': 'yes',
    'maxmemory-policy': 'noeviction',
    ...PACKING,
  };
  const withheld = WITHHELD.flatMap((command) => ['--rename-command', command, '']);
  return [...Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]), ...withheld];
}

async function untilReady(child: ChildProcess, place: Place, signal: AbortSignal): Promise<void> {
  let end = performance.now() + START_PATIENCE;
  while (isRunning(child)) {
    signal.throwIfAborted();
    const answer = await ping(place.socketPath);
    if (answer === 'ready') return;
    if (answer === 'loading') end = performance.now() + START_PATIENCE;
    if (performance.now() > end) {
      throw new CrawlError(
        'REDIS_UNREACHABLE',
        'The private redis-server was started and does not answer.\nTry again.',
      );
    }
    await wait(5);
  }
  throw await startFailure(place);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function ping(socketPath: string): Promise<'ready' | 'loading' | 'silent'> {
  const client = briefClient(socketPath);
  try {
    await client.connect();
    await client.ping();
    return 'ready';
  } catch (error) {
    return error instanceof Error && error.message.startsWith('LOADING') ? 'loading' : 'silent';
  } finally {
    client.disconnect();
  }
}

/** The server's own words say whether its data cannot be read. It never starts empty over data that is broken. */
async function startFailure({ stateFolder }: Place): Promise<CrawlError> {
  const text = await readFile(join(stateFolder, SERVER_LOG), 'utf8').catch(() => '');
  const said = text.split('\n').filter((line) => / # /.test(line));
  const reason = (said.at(-1) ?? '').replace(/^.* # /, '');
  const broken = said.find((line) => /append.?only|AOF|RDB|manifest/i.test(line));
  if (broken === undefined) {
    return new CrawlError(
      'REDIS_UNREACHABLE',
      `The private redis-server does not start: ${reason === '' ? 'it said nothing' : reason}.\nIts log is ${join(stateFolder, SERVER_LOG)}.`,
    );
  }
  const file = /\b[\w.]+\.(?:aof|rdb|manifest)\b/.exec(broken)?.[0] ?? 'appendonly.aof';
  const path = join(stateFolder, 'appendonlydir', file);
  return new CrawlError(
    'STATE_LOST',
    `The state of the crawl cannot be read, ${path} is broken: ${broken.replace(/^.* # /, '')}.
Mend it with redis-check-aof --fix, or crawl again with --overwrite.`,
    { data: { file: path } },
  );
}
