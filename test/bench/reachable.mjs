// Which pages of a folder of HTML files can be reached from its start page? An answer without a browser and without any
// code of the crawler, to hold a crawl against: the closure of what the files themselves link to, one path a line.
// Usage: node test/bench/reachable.mjs <folder> [start path, default /] > expected.txt      (counts go to standard error)
//
// Followed are a and area (href), iframe and frame (src), link with rel next, prev, up, … (href), and meta refresh.
// It differs from a browser where
//   - scripts add, change or remove links, or move on to another page: it reads what stands in the files alone;
//   - markup is broken so that a browser repairs it to another tree: it reads tags as they come;
//   - links stand in <noscript> (dead where scripts run) or <template>: these are left out here, as a browser does;
//   - files are served otherwise than `path`, `path/index.html` and `path.html`.
import { readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

import { Parser } from 'htmlparser2';

const [folder, start = '/'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: node test/bench/reachable.mjs <folder> [start path]\n');
  process.exit(2);
}
const root = resolve(folder);
const HOST = 'http://site.invalid';
/** Relations of a link element whose target is a page to go to, and not a part of this one. */
const PAGE_RELATIONS =
  /\b(?:next|prev|previous|first|last|start|contents|index|up|chapter|section|appendix|glossary|copyright|help|search|author|license|canonical|alternate|bookmark)\b/i;

const kindOf = (path) => {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
};

/** { file } or { redirect } or null, for the path of a URL. */
function lookUp(path) {
  let plain;
  try {
    plain = decodeURIComponent(path);
  } catch {
    return null;
  }
  const target = join(root, plain);
  const kind = kindOf(target);
  if (kind === 'folder') {
    if (kindOf(join(target, 'index.html')) !== 'file') return null;
    return plain.endsWith('/') ? { file: join(target, 'index.html') } : { redirect: `${path}/` };
  }
  if (plain.endsWith('/')) return null;
  if (kind === 'file') return { file: target };
  return kindOf(`${target}.html`) === 'file' ? { file: `${target}.html` } : null;
}

/** Addresses that a page leads to, as they are written, with the tag they stand in. */
function linksOf(html) {
  const found = [];
  let base = null;
  let dead = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'noscript' || name === 'template') dead++;
      if (dead > 0) return;
      if (name === 'base' && base === null) base = attributes.href ?? null;
      if (name === 'a' || name === 'area') found.push([attributes.href, name]);
      if (name === 'iframe' || name === 'frame') found.push([attributes.src, name]);
      if (name === 'link' && PAGE_RELATIONS.test(attributes.rel ?? '')) {
        if (!/stylesheet|icon/i.test(attributes.rel)) found.push([attributes.href, name]);
      }
      if (name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')) {
        found.push([/url\s*=\s*['"]?([^'"]+)/i.exec(attributes.content ?? '')?.[1], name]);
      }
    },
    onclosetag(name) {
      if (name === 'noscript' || name === 'template') dead--;
    },
  });
  parser.end(html);
  return { base, links: found.filter(([href]) => href !== undefined) };
}

const pages = new Set();
const others = new Map(); // path -> [what it is, the first page that links to it]
const seen = new Set();
const queue = [[start, '(start)']];
for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
  const [target, from] = next;
  if (seen.has(target)) continue;
  seen.add(target);
  const { pathname } = new URL(target, HOST);
  const found = lookUp(pathname);
  if (found === null) {
    others.set(target, ['broken', from]);
  } else if (found.redirect !== undefined) {
    others.set(target, ['redirect', from]);
    queue.push([found.redirect, target]);
  } else if (!/^\.x?html?$/i.test(extname(found.file))) {
    others.set(target, ['file', from]);
  } else {
    pages.add(target);
    const { base, links } = linksOf(readFileSync(found.file, 'utf8'));
    for (const [href] of links) {
      const url = URL.parse(href.trim(), new URL(base ?? '', new URL(target, HOST)));
      if (url === null || url.origin !== HOST) continue;
      queue.push([`${url.pathname}${url.search}`, target]);
    }
  }
}

process.stdout.write(
  [...pages]
    .toSorted()
    .map((path) => `${path}\n`)
    .join(''),
);
for (const [path, [what, from]] of others) process.stderr.write(`${what} ${path} from ${from}\n`);
process.stderr.write(`${pages.size} pages; ${others.size} links to what is no page\n`);
