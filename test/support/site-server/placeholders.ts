import { readFile } from 'node:fs/promises';

import type { AnswerHeaders, Content } from '../../../src/site-server/content.ts';
import { isText, mediaTypeOf } from '../../../src/site-server/media-types.ts';
import type { NamedHost } from '../../../src/site-server/site-server.ts';

/** `{origin:two}`, `{host:two}`; without a name: the answering host. */
const PLACEHOLDER = /\{(origin|host)(?::([a-z0-9.-]+))?\}/g;

/**
 * Fills in values that a fixture cannot know before the server listens, in text and headers: `{origin:two}` becomes
 * `http://two.localhost:1234`, `{host:two}` becomes `two.localhost:1234`. An unknown name stays as written.
 */
export async function fillPlaceholders(content: Content, host: NamedHost): Promise<Content> {
  return {
    ...content,
    headers: filledHeaders(content.headers, host),
    source: await filledSource(content.source, host),
  };
}

function filledHeaders(headers: AnswerHeaders, host: NamedHost): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? filledText(value, host) : value.map((one) => filledText(one, host)),
    ]),
  );
}

/** Works in any encoding that contains ASCII: it treats each byte as one character. */
async function filledSource(source: Content['source'], host: NamedHost): Promise<Content['source']> {
  if (!Buffer.isBuffer(source) && !isText(mediaTypeOf(source.path))) return source;
  const body = Buffer.isBuffer(source) ? source : await readFile(source.path);
  return Buffer.from(filledText(body.toString('latin1'), host), 'latin1');
}

function filledText(text: string, { name: current, origins }: NamedHost): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name: string | undefined) => {
    const origin = origins.get(name ?? current);
    if (origin === undefined) return whole;
    return kind === 'origin' ? origin : origin.slice('http://'.length);
  });
}

/** The names in a text's placeholders, to check site.json. */
export function placeholderNames(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap((match) => (match[2] === undefined ? [] : [match[2]]));
}
