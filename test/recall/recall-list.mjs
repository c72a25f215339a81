// recall.json of a fixture site: its links, and the level of --explore at which each must be found. Written by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LEVELS = ['none', 'scroll', 'click', 'submit'];
const SITES = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/sites');
const SITE_KEYS = new Set(['about', 'from', 'links', 'never', 'options']);
const LINK_KEYS = new Set(['to', 'kind', 'level', 'confidence']);

/**
 * The sites with a recall.json, sorted, with its contents.
 * @param only names of sites; empty for all
 */
export function recallSites(only) {
  return readdirSync(SITES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (only.length === 0 || only.includes(entry.name)))
    .map(({ name }) => ({ name, folder: join(SITES, name) }))
    .flatMap(({ name, folder }) => {
      const text = readIfThere(join(folder, 'recall.json'));
      return text === null ? [] : [{ name, folder, ...readList(name, JSON.parse(text)) }];
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** @throws if a key or a value is not one that README.md names */
function readList(name, list) {
  const wrong = (what) => new Error(`fixtures/sites/${name}/recall.json: ${what}`);
  for (const key of Object.keys(list)) if (!SITE_KEYS.has(key)) throw wrong(`unknown key ${key}`);
  const { from = ['/'], links, never = [], options = {} } = list;
  if (!Array.isArray(links) || links.length === 0) throw wrong('no links');
  const seen = new Set();
  for (const link of links) {
    for (const key of Object.keys(link)) if (!LINK_KEYS.has(key)) throw wrong(`unknown key ${key} of ${link.to}`);
    if (!LEVELS.includes(link.level)) throw wrong(`level of ${link.to}: ${link.level}`);
    const identity = `${link.to} ${link.kind}`;
    if (seen.has(identity)) throw wrong(`twice: ${identity}`);
    seen.add(identity);
  }
  return { from, never, options, links: links.map((link) => ({ confidence: 'high', ...link })) };
}

/** The URL of a key: `/path` on the first host, `name:/path` on a named one, or a whole URL. */
export function urlOfKey(key, origins) {
  const [, name, path] = /^(?:([a-z0-9.-]+):)?(\/(?!\/).*|\/)$/s.exec(key) ?? [];
  if (path === undefined) return key;
  const origin = name === undefined ? [...origins.values()][0] : origins.get(name);
  if (origin === undefined) throw new Error(`recall.json names no host of the site: ${key}`);
  return origin + path;
}
