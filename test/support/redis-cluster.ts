/** A Redis Cluster as users run it: masters and replicas on ports of loopback, joined by hand. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { createDisposal, type Disposal } from '../../src/base/disposal.ts';
import { silentLog } from '../../src/base/log.ts';
import type { RedisClient } from '../../src/redis/client.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { temporaryFolder } from './redis.ts';
import { freePort } from './redis-server.ts';
import { until } from './until.ts';

export interface ClusterNode {
  readonly port: number;
  /** The cluster's id of the node. */
  readonly id: string;
  /** A connection to this node alone. */
  readonly client: Redis;
  readonly kill: () => Promise<void>;
}

export interface TestCluster extends AsyncDisposable {
  /** URL of the last master, so that the others may go. */
  readonly url: string;
  readonly client: RedisClient;
  /** Masters in the order of their slots; then replicas, one for each of the first masters. */
  readonly nodes: readonly ClusterNode[];
  /** The current master of a key. */
  masterOf(key: string): Promise<ClusterNode>;
}

const SLOTS = 16384;
/** Milliseconds of silence after which the others replace a node by its replica. */
const NODE_TIMEOUT = 1000;

/** @param replicas number of masters, from the first on, that get a replica */
export async function startTestCluster(masters: number, replicas = 0): Promise<TestCluster> {
  const disposal = createDisposal();
  const nodes: Awaited<ReturnType<typeof startNode>>[] = [];
  for (let index = 0; index < masters + replicas; index += 1) nodes.push(await startNode(disposal, index + 1));
  const [first] = nodes;
  if (first === undefined) throw new Error('no nodes');
  for (let index = 0; index < masters; index += 1) {
    const [from, to] = [index, index + 1].map((at) => Math.floor((at * SLOTS) / masters));
    await nodes[index]?.client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
  }
  for (const { port, busPort } of nodes)
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort));
  for (const { client } of nodes)
    await until(async () => (await knownNodes(client)) === nodes.length, 'all nodes to know each other');
  const replicating = nodes.slice(masters).map(({ client }) => client);
  for (const [index, client] of replicating.entries())
    await client.call('CLUSTER', 'REPLICATE', nodes[index]?.id ?? '');
  for (const client of replicating)
    await until(async () => /master_link_status:up/.test(await client.info()), 'a replica to have its data');
  for (const { client } of nodes)
    await until(async () => /cluster_state:ok/.test(String(await client.call('CLUSTER', 'INFO'))), 'the cluster');
  const url = `redis://127.0.0.1:${nodes[masters - 1]?.port ?? 0}`;
  const { client } = disposal.use(
    await connectRedis({ kind: 'cluster', url }, silentLog, new AbortController().signal),
  );

  return {
    url,
    client,
    nodes,
    masterOf: async (key) => {
      const answers = await Promise.all(nodes.map(async (node) => [node, await ownsKey(node, key)] as const));
      const owner = answers.find(([, owns]) => owns)?.[0];
      if (owner === undefined) throw new Error(`no node has ${key}`);
      return owner;
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  };
}

async function startNode(disposal: Disposal, epoch: number): Promise<ClusterNode & { readonly busPort: number }> {
  const folder = disposal.use(await temporaryFolder());
  const [port, busPort] = [await freePort(), await freePort()];
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir: folder.path,
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': NODE_TIMEOUT,
    'cluster-replica-validity-factor': 0,
    'repl-diskless-sync-delay': 0,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  disposal.defer(kill);
  await until(() => said.includes('eady to accept connections') || child.exitCode !== null, 'a node of the cluster');
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {}); // each call rejects with the error as well
  disposal.defer(() => client.disconnect());
  await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(epoch));
  return { port, busPort, client, kill, id: String(await client.call('CLUSTER', 'MYID')) };
}

async function knownNodes(client: Redis): Promise<number> {
  return Number(/cluster_known_nodes:(\d+)/.exec(String(await client.call('CLUSTER', 'INFO')))?.[1]);
}

/** A replica, and a node without the slot, redirect the client; a node that is gone does not answer. */
async function ownsKey({ client }: ClusterNode, key: string): Promise<boolean> {
  return client.exists(key).then(
    () => true,
    () => false,
  );
}
