// Measures how many of the existing links the crawler finds. Crawls every fixture site that has a recall.json at each level
// of --explore in it, prints found/expected by kind and level, and ends with `recall: <found> of <expected>`.
// The figure may only rise: a missing link must be in known-missing.json with the reason, a listed one that is found
// must be taken out; an invented link, or a request that must never be made, is a failure.
// Usage: node test/recall/recall.mjs [--verbose] [site…]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { importTypeScript } from '../support/import-typescript.mjs';
import { openPlainBrowser } from './plain-anchors.mjs';
import { LEVELS, recallSites, urlOfKey } from './recall-list.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const load = (path) => import(pathToFileURL(join(here, '../../dist', path)).href);
const { canonicalUrl, startCrawl } = await load('src/index.js');
const { leadsToPage } = await load('src/core/links/page-link.js');
const { openFixtureSite } = await importTypeScript(join(here, '../support/site-server/open-fixture-site.ts'));

const verbose = process.argv.includes('--verbose');
const sites = recallSites(process.argv.slice(2).filter((word) => !word.startsWith('--')));
const knownMissing = JSON.parse(readFileSync(join(here, 'known-missing.json'), 'utf8'));

/** A URL as in the records; a URL that is not http stays as it is. */
const normal = (url) => canonicalUrl(url) ?? url;

async function crawlAt(site, level, server) {
  const output = mkdtempSync(join(tmpdir(), 'orbweaver-recall-'));
  try {
    const crawl = await startCrawl({
      seeds: site.from.map((key) => urlOfKey(key, server.origins)),
      depth: 0,
      explore: level,
      render: 'always',
      output,
      overwrite: true,
      snapshot: [],
      workers: 2,
      delay: 0,
      logLevel: 'warn',
      ...site.options,
    });
    const { folder } = await crawl.report().finally(() => crawl[Symbol.asyncDispose]());
    return readFileSync(join(folder, 'links.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Measures one site at every level that it needs. */
async function measure(site, plain) {
  const server = await openFixtureSite(site.folder);
  try {
    const levels = LEVELS.filter((level) => site.links.some((link) => link.level === level));
    const found = new Map();
    for (const level of levels) found.set(level, await crawlAt(site, level, server));
    const rows = site.links.map((link) => ({ ...link, site: site.name, ...lookUp(link, levels, found, server) }));
    const forbidden = site.never.filter((key) => wasAsked(key, server));
    const anchors = new Set();
    for (const key of site.from) {
      for (const href of await plain.anchors(urlOfKey(key, server.origins))) anchors.add(normal(href));
    }
    for (const row of rows) row.plain = anchors.has(normal(urlOfKey(row.to, server.origins)));
    return { rows, invented: inventedOf(site, levels, found, server), forbidden };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** A link counts as found if it is found at its own level and at every level above. */
function lookUp({ to, kind, level, confidence }, levels, found, server) {
  const url = normal(urlOfKey(to, server.origins));
  const missingAt = levels
    .slice(levels.indexOf(level))
    .filter(
      (each) =>
        !found
          .get(each)
          .some((link) => normal(link.to) === url && link.kind === kind && link.confidence === confidence),
    );
  const instead = missingAt.flatMap((each) =>
    found
      .get(each)
      .filter((link) => normal(link.to) === url)
      .map((link) => `${link.kind} (${link.confidence}, ${link.context})`),
  );
  return { found: missingAt.length === 0, missingAt, instead: [...new Set(instead)] };
}

/** High-confidence links to pages of the site that its list does not contain. */
function inventedOf(site, levels, found, server) {
  const listed = new Set(
    [...site.links.map(({ to }) => to), ...site.from].map((key) => normal(urlOfKey(key, server.origins))),
  );
  const origins = [...server.origins.values()];
  const invented = new Map();
  for (const level of levels) {
    for (const link of found.get(level)) {
      if (link.confidence !== 'high' || !leadsToPage(link) || listed.has(normal(link.to))) continue;
      if (!origins.some((origin) => link.to.startsWith(`${origin}/`))) continue;
      invented.set(`${link.to.replace(/^\w+:\/\/[^/]+/, '')} (${link.kind}, ${link.context}, at ${level})`, true);
    }
  }
  return [...invented.keys()];
}

function wasAsked(key, server) {
  const { host, pathname, search } = new URL(urlOfKey(key, server.origins));
  return server.requests().some((request) => request.host === host && request.path === pathname + search);
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Found/expected by kind (rows) and level (columns), and the share that plain anchors find. */
function table(rows) {
  const kinds = [
    ...new Set(rows.map(({ kind, confidence }) => (confidence === 'low' ? `${kind} (low)` : kind))),
  ].toSorted();
  const share = (list, test) => (list.length === 0 ? '' : `${list.filter(test).length}/${list.length}`);
  const line = (name, list) => [
    name,
    ...LEVELS.map((level) =>
      share(
        list.filter((row) => row.level === level),
        (row) => row.found,
      ),
    ),
    share(list, (row) => row.found),
    share(list, (row) => row.plain),
  ];
  const lines = [
    ['kind', ...LEVELS, 'all', 'a[href] after load'],
    ...kinds.map((name) =>
      line(
        name,
        rows.filter(({ kind, confidence }) => (confidence === 'low' ? `${kind} (low)` : kind) === name),
      ),
    ),
    line('all', rows),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const rows = [];
const faults = [];
const plain = await openPlainBrowser(load);
try {
  for (const site of sites) {
    const started = performance.now();
    const measured = await measure(site, plain);
    rows.push(...measured.rows);
    const ok = measured.rows.filter(({ found }) => found).length;
    print(`${site.name}: ${ok} of ${measured.rows.length} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    for (const each of measured.invented) faults.push(`invented: ${site.name} ${each}`);
    for (const each of measured.forbidden) faults.push(`must never be asked for: ${site.name} ${each}`);
  }
} finally {
  await plain.close();
}

const isKnown = (row) =>
  knownMissing.some(({ site, to, kind }) => site === row.site && to === row.to && kind === row.kind);
for (const row of rows) {
  const name = `${row.site} ${row.to} (${row.kind}, ${row.level})`;
  const instead = row.instead.length === 0 ? '' : `, but as ${row.instead.join(', ')}`;
  if (!row.found && !isKnown(row)) faults.push(`not found at ${row.missingAt.join(', ')}: ${name}${instead}`);
  if (row.found && isKnown(row)) faults.push(`found now, take it out of known-missing.json: ${name}`);
  if (verbose && !row.found && isKnown(row)) print(`known to be missing: ${name}`);
}

print(`\n${table(rows)}\n`);
for (const fault of faults) print(fault);
print(`recall: ${rows.filter(({ found }) => found).length} of ${rows.length}`);
process.exitCode = faults.length === 0 && rows.length > 0 ? 0 : 1;
