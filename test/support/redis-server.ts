/** A Redis server as users run it: on a port, started by hand. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createDisposal } from '../../src/base/disposal.ts';
import { silentLog } from '../../src/base/log.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/connect.ts';
import { temporaryFolder } from './redis.ts';
import { until } from './until.ts';

export interface UserRedis extends AsyncDisposable {
  /** `redis://127.0.0.1:port` */
  readonly url: string;
  readonly client: RedisConnection['client'];
}

/** @param settings further words of the command line: `--maxmemory`, `100mb` */
export async function startUserRedis(...settings: readonly string[]): Promise<UserRedis> {
  const disposal = createDisposal();
  const folder = disposal.use(await temporaryFolder());
  const port = await freePort();
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder.path,
  ];
  const child = spawn('redis-server', [...words, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  disposal.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until(() => said.includes('eady to accept connections') || child.exitCode !== null, 'the Redis server');
  const url = `redis://127.0.0.1:${port}`;
  const { client } = disposal.use(await connectRedis({ kind: 'url', url }, silentLog, new AbortController().signal));
  return { url, client, [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose]() };
}

/** A port that was free a moment ago: redis-server cannot choose one and report it. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
