import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { processIdentity, isAlive } from '../../src/base/process/process-identity.ts';
import { findProgram } from '../../src/base/process/program.ts';
import { epochMs, milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { crawlId } from '../../src/model/crawl-id.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { keySpace } from '../../src/redis/key-space.ts';
import { startPrivateRedis, type PrivateRedis } from '../../src/redis/private-server.ts';
import { candidate, link, seed, url, visited } from '../support/frontier-nouns.ts';
import { searchPath, temporaryFolder } from '../support/redis.ts';

const signal = new AbortController().signal;
const keys = keySpace(crawlId('durable-crawl'));
const now = epochMs(1_000_000);
const start = (stateFolder: string): Promise<PrivateRedis> =>
  startPrivateRedis({ stateFolder, searchPath, log: silentLog }, signal);
const connect = (server: PrivateRedis) => connectRedis({ kind: 'socket', path: server.socketPath }, silentLog, signal);

test('a kill of Redis under writes loses nothing that was acknowledged', async () => {
  await using folder = await temporaryFolder();
  const acknowledged: string[] = [];
  const settled: string[] = [];
  {
    await using server = await start(folder.path);
    const redis = await connect(server);
    const frontier = await openFrontier({ client: redis.client, keys, state: 'new' });
    await frontier.admit([seed('https://a.example/')], [], now);
    const work = async (worker: number): Promise<void> => {
      for (let number = 0; settled.length < 400; number += 1) {
        const page = `https://w${worker}.example/${number}`;
        await frontier.admit([candidate(page)], [], now);
        acknowledged.push(page);
        const request = { now, count: 1, leaseFor: milliseconds(9), newHostDelay: milliseconds(0) };
        const reply = await frontier.lease(request);
        const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
        if (visit === undefined) continue;
        await frontier.commit(visit, visited(visit, [link(visit, `${page}/next`)], { hostSlots: 9 }), now);
        settled.push(visit.url);
        if (settled.length === 200) process.kill(server.pid, 'SIGKILL');
      }
    };
    const killed = server.pid;
    await Promise.all([0, 1, 2, 3].map(work));
    expect(server.pid).not.toBe(killed); // the server was restarted, and the writes went on
    await redis[Symbol.asyncDispose]();
  }
  await using server = await start(folder.path);
  await using redis = await connect(server);
  const frontier = await openFrontier({ client: redis.client, keys, state: 'existing' });
  expect(acknowledged.length).toBeGreaterThan(150);
  for (const page of acknowledged) expect((await frontier.stateOf(url(page))).kind).not.toBe('unknown');
  for (const page of settled) expect(await frontier.stateOf(url(page))).toEqual({ kind: 'ended' });
  const totals = await frontier.totals();
  expect(totals.visited + totals.failed + totals.skipped + totals.queued + totals.leased).toBe(totals.discovered);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
  expect((await frontier.journal(10_000)).entries.length).toBe(totals.visited);
});

test('a server ends when its owner is killed, and what was acknowledged is in its file', async (context) => {
  if ((await findProgram(['setpriv'], searchPath)) === null) context.skip('no setpriv: the next start ends the orphan');
  await using folder = await temporaryFolder();
  const stateFolder = join(folder.path, 'state');
  const program = join(folder.path, 'owner.cjs');
  await build({
    stdin: {
      contents: `
        import { startPrivateRedis } from './private-server.ts';
        import { connectRedis } from './connect.ts';
        import { silentLog as log } from '../base/log.ts';
        const [stateFolder, searchPath] = process.argv.slice(2);
        const { signal } = new AbortController();
        startPrivateRedis({ stateFolder, searchPath, log }, signal).then(async (server) => {
          const { client } = await connectRedis({ kind: 'socket', path: server.socketPath }, log, signal);
          for (let index = 0; index < 1000; index += 1) await client.set('key:' + index, 'x'.repeat(100));
          process.stdout.write(server.pid + '\\n');
          setInterval(() => client.incr('busy'), 1);
        });`,
      resolveDir: join(import.meta.dirname, '../../src/redis'),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'silent',
  });
  const owner = spawn(process.execPath, [program, stateFolder, searchPath], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = await once(createInterface({ input: owner.stdout }), 'line');
  const server = await processIdentity(Number(pid));
  expect(await isAlive(server)).toBe(true);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await expect.poll(() => isAlive(server), { interval: 10 }).toBe(false);
  await using next = await start(stateFolder);
  await using redis = await connect(next);
  expect(await redis.client.exists('key:0', 'key:999')).toBe(2);
});
