// Measures the cost of --audit over the bare crawl. Crawls two families of pages in turns with and without it: documents shown as they
// come, and pages that a script makes of data. Counts CPU of node, browser and Redis from start to exit, audit and report included. Linux only.
// --axe: measures its cost over --audit. --folder: crawls the pages of that folder instead.
// Usage: node test/bench/audit-cost.mjs [--pages <n>] [--rounds <n>] [--axe] [--folder <path>] [--build <dist>] [-- flags of crawl]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { reapedSeconds, watchTree } from './process-tree.mjs';

const split = process.argv.indexOf('--');
const { values: options } = parseArgs({
  args: process.argv.slice(2, split === -1 ? undefined : split),
  options: {
    pages: { type: 'string', default: '80' },
    rounds: { type: 'string', default: '3' },
    axe: { type: 'boolean', default: false },
    folder: { type: 'string' },
    build: { type: 'string', default: 'dist' },
  },
});
const flags = split === -1 ? [] : process.argv.slice(split + 1);
const program = resolve(options.build, 'src/cli/main.js');
const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-audit-cost-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const count = Number(options.pages);
const words = (page, paragraph) =>
  `Paragraph ${paragraph} of page ${page} tells of the harbour and of boats number ${page * 31 + paragraph}. `.repeat(
    4,
  );
const head = (page) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/site.css">`;
const links = (page) =>
  [1, 2, 3, 4, 5].map((step) => `<a href="/p${(page + step) % count}.html">on to ${step}</a>`).join(' ');
const pictures = [1, 2, 3].map((number) => `<img src="/${number}.svg" alt="" width="90" height="90">`).join('');

const FAMILIES = {
  documents: (page) =>
    `${head(page)}<script src="/site.js"></script></head><body><h1>Page ${page}</h1>${links(page)}${pictures}${Array.from({ length: 40 }, (_, index) => `<p>${words(page, index)}</p>`).join('')}</body></html>`,
  application: (page) =>
    `${head(page)}</head><body><div id="root"></div><script>fetch('/data.json').then((answer) => answer.json()).then(({ rows }) => {
      document.getElementById('root').innerHTML = '<h1>Page ${page}</h1>${links(page)}${pictures}' + rows.map((row) => '<p>' + row + ' ${page}</p>').join('');
      console.warn('made', rows.length); }); localStorage.setItem('seen', '${page}')</script></body></html>`,
};

function makeSite(family) {
  const folder = join(scratch, family);
  mkdirSync(folder);
  const write = (name, text) => writeFileSync(join(folder, name), text);
  for (let page = 0; page < count; page += 1) write(`p${page}.html`, FAMILIES[family](page));
  write('index.html', FAMILIES[family](0));
  write('site.css', 'body { font: 16px sans-serif } p { margin: 1em } '.repeat(40));
  write('site.js', 'document.documentElement.className = "js"; '.repeat(60));
  write('data.json', JSON.stringify({ rows: Array.from({ length: 60 }, (_, index) => words(0, index)) }));
  for (const number of [1, 2, 3])
    write(`${number}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${number}"/></svg>`);
  return folder;
}

let runs = 0;
async function seconds(folder, more) {
  const output = join(scratch, `crawl-${(runs += 1)}`);
  const before = reapedSeconds();
  const args = [program, 'crawl', folder, '-o', output, '--no-progress', '--quiet', '--delay', '0', ...flags, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const tree = watchTree(child.pid);
  const timer = setInterval(() => tree.sample(), 200);
  const code = await new Promise((done) => child.once('exit', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`the crawl ended with ${code}`);
  rmSync(output, { recursive: true, force: true });
  const sampled = Object.values(tree.result().seconds).reduce((sum, one) => sum + one, 0);
  return Math.max(sampled, reapedSeconds() - before);
}

const median = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)];
const spread = (all) => `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`;
process.stdout.write(
  `load average ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}\n`,
);
const [less, all] = options.axe ? [['--audit'], ['--audit', '--axe']] : [[], ['--audit']];
for (const family of options.folder === undefined ? Object.keys(FAMILIES) : [options.folder]) {
  const folder = options.folder === undefined ? makeSite(family) : resolve(options.folder);
  const [bare, audited] = [[], []];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    bare.push(await seconds(folder, less));
    audited.push(await seconds(folder, all));
  }
  const more = (median(audited) / median(bare) - 1) * 100;
  process.stdout.write(
    `${family}: ${count} pages; CPU s ${less.join(' ') || 'bare'} ${spread(bare)}, with ${all.join(' ')} ${spread(audited)}: ${more.toFixed(0)} % more, ${(((median(audited) - median(bare)) / count) * 1000).toFixed(0)} ms a page\n`,
  );
}
