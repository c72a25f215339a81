// Compares two made-up crawls of `pages` pages: seconds, memory, and the size of a baseline of them.
// node test/bench/diff-crawls.mjs [pages=5000] [links a page=80]; needs dist/
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { normalText } from '../../dist/src/core/fingerprint/normal-text.js';

const [pages = 5000, links = 80] = process.argv.slice(2).map(Number);
const WORDS =
  'winter spring harvest compass lantern river granite paper signal harbour orchard meadow copper thread window garden'.split(
    ' ',
  );
const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;

/** A page of 600 words in 40 lines under a menu of 40 lines. */
function textOf(page, side) {
  const lines = Array.from({ length: 40 }, (_, at) => `Menu entry ${at}`);
  for (let line = 0; line < 40; line += 1)
    lines.push(Array.from({ length: 15 }, (_, at) => WORDS[(page * 31 + line * 7 + at * at) % WORDS.length]).join(' '));
  lines.push(`As of 2026-11-${side === 'old' ? '20' : '23'}`);
  if (side === 'now' && page % 4 === 0) lines[50] = 'A line that was edited since';
  if (side === 'now') lines[3] = 'Menu entry with another name';
  return lines.join('\n');
}

async function store(folder, side) {
  const origin = `http://127.0.0.1:${side === 'old' ? 4001 : 4002}`;
  const urlOf = (page) => `${origin}/section-${page % 20}/page-${page}`;
  await mkdir(join(folder, 'snapshots'), { recursive: true });
  await writeFile(
    join(folder, 'crawl.json'),
    JSON.stringify({
      ...{
        id: 'c-1',
        format: 1,
        state: 'finished',
        end: 'all-visited',
        seeds: [urlOf(0)],
        started: '2026-11-23T09:00:00.000Z',
      },
      ...{ options: { seeds: [urlOf(0)] }, versions: { orbweaver: '0.1.0' }, finished: '2026-11-23T10:00:00.000Z' },
    }),
  );
  const [records, edges] = [[], []];
  for (let page = 0; page < pages; page += 1) {
    const url = urlOf(page);
    const text = textOf(page, side);
    const html = `<!doctype html><title>Page ${page}</title><script type="application/ld+json">{"@type":"Article","name":"${page}"}</script>${text
      .split('\n')
      .map((line) => `<p class="line of-the-page">${line}</p>`)
      .join('\n')}`;
    await mkdir(join(folder, 'snapshots', String(page % 100)), { recursive: true });
    const place = `snapshots/${page % 100}/${page}`;
    await writeFile(join(folder, `${place}.html`), html);
    await writeFile(join(folder, `${place}.txt`), text);
    const digest = `sha256:${createHash('sha256').update(normalText(text)).digest('hex')}`;
    records.push(
      JSON.stringify({
        ...{
          url,
          finalUrl: url,
          outcome: 'captured',
          status: 200,
          redirects: [],
          contentType: 'text/html',
          bytes: html.length,
        },
        ...{
          truncated: null,
          depth: 1,
          referrer: null,
          attempt: 1,
          confidence: 'high',
          startedAt: '2026-11-23T09:00:00.000Z',
        },
        ...{ rendered: true, timing: null, settle: { reason: 'quiet', pending: [] }, empty: false, consent: null },
        ...{
          title: `Page ${page}`,
          description: null,
          canonical: url,
          lang: 'en',
          h1: [],
          facts: {},
          words: 600,
          robots: [],
        },
        ...{ robotsRule: null, lastModified: null, digest, duplicateOf: null, similarity: null, detail: null },
        ...{ credit: { cash: 1, history: 1, importance: 0 }, links: { found: links, new: 0, parts: 2 } },
        ...{ problems: { console: 0, exceptions: 0, failedRequests: 0 } },
        snapshot: { html: `${place}.html`, text: `${place}.txt`, screenshot: null, warc: null },
      }),
    );
    const edge = (to, kind, context) =>
      edges.push(
        JSON.stringify({
          from: url,
          to,
          href: to,
          kind,
          confidence: 'high',
          context,
          stage: 'load',
          frame: null,
          text: 'Go',
          rel: [],
          new: false,
        }),
      );
    for (let at = 0; at < links; at += 1) edge(urlOf(at < 40 ? at : (page * 13 + at) % pages), 'anchor', 'a/@href');
    edge(`${origin}/app.${side === 'old' ? '3f9a1c02' : '77aa01bc'}.js`, 'resource', 'script/@src');
  }
  await writeFile(join(folder, 'pages.jsonl'), `${records.join('\n')}\n`);
  await writeFile(join(folder, 'links.jsonl'), `${edges.join('\n')}\n`);
  await writeFile(join(folder, 'skipped.jsonl'), '');
}

const base = await mkdtemp(join(tmpdir(), 'orbweaver-diff-bench-'));
try {
  for (const side of ['old', 'now']) await store(join(base, side), side);
  const run = (...words) => {
    const before = Date.now();
    const program = `process.argv.splice(1, 1, ${JSON.stringify(main)}); await import(${JSON.stringify(main)}); process.on('exit', () => process.stderr.write('cpu ' + (process.cpuUsage().user + process.cpuUsage().system) / 1e6 + ' rss ' + process.resourceUsage().maxRSS));`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', program, '-', ...words],
      {
        encoding: 'utf8',
        cwd: base,
        env: { ...process.env, NO_COLOR: '1' },
      },
    );
    const cpu = /cpu ([\d.]+)/.exec(stderr)?.[1];
    const memory = Math.round(Number(/rss (\d+)/.exec(stderr)?.[1] ?? 0) / 1024);
    return { seconds: ((Date.now() - before) / 1000).toFixed(1), cpu, memory, stdout, stderr, status };
  };
  for (let round = 0; round < 3; round += 1) {
    const { seconds, cpu, memory, stdout, status, stderr } = run('diff', 'old', 'now', '--reporter', 'list');
    if (round === 0) process.stdout.write(`${stdout}${stderr}\n`);
    process.stdout.write(`diff: ${seconds} s (CPU ${cpu} s), ${memory} MB, exit ${status}\n`);
  }
  const approved = run('approve', 'old');
  process.stdout.write(`approve: ${approved.seconds} s, ${approved.memory} MB\n${approved.stdout}${approved.stderr}`);
  const { seconds, cpu, memory } = run('diff', 'orbweaver-baseline', 'now', '--reporter', 'list');
  process.stdout.write(`diff with the baseline: ${seconds} s (CPU ${cpu} s), ${memory} MB\n`);
} finally {
  if (process.env.KEEP === undefined) await rm(base, { recursive: true, force: true });
}
