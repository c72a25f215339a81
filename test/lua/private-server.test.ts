import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { processIdentity, isAlive } from '../../src/base/process/process-identity.ts';
import { findProgram } from '../../src/base/process/program.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { startPrivateRedis, type PrivateRedis } from '../../src/redis/private-server.ts';
import { searchPath, temporaryFolder } from '../support/redis.ts';

const signal = new AbortController().signal;
const start = (stateFolder: string): Promise<PrivateRedis> =>
  startPrivateRedis({ stateFolder, searchPath, log: silentLog }, signal);
const connect = (server: { readonly socketPath: string }) =>
  connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);

/** The append-only file in use. */
async function appendOnlyFile(stateFolder: string): Promise<string> {
  const folder = join(stateFolder, 'appendonlydir');
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.incr.aof'));
  if (name === undefined) throw new Error('no append-only file');
  return join(folder, name);
}

async function write(server: PrivateRedis, count: number): Promise<void> {
  await using redis = await connect(server);
  for (let index = 0; index < count; index += 1) await redis.client.set(`key:${index}`, index);
}

test('what was written is there after a stop and a start, and no process is left between', async () => {
  await using folder = await temporaryFolder();
  const first = await start(folder.path);
  await write(first, 100);
  const identity = await processIdentity(first.pid);
  await first[Symbol.asyncDispose]();
  expect(await isAlive(identity)).toBe(false);
  await using second = await start(folder.path);
  await using redis = await connect(second);
  expect(await redis.client.dbsize()).toBe(100);
});

test('the server is set up to keep everything and to pack it', async () => {
  await using folder = await temporaryFolder();
  await using server = await start(folder.path);
  await using redis = await connect(server);
  for (const [name, value] of [
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['save', ''],
    ['port', '0'],
    ['maxmemory-policy', 'noeviction'],
    ['set-max-intset-entries', '16384'],
    ['zset-max-listpack-entries', '128'],
    ['hash-max-listpack-value', '1024'],
  ] as const) {
    expect(await redis.client.config('GET', name)).toEqual([name, value]);
  }
  expect((await stat(server.socketPath)).mode & 0o777).toBe(0o700);
});

test('a folder too deep for a socket gets one in a short folder, which is gone afterwards', async () => {
  await using folder = await temporaryFolder();
  const deep = join(folder.path, 'd'.repeat(60), 'with spaces and "quotes"', 'ü'.repeat(40));
  const server = await start(deep);
  expect(server.socketPath.startsWith(deep)).toBe(false);
  expect(JSON.parse(await readFile(join(deep, 'server.json'), 'utf8'))).toMatchObject({
    socketPath: server.socketPath,
  });
  await write(server, 3);
  await server[Symbol.asyncDispose]();
  await expect(stat(server.socketPath)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(deep)).not.toContain('server.json');
  expect(await readdir(deep)).not.toContain('lock');
});

test('a folder is for one owner at a time', async () => {
  await using folder = await temporaryFolder();
  await using first = await start(folder.path);
  await expect(start(folder.path)).rejects.toMatchObject({ code: 'OUTPUT_IN_USE', data: { pid: process.pid } });
  await write(first, 1);
});

test('of many that start on one folder at a time exactly one gets it, also over a dead lock', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'lock'), JSON.stringify({ pid: 4_194_303, started: '1' }));
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => start(folder.path)));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(started).toHaveLength(1);
  for (const server of started) await server[Symbol.asyncDispose]();
});

test('the lock of a process that has ended is taken over, even where its number lives on', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'lock'), JSON.stringify({ pid: process.pid, started: '1' }));
  await using server = await start(folder.path);
  expect(server.pid).toBeGreaterThan(0);
});

/** Starts a Redis server in the way of a private server, without an owner: as if its owner had been killed. */
async function killedOwner(stateFolder: string, path: string): Promise<{ readonly pid: number }> {
  const program = await findProgram(['redis-server'], searchPath);
  if (program === null) throw new Error('no redis-server');
  const child = spawn(
    program,
    [
      '--port',
      '0',
      '--unixsocket',
      join(stateFolder, 'redis.sock'),
      '--dir',
      stateFolder,
      '--appendonly',
      'yes',
      '--save',
      '',
    ],
    { stdio: 'ignore', env: { PATH: path } },
  );
  await once(child, 'spawn');
  return { pid: child.pid ?? 0 };
}

