/**
 * The content by which two pages are compared to see whether a parameter changes anything: all that a reader gets, to the last figure.
 * Only the address of the page itself is left out.
 */
import { fnv1a, mixed } from '../../base/hash.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { addressOf, hasParameters, isToken, type Address } from './address.ts';

interface PageContent {
  readonly url: CanonicalUrl;
  readonly title: string;
  /** Digest of the whole text. */
  readonly digest: string;
  /** Canonical URLs of its links and of the pictures it shows, in any order; others are left out. */
  readonly targets: readonly string[];
}

/**
 * @param hashOf {@link fnv1a}, or an equal function
 * @returns the same number for pages that say the same; 32 bits
 */
export function contentOf(
  { url, title, digest, targets }: PageContent,
  hashOf: (text: string) => number = fnv1a,
): number {
  const own = ownPlace(url);
  const shapes = new Set<number>();
  for (const target of targets) {
    const shape = shapeOf(target, own);
    if (shape !== null) shapes.add(mixed(hashOf(shape)));
  }
  let sum = mixed(fnv1a(`${title}\n${digest}`)) + shapes.size;
  for (const shape of shapes) sum = (sum + mixed(shape ^ 0x51ed270b)) >>> 0;
  return sum;
}

interface OwnPlace extends Address {
  /** Common prefix of all URLs of its host. */
  readonly root: string;
  /** Its URL without parameters. */
  readonly here: string;
}

function ownPlace(url: CanonicalUrl): OwnPlace {
  const own = addressOf(url);
  return { ...own, root: `${own.host}/`, here: own.host + own.path };
}

/** Null for a target that is the page itself, whatever its parameters. */
function shapeOf(target: string, own: OwnPlace): string | null {
  if (!target.startsWith(own.root)) {
    // the query to another host often names the page that it comes from
    return /^https?:\/\/[^/]/.test(target) ? target.replace(/[?#][^]*$/, '') : null;
  }
  if (!hasParameters(target)) return target === own.here ? null : target;
  const { path, parameters } = addressOf(storedCanonicalUrl(target));
  if (path === own.path) return null;
  const kept = parameters.flatMap(({ name, value }) => {
    if (!isToken(value)) return [`${name}=${namesOwn(value, own) ? '@' : value}`];
    return own.parameters.some((each) => each.name === name) ? [] : [`${name}=@`];
  });
  return kept.length === 0 ? own.host + path : `${own.host}${path}?${kept.join('&')}`;
}

/** `?next=%2Fguide%3Fref%3Dhome`: where to go back to. */
function namesOwn(value: string, { path }: Address): boolean {
  return path.length > 1 && (value.includes(path) || value.includes(encodeURIComponent(path)));
}

/** Names of places kept of one page, and characters of its document that are searched. */
const MOST_PLACES = 500;
const LOOKED_AT = 2_000_000;

/** Hashes of the names of places in a document: values of `id`. @param html as it was serialised */
export function placesIn(html: string): readonly number[] {
  const found = new Set<number>();
  for (const [, name = ''] of html.slice(0, LOOKED_AT).matchAll(/\sid="([^"<>]{1,200})"/g)) {
    found.add(fnv1a(name));
    if (found.size >= MOST_PLACES) break;
  }
  return [...found];
}
