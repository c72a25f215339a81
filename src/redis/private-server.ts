/**
 * The Redis of one crawl: a redis-server on a Unix socket, with its append-only file in the crawl's state folder.
 *
 * It ends with its owner: on request when disposed of; by the kernel (setpriv --pdeathsig) when the owner is killed; and the next owner of
 * the folder ends a server that is left nevertheless. A killed server is restarted on the same
 * files and the same socket. Redis does not lock its folder, and two servers would mix their files; so we use a lock file
 * of our own. Every acknowledged write survives a kill of either process
 * (design/reliability, "The private Redis"); a power loss costs the last second.
 */
import { performance } from 'node:perf_hooks';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../base/process/temporary-folder.ts';
import { createDisposal, type Disposal } from '../base/disposal.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { lockFile } from '../base/process/lock-file.ts';
import { findProgram } from '../base/process/program.ts';
import { minutes, type Milliseconds } from '../base/units.ts';
import { GuardFailed, launch, SERVER_LOG, type ServerPlace, type Server } from './server-process.ts';
import { clearNote, endServer, endStaleServer, SOCKET_FOLDER, SOCKET_NAME, type ServerNote } from './stale-server.ts';

export interface PrivateRedis extends AsyncDisposable {
  /** Path of its socket; the same after a restart. */
  readonly socketPath: string;
  /** Process id of the server that runs now. */
  readonly pid: number;
  /** Resolves with the cause when the server has ended unasked and could not be restarted. */
  readonly lost: Promise<CrawlError>;
}

interface PrivateRedisOptions {
  /** Folder of the append-only file; created if missing, and never removed. */
  readonly stateFolder: string;
  /** Folders to look for redis-server or valkey-server in, as in PATH. */
  readonly searchPath: string;
  readonly log: Log;
}

/** sun_path holds 108 bytes on Linux and 104 on macOS, with the zero at the end. */
const SOCKET_PATH_LIMIT = 103;
/**
 * Starts a private Redis with the data in the folder.
 * @throws {CrawlError} REDIS_MISSING, OUTPUT_IN_USE, STATE_LOST where the data cannot be read, REDIS_UNREACHABLE where it
 * fails to start for another reason; the signal's reason where it aborts first
 */
export async function startPrivateRedis(options: PrivateRedisOptions, signal: AbortSignal): Promise<PrivateRedis> {
  const { searchPath, log } = options;
  const program = await findServer(searchPath);
  const disposal = createDisposal();
  try {
    await mkdir(options.stateFolder, { recursive: true, mode: 0o700 });
    const stateFolder = await realpath(options.stateFolder);
    // of other containers and machines the lock of the crawl folder has told
    disposal.use(await lockFile(join(stateFolder, 'lock'), { elsewhere: 'dead' }));
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

/** A server that ends more often than this within the window is not restarted: something kills it on purpose. */
const RESTARTS = 5;
const RESTART_WINDOW: Milliseconds = minutes(1);

interface Supervision {
  /** Commands, tried in this order. */
  readonly commands: readonly (readonly string[])[];
  readonly place: ServerPlace;
  readonly log: Log;
  /** Closes the resources opened for the server. */
  readonly disposal: Disposal;
}

/** Restarts a server that has ended unasked. */
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
    // of a note that cannot be removed, the next owner finds the server ended
    await clearNote(this.#parts.place.stateFolder, this.#server.note).catch(() => {});
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

/** Starts the server with the first command that works: some setpriv (busybox) lack the option. */
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

/** Finds the program for a private server. @throws {CrawlError} REDIS_MISSING */
export async function findServer(searchPath: string): Promise<string> {
  const program = await findProgram(['redis-server', 'valkey-server'], searchPath);
  if (program !== null) return program;
  throw new CrawlError(
    'REDIS_MISSING',
    'No redis-server or valkey-server was found.\nInstall one: apt-get install redis-server (or: brew install redis); or name a running server with --redis.',
  );
}

/** The socket is in the state folder, or in a short folder of its own if that path is too long for a socket. */
async function socketPlace(stateFolder: string): Promise<Pick<ServerNote, 'socketPath' | 'socketFolder'>> {
  const socketPath = join(stateFolder, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) <= SOCKET_PATH_LIMIT) return { socketPath, socketFolder: null };
  const socketFolder = await makeTemporaryFolder(SOCKET_FOLDER);
  return { socketPath: join(socketFolder, SOCKET_NAME), socketFolder };
}
