/** Extensions that a program that embeds the crawler can add to it. */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import type { PageProcessor } from '../core/files/page-processor.ts';
import type { LinkDiscoverer } from '../core/links/discoverer.ts';
import type { SnapshotContent } from '../crawl-folder/writer.ts';

/** A named bundle of things to add; made by {@link defineExtension}. */
export interface Extension {
  /** For the log, and for messages about it. */
  readonly name: string;
  /** Find out about pages and files of their types; asked before the built-in ones. */
  readonly processors: readonly PageProcessor[];
  /** Find further links in pages and files. */
  readonly discoverers: readonly LinkDiscoverer[];
  /** Open what keeps pages and files in a form of its own, beside the crawl's snapshots. */
  readonly snapshotWriters: readonly OpenSnapshotWriter[];
}

/** The definition of an extension; it does not extend the crawl in the parts that it leaves out. */
export interface ExtensionDefinition {
  readonly name: string;
  readonly processors?: readonly PageProcessor[] | undefined;
  readonly discoverers?: readonly LinkDiscoverer[] | undefined;
  readonly snapshotWriters?: readonly OpenSnapshotWriter[] | undefined;
}

/**
 * Opens a snapshot writer, once, when the crawl begins or is resumed.
 * @param folder the crawl folder; what is written there should lie in a folder of its own, or under `snapshots/`
 */
export type OpenSnapshotWriter = (folder: string) => ExtensionWriter | Promise<ExtensionWriter>;

/** A store of an extension for pages and files. An exception costs a line of the log, and not the visit. */
export interface ExtensionWriter {
  /**
   * Asked before the visit is committed, and again with the same URL where that is repeated: it should replace what is there.
   * `html` is null where it is no page, `text` where the document has none.
   * @returns names and paths, relative to the crawl folder, for `snapshot.extra` of pages.jsonl: `{ markdown: 'md/<hash>.md' }`
   */
  write(
    content: SnapshotContent,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | null | undefined | void>;
  /** The crawl has ended. */
  seal?(): Promise<void>;
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

const PARTS = ['processors', 'discoverers', 'snapshotWriters'] as const;

const name = z.string().regex(/^[\w.@/-]{1,100}$/, { error: 'must be 1 to 100 letters, digits or any of . _ - @ /' });
const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});
const discoverer = z.looseObject({ name, accepts: callable, discover: callable });
const processor = z.looseObject({ name, accepts: callable, process: callable });
const definition = z.strictObject({
  name,
  processors: z.array(processor).optional(),
  discoverers: z.array(discoverer).optional(),
  snapshotWriters: z.array(callable).optional(),
});

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
  const { processors = [], discoverers = [], snapshotWriters = [] } = given;
  return Object.freeze({
    name: given.name,
    processors: [...processors],
    discoverers: [...discoverers],
    snapshotWriters: [...snapshotWriters],
  });
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
