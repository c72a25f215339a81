/** Blocks of JSON-LD: whether they parse, and the things of schema.org in them. */
import { cutText } from '../base/cut-text.ts';
import { textOf, type HtmlElement } from '../core/html/tree.ts';
import type { StructuredBlock } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

const BLOCKS = 50;
const TEXT = 1024 * 1024;
const THINGS = 500;
const FAULT = 200;

type Thing = StructuredBlock['things'][number];

/** A thing with its `@id`; null where it has none. */
interface NamedThing extends Thing {
  readonly id: string | null;
}

export function structuredBlocks(elements: readonly HtmlElement[]): readonly StructuredBlock[] {
  const blocks = elements
    .filter(({ name, attributes }) => name === 'script' && isJsonLd(attributes.get('type')))
    .slice(0, BLOCKS)
    .flatMap((element): readonly ReadBlock[] => {
      const text = textOf(element).trim();
      if (text === '' || text.length > TEXT) return [];
      const { selector } = placeOf(element);
      const place = { selector, snippet: cutText(text, 300) };
      try {
        return [{ ...place, fault: null, things: thingsOf(JSON.parse(text)) }];
      } catch (error) {
        const fault = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
        return [{ ...place, fault: cutText(fault, FAULT), things: [] }];
      }
    });
  return withParts(blocks);
}

type ReadBlock = Omit<StructuredBlock, 'things'> & { readonly things: readonly NamedThing[] };

/** Things of one `@id` are one thing, which plug-ins describe in several places (JSON-LD 1.1, section 3.3): it stands where it is named first. */
function withParts(blocks: readonly ReadBlock[]): readonly StructuredBlock[] {
  const known = new Map<string, { readonly types: Set<string>; readonly properties: Set<string> }>();
  const firsts = blocks.map(({ things, ...block }) => ({
    block,
    things: things.flatMap(({ id, types, properties }) => {
      const earlier = id === null ? undefined : known.get(id);
      if (earlier !== undefined) {
        for (const type of types) earlier.types.add(type);
        for (const property of properties) earlier.properties.add(property);
        return [];
      }
      const first = { types: new Set(types), properties: new Set(properties) };
      if (id !== null) known.set(id, first);
      return [first];
    }),
  }));
  return firsts.map(({ block, things }) => ({
    ...block,
    things: things.map(({ types, properties }) => ({ types: [...types], properties: [...properties] })),
  }));
}

function isJsonLd(type: string | undefined): boolean {
  return /^\s*application\/ld\+json\s*(?:;|$)/i.test(type ?? '');
}

/** Things at the top and in a graph; things inside of others are parts of them. */
function thingsOf(value: unknown): readonly NamedThing[] {
  const tops = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return tops
    .flatMap((top) => (isObject(top) && Array.isArray(top['@graph']) ? (top['@graph'] as readonly unknown[]) : [top]))
    .slice(0, THINGS)
    .flatMap((node): readonly NamedThing[] => {
      if (!isObject(node)) return [];
      const properties = Object.keys(node)
        .filter((key) => !key.startsWith('@') && isGiven(node[key]))
        .map(shortName);
      // a thing with a name alone stands for one that is described elsewhere
      if (properties.length === 0) return [];
      const types = [node['@type']].flat().filter((type): type is string => typeof type === 'string');
      const id = typeof node['@id'] === 'string' ? node['@id'] : null;
      return [{ id, types: types.map(shortName), properties }];
    });
}

/** The name without its vocabulary: `http://schema.org/Product`, `schema:name`. */
function shortName(name: string): string {
  return name.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, '');
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
