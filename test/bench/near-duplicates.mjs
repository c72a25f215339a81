/**
 * Measures the cost of a page in the similarity index, and how well the index finds similar pages.
 * Run after `npm run build`: node test/bench/near-duplicates.mjs [--pages 200000] [--only index|corpus]
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { isCounted, linesOf, NO_BOILERPLATE, withPage } from '../../dist/src/core/fingerprint/boilerplate.js';
import { linkSignatureOf } from '../../dist/src/core/fingerprint/link-signature.js';
import { normalText } from '../../dist/src/core/fingerprint/normal-text.js';
import { textFingerprint } from '../../dist/src/core/fingerprint/text-fingerprint.js';
import { openSimilarityIndex } from '../../dist/src/dedup/redis-similarity-index.js';
import { keySpace } from '../../dist/src/redis/key-space.js';
import { PACKING } from '../../dist/src/redis/server-process.js';
import { corpus } from './near-duplicate-corpus.mjs';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '200000' },
    only: { type: 'string', default: '' },
    redis: { type: 'string', default: 'redis-server' },
  },
});
const PAGES = Number(options.pages);
/** Pages in flight, as in a busy crawl. */
const AT_ONCE = 8;
/** Share of pages that are copies of earlier ones with some words changed; the others are all different. */
const COPIES = 0.02;

let state = 1;
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
const below = (limit) => Math.floor(random() * limit);

async function withRedis(work) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const path = join(folder, 'redis.sock');
  const packing = Object.entries(PACKING).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(
    options.redis,
    ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no', ...packing],
    { stdio: 'ignore' },
  );
  const client = new Redis({ path, retryStrategy: () => 50 });
  client.on('error', () => {});
  try {
    await client.ping();
    return await work(client);
  } finally {
    client.disconnect();
    server.kill();
    await new Promise((done) => server.once('exit', done));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figures(client) {
  const memory = /used_memory:(\d+)/.exec(await client.info('memory'))[1];
  const text = await client.info('cpu');
  const cpu = ['user', 'sys'].reduce(
    (sum, kind) => sum + Number(new RegExp(`used_cpu_${kind}_main_thread:([\\d.]+)`).exec(text)?.[1] ?? 0),
    0,
  );
  const node = process.cpuUsage();
  return { memory: Number(memory), cpu: cpu * 1000, node: (node.user + node.system) / 1000 };
}

const digestOf = (text) => createHash('sha256').update(text).digest('hex');

/** Pages as the pipeline passes them on; their signatures are made before the clock runs. */
function pagesOf(from, count) {
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const copy = number > 0 && random() < COPIES;
    const source = copy ? below(number) : number;
    const signature = new Uint8Array(128);
    let seed = source + 1;
    for (let index = 0; index < 128; index += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      signature[index] = seed >>> 24;
    }
    if (copy) for (let change = 0; change < 5; change += 1) signature[below(128)] = below(256);
    const host = `https://www.site-${source % 200}.example`;
    return {
      url: `${host}/articles/section-${number % 40}/a-page-${number}.html`,
      digest: digestOf(String(number)),
      signature,
      linkSignature: linkSignatureOf([`${host}/a/${number}`, `${host}/b/${number}`]),
    };
  });
}

async function measureIndex() {
  await withRedis(async (client) => {
    const keys = keySpace('bench');
    const index = await openSimilarityIndex({ client, keys, threshold: 0.9 });
    console.log(`index: ${PAGES} pages on 200 hosts, one in fifty a copy with 5 of 128 components changed`);
    const start = await figures(client);
    let done = 0;
    let alike = 0;
    let spent = { cpu: 0, node: 0 };
    const steps = new Set([0.05, 0.25, 0.5, 1].map((share) => Math.round(PAGES * share)));
    while (done < PAGES) {
      const batch = pagesOf(done, Math.min(1000, PAGES - done));
      const before = await figures(client);
      for (let at = 0; at < batch.length; at += AT_ONCE) {
        const likes = await Promise.all(batch.slice(at, at + AT_ONCE).map((page) => index.place(page)));
        alike += likes.filter((like) => like !== null).length;
      }
      const after = await figures(client);
      spent = { cpu: spent.cpu + after.cpu - before.cpu, node: spent.node + after.node - before.node };
      done += batch.length;
      if (!steps.has(done)) continue;
      const bytes = (after.memory - start.memory) / done;
      const rate = (one) => ((1000 * one) / done).toFixed(0);
      console.log(
        `  ${done} pages, ${alike} alike: ${bytes.toFixed(0)} bytes a page, Redis ${rate(spent.cpu)} us a page since the start, last 1,000 ${(after.cpu - before.cpu).toFixed(0)} us, Node ${rate(spent.node)} us`,
      );
    }
  });
}

/** The work of the pipeline on a page, without the crawl around it. */
async function measureCorpus() {
  for (const threshold of [0.9, 0.85]) {
    const { pages, families } = corpus(7);
    const found = await withRedis(async (client) => {
      const index = await openSimilarityIndex({ client, keys: keySpace('corpus'), threshold });
      const answers = [];
      const boilerplate = new Map();
      for (const { url, text, host } of pages) {
        const lines = linesOf(text);
        const normal = normalText(text);
        const known = boilerplate.get(host) ?? NO_BOILERPLATE;
        const fingerprint = textFingerprint(lines, normal, known);
        const like = await index.place({
          url,
          digest: digestOf(normal),
          signature: fingerprint.signature,
          linkSignature: linkSignatureOf([]),
        });
        if (like?.similarity !== 1 && isCounted(known, digestOf(normal))) boilerplate.set(host, withPage(known, lines));
        answers.push(like);
      }
      return answers;
    });
    report(threshold, pages, families, found);
  }
}

function report(threshold, pages, families, found) {
  const kinds = new Map();
  let [right, wrong, missed] = [0, 0, 0];
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  for (const [at, page] of pages.entries()) {
    const like = found[at];
    const kind = kinds.get(page.kind) ?? { pages: 0, found: 0, wrong: 0 };
    kind.pages += 1;
    const isRight = like !== null && byUrl.get(like.url)?.family === page.family;
    if (like !== null && !isRight) kind.wrong += 1;
    if (isRight) kind.found += 1;
    if (page.duplicate && isRight) right += 1;
    if (page.duplicate && !isRight) missed += 1;
    if (like !== null && !(page.duplicate && isRight)) wrong += 1;
    kinds.set(page.kind, kind);
  }
  const share = (one, all) => (one / all).toFixed(4);
  console.log(
    `corpus at ${threshold}: ${pages.length} pages, ${families} texts, ${right + missed} duplicates: precision ${share(right, right + wrong)}, recall ${share(right, right + missed)}`,
  );
  for (const [kind, { pages: all, found: some, wrong: bad }] of kinds)
    console.log(
      `  ${kind.padEnd(34)} ${String(all).padStart(5)} pages, said to be like their own ${some}, like others ${bad}`,
    );
}

console.log(`node ${process.version}, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
if (options.only !== 'corpus') await measureIndex();
if (options.only !== 'index') await measureCorpus();
