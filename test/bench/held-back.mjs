// Tests that the trap detector holds back no pages of ordinary sites: crawls folders of HTML files with the built program, and compares
// the captured pages with the reachable ones (reachable.mjs, which shares no code with the crawler).
// Usage: node test/bench/held-back.mjs <folder> ... [-- flags of crawl]        (default flags: --render never)
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const split = process.argv.indexOf('--');
const folders = process.argv.slice(2, split === -1 ? undefined : split);
const flags = split === -1 ? ['--render', 'never'] : process.argv.slice(split + 1);
const here = fileURLToPath(new URL('.', import.meta.url));
const program = resolve(here, '../../dist/src/cli/main.js');

const recordsOf = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const pathOf = (url) => new URL(url).pathname + new URL(url).search;

let wrong = 0;
console.log(
  '| site | pages that there are | captured | missing | skipped as trap | links of duplicates not followed, and pages lost by that | probes |',
);
console.log('|---|---|---|---|---|---|---|');
for (const folder of folders) {
  const output = mkdtempSync(join(tmpdir(), 'held-back-'));
  try {
    const reach = execFileSync('node', [join(here, 'reachable.mjs'), folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e8,
    });
    const expected = reach
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const { status } = spawnSync(
      'node',
      [
        program,
        'crawl',
        folder,
        '--output',
        output,
        '--overwrite',
        '--snapshot',
        'none',
        '--log-level',
        'info',
        ...flags,
      ],
      { stdio: 'ignore' },
    );
    const pages = recordsOf(join(output, 'pages.jsonl'));
    const skipped = recordsOf(join(output, 'skipped.jsonl'));
    const captured = new Set(pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => pathOf(url)));
    const missing = expected.filter((path) => !captured.has(path));
    const held = skipped.filter(({ reason }) => reason === 'trap');
    const duplicates = skipped.filter(({ reason }) => reason === 'duplicate');
    const lost = missing.filter((path) => [...held, ...duplicates].some(({ url }) => pathOf(url) === path));
    const probes = recordsOf(join(output, 'log.jsonl')).filter(({ event }) => event === 'soft-404 probe fetched');
    console.log(
      `| ${basename(folder)} | ${expected.length} | ${captured.size} | ${missing.length} | ${held.length} | ${duplicates.length}, ${lost.length} | ${probes.length} |`,
    );
    for (const path of missing.slice(0, 10)) console.error(`missing: ${path}`);
    for (const { url, rule } of held.slice(0, 10)) console.error(`held back: ${url} (${rule})`);
    if (status !== 0) console.error(`exit code ${status}`);
    wrong += held.length + lost.length;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
