/** A real redis-server for one test file, and a separate crawl for each test. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisposal } from '../../src/base/disposal.ts';
import { silentLog } from '../../src/base/log.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/connect.ts';
import { keySpace, type KeySpace } from '../../src/redis/key-space.ts';
import { startPrivateRedis } from '../../src/redis/private-server.ts';

export interface TestRedis extends AsyncDisposable, RedisConnection {
  readonly socketPath: string;
  /** Another connection to the same server; closed with it. */
  connect(): Promise<RedisConnection>;
  /** Keys that no other test uses. */
  keys(): KeySpace;
}

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export const searchPath = process.env['PATH'] ?? '';

export async function startTestRedis(): Promise<TestRedis> {
  const disposal = createDisposal();
  const signal = new AbortController().signal;
  const folder = disposal.use(await temporaryFolder());
  const server = disposal.use(
    await startPrivateRedis({ stateFolder: folder.path, searchPath, log: silentLog }, signal),
  );
  const connect = async (): Promise<RedisConnection> =>
    disposal.use(await connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal));
  const { client } = await connect();
  return {
    client,
    connect,
    socketPath: server.socketPath,
    keys: () => keySpace(crawlId(`test-${randomUUID().slice(0, 18)}`)),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  };
}
