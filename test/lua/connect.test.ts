import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redactedText } from '../../src/base/redaction.ts';
import { silentLog } from '../../src/base/log.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { checkRedisFitness } from '../../src/redis/fitness.ts';
import { refusedWrite } from '../../src/redis/refused-write.ts';
import { hangUp } from '../../src/redis/hang-up.ts';
import { briefClient } from '../../src/redis/stale-server.ts';
import { at, seed } from '../support/frontier-nouns.ts';
import { startUserRedis } from '../support/redis-server.ts';
import { startTestRedis, temporaryFolder, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const signal = new AbortController().signal;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

test('a server that is not there is REDIS_UNREACHABLE, and the password is not shown', async () => {
  const url = `redis://user:secret@127.0.0.1:${await freePort()}/2`;
  const failure: unknown = await connectRedis({ kind: 'url', url }, silentLog, signal).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'REDIS_UNREACHABLE' });
  expect(String(failure)).toContain('127.0.0.1');
  expect(JSON.stringify(failure) + String(failure)).not.toContain('secret');
});

test.each([
  ['redis://127.0.0.1:6379/crawls', 'names the database crawls'],
  ['redis:///run/redis.sock', 'the path of a socket is not taken'],
  ['redis://:50%off@127.0.0.1:6379', 'is written %25'],
  ['redis://a b:6379', 'cannot be read'],
])('a URL that names no server is refused before anything is connected to: %s', async (url, words) => {
  for (const kind of ['url', 'cluster'] as const) {
    const failure: unknown = await connectRedis({ kind, url }, silentLog, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'REDIS_UNREACHABLE', message: expect.stringContaining(words) });
    expect(String(failure)).not.toContain('50%off');
    const shown = redactedText(String(failure));
    expect(shown).toBe(String(failure)); // the form that is accepted is no secret
  }
});

test('a server that refuses says what it wants, and how to give it', async () => {
  await using server = await startUserRedis();
  if (server.client instanceof Cluster) throw new Error('one server');
  await server.client.config('SET', 'requirepass', 'right');
  const { host } = new URL(server.url);
  const other = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const ending = createServer((socket) => void socket.destroy());
  for (const each of [other, ending]) await once(each.listen(0, '127.0.0.1'), 'listening');
  const portOf = (each: Server): number => (each.address() as AddressInfo).port;
  const refusals: readonly (readonly [url: string, words: RegExp])[] = [
    [`redis://${host}`, /asks for a password: NOAUTH [^]*ORBWEAVER_REDIS_URL/],
    [`redis://:wrong@${host}`, /does not accept the user or the password: WRONGPASS/],
    [`redis://:right@${host}/99`, /has no such database: ERR DB index/],
    [`redis://127.0.0.1:${portOf(other)}`, /does not speak as Redis does[^]*Check the port/],
    [`redis://127.0.0.1:${portOf(ending)}`, /ends the connection: [^]*rediss:/],
    [`rediss://127.0.0.1:${portOf(other)}`, /does not speak TLS: [^]*redis:/],
    [`rediss://127.0.0.1:${portOf(ending)}`, /does not answer over TLS: [^]*redis:/],
  ];
  for (const [url, words] of refusals) {
    const failure: unknown = await connectRedis({ kind: 'url', url }, silentLog, signal).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'REDIS_UNREACHABLE', message: expect.stringMatching(words) });
    expect(failure).toMatchObject({ data: { isRefusal: true } });
    expect(redactedText(String(failure))).toBe(String(failure));
  }
  for (const each of [other, ending]) each.close();
});

test('a server whose user may do too little is REDIS_UNFIT with the command that mends it', async () => {
  await using server = await startUserRedis();
  if (server.client instanceof Cluster) throw new Error('one server');
  await server.client.acl('SETUSER', 'reader', 'on', '>word', '~*', '+@read', '+ping');
  const url = server.url.replace('//', '//reader:word@');
  await using reader = await connectRedis({ kind: 'url', url }, silentLog, signal);
  await expect(checkRedisFitness(reader.client)).rejects.toMatchObject({
    code: 'REDIS_UNFIT',
    message: expect.stringMatching(/permissions to run the 'info' command[^]*ACL SETUSER/),
  });
});

test('a socket that is not there is REDIS_UNREACHABLE', async () => {
  await using folder = await temporaryFolder();
  const target = { kind: 'socket', path: join(folder.path, 'none.sock') } as const;
  await expect(connectRedis(target, silentLog, signal)).rejects.toMatchObject({ code: 'REDIS_UNREACHABLE' });
});

test('a server that takes the connection and never answers ends with the signal', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const stop = new AbortController();
  server.once('connection', () => stop.abort(new Error('enough')));
  const target = { kind: 'url', url: `redis://127.0.0.1:${address.port}` } as const;
  await expect(connectRedis(target, silentLog, stop.signal)).rejects.toThrow('enough');
  server.close();
});

