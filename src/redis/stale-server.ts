/** Finds a private server that outlived its owner (SIGKILL) by its note, and ends it before a new one starts. */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Redis } from 'ioredis';
import type { Log } from '../base/log.ts';
import { processFolder, isAlive, type ProcessIdentity } from '../base/process/process-identity.ts';
import { parsedJson } from '../base/safe-json.ts';
import { seconds, type Milliseconds } from '../base/units.ts';
import { hangUp } from './hang-up.ts';

/** The note of a private server in its state folder while it runs. */
export interface ServerNote extends ProcessIdentity {
  readonly socketPath: string;
  /** The socket's folder, if it was made for this server alone; else null. */
  readonly socketFolder: string | null;
}

export const SERVER_NOTE = 'server.json';
/** File name of the socket, in the state folder or in a folder made for it. */
export const SOCKET_NAME = 'redis.sock';
/** Prefix of the name of a folder made for a socket; mkdtemp adds six letters and digits. */
export const SOCKET_FOLDER = 'orbweaver-';

/** Longest time for a server to write its file and end; then it is killed. Acknowledged writes are in the kernel by then. */
const SHUTDOWN_LIMIT: Milliseconds = seconds(5);

/** A client for a few commands: it neither reconnects nor waits. The caller disconnects it. */
export function briefClient(socketPath: string): Redis {
  const client = new Redis({
    path: socketPath,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
  });
  client.on('error', () => {}); // each call rejects with the error as well
  return client;
}

/** Ends the server of an earlier process, if it still runs, and removes its note and socket. */
export async function endStaleServer(stateFolder: string, log: Log): Promise<void> {
  const found = await readNote(join(stateFolder, SERVER_NOTE));
  if (found === null) return;
  // a moved folder's note has another place, and a foreign note may have any
  const usual = { socketPath: join(stateFolder, SOCKET_NAME), socketFolder: null };
  const note = isWithin(found, stateFolder) ? found : { ...found, ...usual };
  if (await isAlive(note)) {
    if (await isOurs(note, stateFolder)) {
      log.warn('ending a redis-server that an earlier crawl left', { pid: note.pid });
      await endServer(note);
    }
  }
  await clearNote(stateFolder, note);
}

export async function clearNote(stateFolder: string, note: ServerNote): Promise<void> {
  await rm(note.socketPath, { force: true });
  if (note.socketFolder !== null) await rm(note.socketFolder, { recursive: true, force: true });
  await rm(join(stateFolder, SERVER_NOTE), { force: true });
}

/** Asks a server to end; kills it if it does not. */
export async function endServer(server: ServerNote): Promise<void> {
  const client = briefClient(server.socketPath);
  try {
    await client.connect();
    await Promise.race([client.call('SHUTDOWN', 'NOSAVE'), wait(SHUTDOWN_LIMIT, undefined, { ref: false })]);
  } catch {
    // The connection breaks when the server ends; the check follows below.
  } finally {
    hangUp(client);
  }
  if (await endsWithin(server, SHUTDOWN_LIMIT)) return;
  signalProcess(server.pid, 'SIGKILL');
  await endsWithin(server, SHUTDOWN_LIMIT);
}

async function endsWithin(process: ProcessIdentity, limit: Milliseconds): Promise<boolean> {
  for (const end = performance.now() + limit; performance.now() < end;) {
    if (!(await isAlive(process))) return true;
    await wait(5);
  }
  return !(await isAlive(process));
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended in between
  }
}

/** Is the process our server? Its pid may be reused, so the server must report this pid and our folder, or the process must run in our folder. */
async function isOurs(note: ServerNote, stateFolder: string): Promise<boolean> {
  const folder = await realpath(stateFolder);
  const client = briefClient(note.socketPath);
  try {
    await client.connect();
    const [, dir] = await client.config('GET', 'dir').then((reply) => (Array.isArray(reply) ? reply.map(String) : []));
    const pid = /^process_id:(\d+)/m.exec(await client.info('server'))?.[1];
    return pid === String(note.pid) && dir === folder;
  } catch {
    return (await processFolder(note.pid)) === folder;
  } finally {
    hangUp(client);
  }
}

async function readNote(path: string): Promise<ServerNote | null> {
  const value = parsedJson(await readFile(path, 'utf8').catch(() => ''));
  return isNote(value) ? value : null;
}

/** Does the note contain only places of a server of ours? They will be removed. */
function isWithin({ socketPath, socketFolder }: ServerNote, stateFolder: string): boolean {
  const own = socketFolder === null ? stateFolder : socketFolder;
  const folderName = socketFolder === null ? '' : relative(tmpdir(), socketFolder);
  const isShort = socketFolder === null || (folderName.startsWith(SOCKET_FOLDER) && /^[\w-]{16}$/.test(folderName));
  return isShort && socketPath === join(own, SOCKET_NAME);
}

function isNote(value: unknown): value is ServerNote {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    Number.isInteger(value.pid) &&
    value.pid > 1 && // 0 and negative numbers mean process groups
    'started' in value &&
    typeof value.started === 'string' &&
    'socketPath' in value &&
    typeof value.socketPath === 'string' &&
    'socketFolder' in value &&
    (value.socketFolder === null ||
      (typeof value.socketFolder === 'string' && dirname(value.socketPath) === value.socketFolder))
  );
}
