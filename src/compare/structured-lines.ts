/** The values of JSON-LD in a page, each as a line `Product.offers.price: 12`. */
import { cutText } from '../base/cut-text.ts';
import { parsedJson } from '../base/safe-json.ts';
import type { SiteAddresses } from '../core/findings/site-address.ts';

const SCRIPT = /<script\b([^<>]{0,1000})>/gi;
const JSON_LD = /\btype\s{0,10}=\s{0,10}["']?\s{0,10}application\/ld\+json/i;
const MOST_BLOCKS = 50;
const MOST_CHARACTERS = 1024 * 1024;
const MOST_LINES = 2000;
const DEEPEST = 20;
const VALUE = 300;

/** The values, sorted. A block that does not parse is one line. */
export function structuredLines(html: string, addresses: SiteAddresses): readonly string[] {
  const lines: string[] = [];
  let blocks = 0;
  for (const text of jsonTexts(html)) {
    blocks += 1;
    if (blocks > MOST_BLOCKS || lines.length >= MOST_LINES) break;
    if (text.length > MOST_CHARACTERS || text.trim() === '') continue;
    const value = parsedJson(text.trim());
    if (value === undefined) lines.push('not readable: the block is no JSON');
    else addLines(value, '', { lines, addresses, depth: 0 });
  }
  return lines.slice(0, MOST_LINES).toSorted();
}

function* jsonTexts(html: string): Iterable<string> {
  if (!/ld\+json/i.test(html)) return;
  const end = /<\/script/gi;
  for (const tag of html.matchAll(SCRIPT)) {
    if (!JSON_LD.test(tag[1] ?? '')) continue;
    const begin = tag.index + tag[0].length;
    // a tag in the text before
    if (begin < end.lastIndex) continue;
    end.lastIndex = begin;
    const found = end.exec(html);
    if (found === null) return;
    yield html.slice(begin, found.index);
  }
}

interface Frame {
  readonly lines: string[];
  readonly addresses: SiteAddresses;
  readonly depth: number;
}

function addLines(value: unknown, name: string, frame: Frame): void {
  const { lines, addresses, depth } = frame;
  if (lines.length >= MOST_LINES || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) addLines(item, name, { ...frame, depth: depth + 1 });
  } else if (typeof value === 'object' && value !== null) {
    const type = '@type' in value && typeof value['@type'] === 'string' ? value['@type'] : '';
    const own = name === '' ? type : name;
    for (const [key, item] of Object.entries(value)) {
      if (key === '@context' || (key === '@type' && name === '')) continue;
      addLines(item, own === '' ? key : `${own}.${key}`, { ...frame, depth: depth + 1 });
    }
  } else {
    const text = addresses.relativeText(cutText(String(value), VALUE)).replaceAll(/\s+/g, ' ');
    lines.push(`${cutText(name, VALUE)}: ${text}`);
  }
}
