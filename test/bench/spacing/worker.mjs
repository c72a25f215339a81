// One process of spacing.mjs: leases, requests and settles until no URL is left.
import { request } from 'node:http';
import { systemClock } from '../../../dist/src/base/clock.js';
import { silentLog } from '../../../dist/src/base/log.js';
import { createDispatcher } from '../../../dist/src/dispatch/dispatcher.js';
import { openFrontier } from '../../../dist/src/frontier/open-frontier.js';
import { connectRedis } from '../../../dist/src/redis/connect.js';
import { keySpace } from '../../../dist/src/redis/key-space.js';

const [socketPath = '', delay = '100', leaseFor = '2000'] = process.argv.slice(2);
const { signal } = new AbortController();
const { client, ...connection } = await connectRedis({ kind: 'socket', path: socketPath }, silentLog, signal);
const frontier = await openFrontier({ client, keys: keySpace('bench-spacing'), state: 'existing' });

const statusOf = (url) =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    // every name under localhost is loopback (RFC 6761), but the system may not know that
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host: `${hostname}:${port}` } });
    asked.once('error', reject);
    asked.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    asked.end();
  });

const record = (url) => ({
  url,
  finalUrl: url,
  outcome: 'captured',
  status: 200,
  redirects: [],
  links: { found: 0, new: 0, parts: 0 },
  digest: null,
  credit: { cash: 0, history: 0, importance: 0 },
});

async function visit(leased) {
  dispatcher.started(leased.token);
  const status = await statusOf(leased.url);
  const now = systemClock.now();
  const disposition =
    status === 429 ? { kind: 'retry', due: now + 2 * Number(delay) } : { kind: 'visited', record: record(leased.url) };
  const hostBackoff = status === 429 ? 2 * Number(delay) : null;
  const change = {
    disposition,
    links: [],
    newSeeds: [],
    hostBackoff,
    hostBackoffMost: null,
    novelty: null,
    serverTime: null,
  };
  await frontier.commit(leased, { ...change, hostDelay: Number(delay), hostSlots: 1 }, now);
  await dispatcher.finished(leased.token);
}

const dispatcher = createDispatcher({
  frontier,
  clock: systemClock,
  log: silentLog,
  slots: 8,
  leaseFor: Number(leaseFor),
  newHostDelay: Number(delay),
  leaseSpacing: 0,
  budget: () => Number.POSITIVE_INFINITY,
  enqueue: (visits) => {
    for (const each of visits)
      visit(each).catch((error) => {
        console.error(error);
        process.exit(1);
      });
    return Promise.resolve();
  },
});
await dispatcher.run(signal);
await connection[Symbol.asyncDispose]();
