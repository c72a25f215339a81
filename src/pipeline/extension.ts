/** What a program that embeds the crawler can add to it. */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import type { LinkDiscoverer } from '../core/links/discoverer.ts';

/** A named bundle of things to add; made by {@link defineExtension}. */
export interface Extension {
  /** For the log, and for messages about it. */
  readonly name: string;
  /** Find further links in pages and files. */
  readonly discoverers: readonly LinkDiscoverer[];
}

/** What an extension may be given as; what it leaves out it does not add. */
export interface ExtensionDefinition {
  readonly name: string;
  readonly discoverers?: readonly LinkDiscoverer[] | undefined;
}

const PARTS = ['discoverers'] as const;

const name = z.string().regex(/^[\w.@/-]{1,100}$/, { error: 'must be 1 to 100 letters, digits or any of . _ - @ /' });
const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});
const discoverer = z.looseObject({ name, accepts: callable, discover: callable });
const definition = z.strictObject({ name, discoverers: z.array(discoverer).optional() });

/**
 * Checks an extension and fills in what it leaves out. It is given to a crawl as one of `extensions`.
 *
 * @example
 * const opml = defineExtension({
 *   name: 'opml',
 *   discoverers: [
 *     {
 *       name: 'outline',
 *       accepts: (contentType) => contentType === 'text/x-opml',
 *       discover: ({ text, url }) =>
 *         [...text.matchAll(/xmlUrl="([^"]+)"/g)].map(([, href = '']) => fileLink(href, url, { kind: 'feed', context: 'outline' })),
 *     },
 *   ],
 * });
 * await using crawl = await startCrawl({ seeds: ['https://example.org/'], extensions: [opml] });
 *
 * @throws {CrawlError} USAGE where a part is unknown or not what it should be
 */
export function defineExtension(given: ExtensionDefinition): Extension {
  const checked = definition.safeParse(given);
  if (!checked.success) throw refusal(checked.error);
  return Object.freeze({ name: given.name, discoverers: [...(given.discoverers ?? [])] });
}

/** The extensions of a crawl. @throws {CrawlError} USAGE as {@link defineExtension}, and where two have one name */
export function checkedExtensions(given: readonly ExtensionDefinition[]): readonly Extension[] {
  const extensions = given.map(defineExtension);
  const names = extensions.map((extension) => extension.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice === undefined) return extensions;
  throw new CrawlError('USAGE', `two extensions are called ${twice}: give each a name of its own`);
}

function refusal(error: z.ZodError): CrawlError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const known = ['name', ...PARTS].join(', ');
    return new CrawlError('USAGE', `an extension has no part ${issue.keys.join(', ')}; there are: ${known}`, {
      cause: error,
    });
  }
  const at = issue?.path.map(String).join('.') ?? '';
  return new CrawlError('USAGE', `extension: ${at === '' ? 'it' : at} is not accepted: ${issue?.message ?? ''}`, {
    cause: error,
  });
}
