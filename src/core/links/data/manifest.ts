/** The addresses of a web app manifest (W3C Web Application Manifest). */
import { parsedJson } from '../../../base/safe-json.ts';
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';

const ITEM_LIMIT = 200;

/** @param url of the manifest: its addresses are relative to it @returns nothing where it is no JSON object */
export function manifestLinks(text: string, url: string): readonly FoundLink[] {
  const manifest = objectOf(parsedJson(text.replace(/^\uFEFF/, '')));
  if (manifest === null) return [];
  const links: FoundLink[] = [];
  const add = (value: unknown, kind: FoundLink['kind'], context: string): void => {
    if (typeof value === 'string' && value.trim() !== '') links.push(fileLink(value.trim(), url, { kind, context }));
  };
  add(manifest['start_url'], 'json', 'manifest/start_url');
  // a prefix of addresses: mostly an address itself, but that is not certain
  if (typeof manifest['scope'] === 'string')
    links.push(fileLink(manifest['scope'], url, { kind: 'json', context: 'manifest/scope', confidence: 'low' }));
  for (const shortcut of itemsOf(manifest['shortcuts'])) {
    add(shortcut['url'], 'json', 'manifest/shortcuts');
    for (const icon of itemsOf(shortcut['icons'])) add(icon['src'], 'resource', 'manifest/icons');
  }
  for (const name of ['icons', 'screenshots'])
    for (const icon of itemsOf(manifest[name])) add(icon['src'], 'resource', `manifest/${name}`);
  for (const application of itemsOf(manifest['related_applications']))
    add(application['url'], 'json', 'manifest/related_applications');
  for (const opener of itemsOf(manifest['file_handlers'])) add(opener['action'], 'json', 'manifest/file_handlers');
  const share = objectOf(manifest['share_target']);
  if (share !== null) {
    const posts = typeof share['method'] === 'string' && share['method'].toUpperCase() === 'POST';
    add(share['action'], posts ? 'request' : 'json', 'manifest/share_target');
  }
  const worker = objectOf(manifest['serviceworker']);
  if (worker !== null) add(worker['src'], 'resource', 'manifest/serviceworker');
  return links;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function itemsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value.slice(0, ITEM_LIMIT);
  return items.map(objectOf).filter((item) => item !== null);
}