test('a server that outlived its owner is ended, and its data is there', async () => {
  await using folder = await temporaryFolder();
  const orphan = await killedOwner(folder.path, searchPath);
  const socketPath = join(folder.path, 'redis.sock');
  const identity = await processIdentity(orphan.pid);
  await writeFile(join(folder.path, 'server.json'), JSON.stringify({ ...identity, socketPath, socketFolder: null }));
  const keep = async (): Promise<string> => {
    await using redis = await connect({ socketPath });
    return redis.client.set('kept', 'yes');
  };
  // its socket exists a moment before it listens
  await expect.poll(() => keep().catch(() => null), { interval: 5 }).toBe('OK');
  await using server = await start(folder.path);
  expect(server.pid).not.toBe(orphan.pid);
  expect(await isAlive(identity)).toBe(false);
  await using redis = await connect(server);
  expect(await redis.client.get('kept')).toBe('yes');
});

test('another process that has the number of a server by now is let alone', async () => {
  await using folder = await temporaryFolder();
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(bystander, 'spawn');
  const identity = await processIdentity(bystander.pid ?? 0);
  const socketPath = join(folder.path, 'redis.sock');
  await writeFile(join(folder.path, 'server.json'), JSON.stringify({ ...identity, socketPath, socketFolder: null }));
  await using server = await start(folder.path);
  expect(server.pid).not.toBe(bystander.pid);
  expect(await isAlive(identity)).toBe(true);
  bystander.kill('SIGKILL');
  await once(bystander, 'exit');
});

test('a torn tail of the append-only file costs the torn command and nothing before it', async () => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await write(server, 100);
  }
  const file = await appendOnlyFile(folder.path);
  await truncate(file, (await stat(file)).size - 7);
  await using server = await start(folder.path);
  await using redis = await connect(server);
  expect(await redis.client.dbsize()).toBe(99);
});

test('garbage in the append-only file is STATE_LOST and names the file, nothing is started or thrown away', async () => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await write(server, 100);
  }
  const file = await appendOnlyFile(folder.path);
  const text = await readFile(file);
  text.fill('x', 600, 700);
  await writeFile(file, text);
  const failure = await start(folder.path).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'STATE_LOST', data: { file } });
  expect(await readFile(file)).toEqual(text);
  expect(await readdir(folder.path)).not.toContain('lock');
});

test('a missing append-only file is STATE_LOST', async () => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await write(server, 10);
  }
  await rm(await appendOnlyFile(folder.path));
  await expect(start(folder.path)).rejects.toMatchObject({ code: 'STATE_LOST' });
});

test('a search path without a server is REDIS_MISSING and names the cure', async () => {
  await using folder = await temporaryFolder();
  const nowhere = join(folder.path, 'bin');
  await mkdir(nowhere);
  const failure = startPrivateRedis({ stateFolder: folder.path, searchPath: nowhere, log: silentLog }, signal);
  await expect(failure).rejects.toMatchObject({
    code: 'REDIS_MISSING',
    message: expect.stringContaining('apt-get install'),
  });
});

test('a signal that fired already starts nothing', async () => {
  await using folder = await temporaryFolder();
  const options = { stateFolder: folder.path, searchPath, log: silentLog };
  await expect(startPrivateRedis(options, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  expect(await readdir(folder.path)).toEqual([]);
});

test('a note that names other places removes nothing there', async () => {
  await using folder = await temporaryFolder();
  await using victim = await temporaryFolder();
  const kept = join(victim.path, 'thesis.txt');
  await writeFile(kept, 'four years of work');
  const note = {
    pid: 2 ** 22 + 1,
    started: '1',
    socketPath: join(victim.path, 'redis.sock'),
    socketFolder: victim.path,
  };
  await writeFile(join(folder.path, 'server.json'), JSON.stringify(note));
  await writeFile(note.socketPath, 'no socket of ours');
  await using _server = await start(folder.path);
  expect(await readFile(kept, 'utf8')).toBe('four years of work');
  expect(await readFile(note.socketPath, 'utf8')).toBe('no socket of ours');
});

test.each([
  ['load a module', ['MODULE', 'LOAD', '/nowhere/evil.so']],
  ['follow a server elsewhere', ['REPLICAOF', '192.0.2.1', '6379']],
  ['write its data to a file', ['SAVE']],
])('an append-only file of somebody else cannot make the server %s', async (_title, command) => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await write(server, 3);
  }
  const words = command.map((word) => `$${word.length}\r\n${word}\r\n`);
  await appendFile(await appendOnlyFile(folder.path), `*${command.length}\r\n${words.join('')}`);
  await expect(start(folder.path)).rejects.toMatchObject({
    code: 'STATE_LOST',
    message: expect.stringMatching(/unknown command/i) as string,
  });
});
