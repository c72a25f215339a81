// Lists the pages of a folder of HTML files that are reachable from its start page: the closure of the links in the files, one path
// a line, to compare a crawl with. Uses no browser and no code of the crawler.
// Usage: node test/bench/reachable.mjs <folder> [start path, default /] > expected.txt      (counts go to standard error)
//
// Followed are a and area (href), iframe and frame (src), link with rel next, prev, up, … (href), and meta refresh.
// Differs from a browser if
//   - scripts add, change or remove links, or navigate to another page: only the files are read;
//   - markup is broken and a browser repairs it to another tree: tags are read as they come;
//   - links are in <noscript> (dead when scripts run) or <template>: both are skipped, as a browser does;
//   - files are served otherwise than as `path`, `path/index.html` and `path.html`.
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
/** Relations of a link element whose target is another page, not a part of this one. */
const PAGE_RELATIONS =
  /\b(?:next|prev|previous|first|last|start|contents|index|up|chapter|section|appendix|glossary|copyright|help|search|author|license|canonical|alternate|bookmark)\b/i;

const kindOf = (path) => {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
};

/** { file } or { redirect } for the path of a URL, or null. */
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

/** Addresses that a page links to, as written, with their tag. */
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
const others = new Map(); // path -> [kind, the first page that links to it]
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
