// Measures the cost of comparing two screenshots of a long page, in milliseconds a megapixel: reading a PNG, comparing two equal ones, two whose
// lower half has moved by a line, drawing the difference, writing it. In one thread; minimum and median of the rounds.
// Usage: node test/bench/pictures.mjs [--rounds 7]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const DIST = resolve(import.meta.dirname, '../../dist/src');
const { decodePng } = await import(join(DIST, 'base/decode-png.js'));
const { encodePng } = await import(join(DIST, 'base/encode-png.js'));
const { comparePixels } = await import(join(DIST, 'core/pictures/compare-pixels.js'));
const { differencePicture } = await import(join(DIST, 'core/pictures/difference-picture.js'));

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const WORDS = 'the crawler visits every page of a site once and keeps what it has seen in a folder of its own'.split(
  ' ',
);

function page(isChanged) {
  const parts = Array.from({ length: 70 }, (_, part) => {
    const words = Array.from({ length: 90 }, (__, n) => WORDS[(part * 7 + n * 5) % WORDS.length]);
    if (isChanged && part === 35) words.push(...words.slice(0, 60));
    return `<h2>${WORDS[part % WORDS.length]} ${part}</h2><p>${words.join(' ')}`;
  });
  return `<!doctype html><title>Long</title><style>body{font:16px/1.5 serif;width:1100px;margin:auto}</style>${parts.join('')}`;
}

/** The screenshot of a page, taken by a crawl. */
function pictureOf(base, name, html) {
  mkdirSync(join(base, name));
  writeFileSync(join(base, name, 'index.html'), html);
  const folder = join(base, `${name}-crawl`);
  const flags = ['-o', folder, '--deterministic', '--snapshot', 'screenshot', '--full-page', '--quiet'];
  spawnSync(process.execPath, [join(DIST, 'cli/main.js'), 'crawl', join(base, name), ...flags]);
  const [file] = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.png'));
  return readFileSync(join(folder, file));
}

const base = mkdtempSync(join(tmpdir(), 'orbweaver-pictures-'));
const [old, now] = [pictureOf(base, 'old', page(false)), pictureOf(base, 'now', page(true))];
rmSync(base, { recursive: true });
const MOST = 100_000_000;
const read = (file) => decodePng(file, MOST).pixels;
const [before, after] = [read(old), read(now)];
const twin = { ...before, data: before.data.slice() };
const megapixels = (before.width * before.height) / 1e6;

function measure(name, work) {
  const times = Array.from({ length: Number(options.rounds) }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  }).sort((one, other) => one - other);
  const [least, median] = [times[0], times[times.length >> 1]].map((time) => (time / megapixels).toFixed(1));
  process.stdout.write(`${name}: ${median} ms a megapixel (least ${least})\n`);
}

const found = comparePixels(before, after);
const picture = differencePicture(after, found);
process.stdout.write(`${before.width} x ${before.height}, ${megapixels.toFixed(1)} megapixels, ${old.length} bytes; `);
process.stdout.write(`${(found.share * 100).toFixed(1)} % differ, in ${found.regionsTotal} regions\n`);
measure('reading one PNG', () => read(old));
measure('comparing equal ones', () => comparePixels(before, twin));
measure('comparing those that differ', () => comparePixels(before, after));
measure('drawing the difference', () => differencePicture(after, found));
measure('writing it', () => encodePng(picture));
process.stdout.write(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}\n`,
);
