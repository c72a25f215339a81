/** `{origin:two}`, `{host:two}`; without a name: the host that is answering. */
const PLACEHOLDER = /\{(origin|host)(?::([a-z0-9.-]+))?\}/g;

/**
 * Fills in what a fixture cannot know before the server listens: `{origin:two}` becomes `http://two.localhost:1234`,
 * `{host:two}` becomes `two.localhost:1234`. A name that no host has is left as it stands.
 * @param origins name of each host → its origin
 * @param current name of the host that is answering
 */
export function fillPlaceholders(text: string, origins: ReadonlyMap<string, string>, current: string): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name: string | undefined) => {
    const origin = origins.get(name ?? current);
    if (origin === undefined) return whole;
    return kind === 'origin' ? origin : origin.slice('http://'.length);
  });
}

/** The same for bytes of any encoding that contains ASCII: one byte is one character meanwhile. */
export function fillPlaceholdersInBytes(body: Buffer, origins: ReadonlyMap<string, string>, current: string): Buffer {
  return Buffer.from(fillPlaceholders(body.toString('latin1'), origins, current), 'latin1');
}

/** The names that a text asks for; what site.json is checked with. */
export function placeholderNames(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap((match) => (match[2] === undefined ? [] : [match[2]]));
}
