/** One process of a private Redis: its settings, its start, and the reason if it fails to start. private-server.ts restarts it. */
import { performance } from 'node:perf_hooks';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CrawlError } from '../base/errors.ts';
import { processIdentity } from '../base/process/process-identity.ts';
import { minutes, type Milliseconds } from '../base/units.ts';
import { hangUp } from './hang-up.ts';
import { briefClient, clearNote, SERVER_NOTE, type ServerNote } from './stale-server.ts';

/** Longest time without any answer before a server is given up; while it loads its data it answers LOADING. */
const LOADING_LIMIT: Milliseconds = minutes(2);
export const SERVER_LOG = 'redis.log';

/**
 * Limits up to which Redis keeps small collections packed (design/scheduling, "Memory of a URL"). All versions accept the names
 * with `ziplist` as aliases.
 */
export const PACKING = {
  'set-max-intset-entries': 16384,
  // a packed set of hosts is searched linearly at every lease
  'zset-max-ziplist-entries': 128,
  'zset-max-ziplist-value': 1024,
  'hash-max-ziplist-entries': 512,
  'hash-max-ziplist-value': 1024,
} as const;

/**
 * Commands that the server must not know. When a server loads an append-only file it runs its commands without checking if a
 * client may: a foreign file could load a module (code of its own), or write and send files elsewhere.
 */
const WITHHELD = ['MODULE', 'DEBUG', 'REPLICAOF', 'SLAVEOF', 'MIGRATE', 'SAVE', 'BGSAVE'] as const;

/** Places of a server's files and socket. */
export interface ServerPlace {
  readonly stateFolder: string;
  readonly socketPath: string;
  readonly socketFolder: string | null;
}

/** A running server that answers. */
export interface Server {
  readonly note: ServerNote;
  readonly ended: Promise<void>;
}

/** setpriv exited instead of becoming the server. */
export class GuardFailed extends Error {}

/** Starts a server with a command, and waits until it answers. @throws {CrawlError} REDIS_UNREACHABLE, STATE_LOST; {GuardFailed} */
export async function launch(command: readonly string[], place: ServerPlace, signal: AbortSignal): Promise<Server> {
  const { stateFolder, socketPath, socketFolder } = place;
  const serverLog = join(stateFolder, SERVER_LOG);
  await rm(serverLog, { force: true });
  const [program = '', ...before] = command;
  // Its own process group: Ctrl-C in the terminal is for us, and we end the server when all is saved.
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

async function untilReady(child: ChildProcess, place: ServerPlace, signal: AbortSignal): Promise<void> {
  let end = performance.now() + LOADING_LIMIT;
  while (isRunning(child)) {
    signal.throwIfAborted();
    const answer = await ping(place.socketPath);
    if (answer === 'ready') return;
    if (answer === 'loading') end = performance.now() + LOADING_LIMIT;
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
    hangUp(client);
  }
}

/** Reads from the server's log whether its data is unreadable. It never starts empty over broken data. */
async function startFailure({ stateFolder }: ServerPlace): Promise<CrawlError> {
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