test('a connection that gives no answer any more is made anew, and what was asked is asked again', async () => {
  await using server = await startUserRedis();
  const { port } = new URL(server.url);
  let isDead = false;
  // as a router does that forgets a connection: it neither passes on what is sent, nor ends it
  const relay = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    const isOld = !isDead;
    near.on('data', (bytes) => !(isOld && isDead) && far.write(bytes));
    far.on('data', (bytes) => !(isOld && isDead) && near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('error', () => near.destroy()); // a busy machine may have written to it when it had ended
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const said: string[] = [];
  const log = { ...silentLog, warn: (event: string) => said.push(event) };
  const target = { kind: 'url', url: `redis://127.0.0.1:${address.port}` } as const;
  // long enough for the second connection to answer on a busy machine: a count that is asked for again is counted again
  await using connection = await connectRedis(target, log, signal, milliseconds(1000));
  expect(await connection.client.incr('count')).toBe(1);
  isDead = true;
  expect(await connection.client.incr('count')).toBe(2);
  expect(said).toEqual(['redis connection broken']);
  relay.close();
});

test('a connection that has ended already leaves no timer that holds the process when it is closed', async () => {
  await using folder = await temporaryFolder();
  const client = briefClient(join(folder.path, 'none.sock'));
  await expect(client.connect()).rejects.toThrow('Connection is closed');
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  hangUp(client);
  expect(timers()).toBe(before);
});

test('the private server is fit and gives no warning', async () => {
  expect(await checkRedisFitness(redis.client)).toEqual([]);
});

test('a server that takes no writes is REDIS_UNFIT with the cure, and the crawl goes on when it takes them again', async () => {
  await using folder = await temporaryFolder();
  await using server = await startUserRedis('--dir', folder.path, '--dbfilename', 'taken');
  const { client } = server;
  if (client instanceof Cluster) throw new Error('one server');
  const frontier = await openFrontier({ client, keys: redis.keys(), state: 'new' });
  const admit = (): Promise<number> => frontier.admit([seed('https://a.example/')], [], at(0));
  await client.replicaof('127.0.0.1', '1');
  await expect(admit()).rejects.toMatchObject({ code: 'REDIS_UNFIT', message: expect.stringContaining('primary') });
  expect(await frontier.totals()).toMatchObject({ discovered: 0 });
  const discarded = (): Promise<unknown> =>
    client
      .multi()
      .set('any', '')
      .exec()
      .catch((error: unknown) => error);
  expect(refusedWrite(await discarded())).toMatchObject({
    code: 'REDIS_UNFIT',
    message: expect.stringContaining('primary'),
  });
  await client.replicaof('NO', 'ONE');
  // a snapshot cannot take the name of a folder
  await mkdir(join(folder.path, 'taken'));
  await client.config('SET', 'save', '3600 1');
  await client.bgsave();
  await until(async () => (await client.info('persistence')).includes('rdb_last_bgsave_status:err'), 'the failure');
  await expect(admit()).rejects.toMatchObject({ code: 'REDIS_UNFIT', message: expect.stringContaining('its disk') });
  // of a command that is no script, too
  const refused: unknown = await client.set('any', '').catch((error: unknown) => error);
  expect(refusedWrite(refused)).toMatchObject({ code: 'REDIS_UNFIT', message: expect.stringContaining('its disk') });
  await client.config('SET', 'save', '');
  for (const rights of [
    ['-evalsha', '-fcall'],
    ['+evalsha', '+fcall', '-zadd'],
  ]) {
    await client.acl('SETUSER', 'default', ...rights);
    const words = expect.stringContaining('ACL SETUSER') as string;
    await expect(admit()).rejects.toMatchObject({ code: 'REDIS_UNFIT', message: words });
  }
  await client.acl('SETUSER', 'default', '-multi');
  expect(refusedWrite(await discarded())).toMatchObject({
    code: 'REDIS_UNFIT',
    message: expect.stringContaining('ACL SETUSER'),
  });
  await client.acl('SETUSER', 'default', '+@all');
  expect(await admit()).toBe(1);
});

test('a server that would evict is REDIS_UNFIT with the command that mends it', async () => {
  await using server = await startTestRedis();
  await server.client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
  await expect(checkRedisFitness(server.client)).rejects.toMatchObject({
    code: 'REDIS_UNFIT',
    message: expect.stringContaining('CONFIG SET maxmemory-policy noeviction'),
  });
});

test('a server that packs less is warned of, one that tells nothing as well', async () => {
  await using server = await startTestRedis();
  await server.client.config('SET', 'zset-max-listpack-value', '64');
  expect(await checkRedisFitness(server.client)).toEqual([
    expect.stringContaining('CONFIG SET zset-max-listpack-value 1024'),
  ]);
  await server.client.acl('SETUSER', 'default', '-config');
  expect(await checkRedisFitness(server.client)).toEqual([expect.stringContaining('CONFIG GET')]);
});

test('a server that is full is REDIS_UNFIT, and nothing has changed: with more memory the crawl goes on', async () => {
  await using server = await startTestRedis();
  const frontier = await openFrontier({ client: server.client, keys: server.keys(), state: 'new' });
  const admit = (): Promise<number> => frontier.admit([seed('https://a.example/')], [], at(0));
  await server.client.config('SET', 'maxmemory', '1');
  await expect(admit()).rejects.toMatchObject({ code: 'REDIS_UNFIT', message: expect.stringContaining('maxmemory') });
  // what has become of the crawl is told all the same
  expect(await frontier.totals()).toMatchObject({ discovered: 0 });
  await server.client.config('SET', 'maxmemory', '0');
  expect(await admit()).toBe(1);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('what is asked in one turn of the event loop goes out in one write, in its order', async () => {
  const { client } = await redis.connect();
  const reads = async (): Promise<number> =>
    Number(/total_reads_processed:(\d+)/.exec(await client.info('stats'))?.[1] ?? 'none');
  const before = await reads();
  const replies = await Promise.all(Array.from({ length: 100 }, () => client.incr('gathered')));
  // one for the commands, and one for the INFO itself
  expect((await reads()) - before).toBe(2);
  expect(replies).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});
