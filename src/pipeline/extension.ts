/** Extensions that a program embedding the crawler can add to it. */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import type { PageProcessor } from '../core/files/page-processor.ts';
import type { LinkDiscoverer } from '../core/links/discoverer.ts';
import { globFault } from '../core/scope/url-glob.ts';
import type { SnapshotContent } from '../crawl-folder/writer.ts';
import { RULE_SUBJECTS, type AuditRule } from '../model/audit-rule.ts';
import { RULE_CATEGORIES, SEVERITIES } from '../model/finding.ts';
import type { HookFunction } from '../render/hooks/page-hook.ts';

/** A named bundle of additions; made by {@link defineExtension}. */
export interface Extension {
  /** Name for the log, and for messages about the extension. */
  readonly name: string;
  /** Find facts of pages and files of their types; asked before the built-in ones. */
  readonly processors: readonly PageProcessor[];
  /** Find further links in pages and files. */
  readonly discoverers: readonly LinkDiscoverer[];
  /** Open stores of pages and files in other forms, beside the crawl's snapshots. */
  readonly snapshotWriters: readonly OpenSnapshotWriter[];
  /** Work on pages in the browser with Playwright. */
  readonly pageHooks: readonly PageHookDefinition[];
  /** Further rules for audits; a crawl ignores them. */
  readonly auditRules: readonly AuditRule[];
}

/** The definition of an extension; parts that it leaves out stay empty. */
export interface ExtensionDefinition {
  readonly name: string;
  readonly processors?: readonly PageProcessor[] | undefined;
  readonly discoverers?: readonly LinkDiscoverer[] | undefined;
  readonly snapshotWriters?: readonly OpenSnapshotWriter[] | undefined;
  readonly pageHooks?: readonly PageHookDefinition[] | undefined;
  readonly auditRules?: readonly AuditRule[] | undefined;
}

/** Works on the pages that it matches; has at least one of `before` and `settled`. A failure is only logged; the visit goes on. */
export interface PageHookDefinition {
  readonly name: string;
  /** A glob of URLs (`/shop/**`, `https://example.org/*`), or a function of the URL. Matching pages are rendered. */
  readonly matches: string | ((url: string) => boolean);
  /** Called before the page is navigated: for scripts, cookies, routes. */
  readonly before?: HookFunction | undefined;
  /** Called when the page has become idle, before it is read. */
  readonly settled?: HookFunction | undefined;
}

/**
 * Opens a snapshot writer, once, when the crawl begins or is resumed.
 * @param folder the crawl folder; the writer should use a subfolder of its own, or `snapshots/`
 */
export type OpenSnapshotWriter = (folder: string) => ExtensionWriter | Promise<ExtensionWriter>;

/** A store of an extension for pages and files. An exception is only logged; the visit goes on. */
export interface ExtensionWriter {
  /**
   * Called before the visit is committed, and again with the same URL if the visit is repeated: then it should replace the earlier content.
   * `html` is null where the document is not a page, `text` where it has none.
   * @returns names and paths, relative to the crawl folder, for `snapshot.extra` of pages.jsonl: `{ markdown: 'md/<hash>.md' }`
   */
  write(
    content: SnapshotContent,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | null | undefined | void>;
  /** Called when the crawl has ended. */
  seal?(): Promise<void>;
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

const PARTS = ['processors', 'discoverers', 'snapshotWriters', 'pageHooks', 'auditRules'] as const;

const name = z.string().regex(/^[\w.@/-]{1,100}$/, { error: 'must be 1 to 100 letters, digits or any of . _ - @ /' });
const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});
const discoverer = z.looseObject({ name, accepts: callable, discover: callable });
const processor = z.looseObject({ name, accepts: callable, process: callable });
const matches = z.custom<PageHookDefinition['matches']>(
  (value) => typeof value === 'function' || (typeof value === 'string' && globFault(value) === null),
  {
    error: ({ input }) =>
      typeof input === 'string' ? `the glob ${globFault(input) ?? ''}` : 'must be a glob of URLs or a function',
  },
);
const pageHook = z
  .looseObject({ name, matches, before: callable.optional(), settled: callable.optional() })
  .refine(({ before, settled }) => before !== undefined || settled !== undefined, {
    error: 'must have a function before or settled',
  });
const sentence = z.string().min(1).max(1000);
const auditRule = z
  .looseObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, { error: 'must be words of small letters with hyphens between them' }),
    severity: z.enum(SEVERITIES),
    category: z.enum(RULE_CATEGORIES),
    about: z.enum(RULE_SUBJECTS),
    title: sentence,
    why: sentence,
    fix: sentence,
    source: z.looseObject({ name: sentence, url: sentence }),
    checkPage: callable.optional(),
    checkSite: callable.optional(),
  })
  .refine(({ checkPage, checkSite }) => (checkPage === undefined) !== (checkSite === undefined), {
    error: 'must have a function checkPage or checkSite, and not both',
  });
const definition = z.strictObject({
  name,
  processors: z.array(processor).optional(),
  discoverers: z.array(discoverer).optional(),
  snapshotWriters: z.array(callable).optional(),
  pageHooks: z.array(pageHook).optional(),
  auditRules: z.array(auditRule).optional(),
});

/**
 * Checks an extension and fills in missing parts. Pass the result to a crawl in `extensions`.
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
 * @throws {CrawlError} USAGE where a part is unknown or malformed
 */
export function defineExtension(given: ExtensionDefinition): Extension {
  const checked = definition.safeParse(given);
  if (!checked.success) throw refusal(checked.error);
  const { processors = [], discoverers = [], snapshotWriters = [], pageHooks = [], auditRules = [] } = given;
  return Object.freeze({
    name: given.name,
    processors: [...processors],
    discoverers: [...discoverers],
    snapshotWriters: [...snapshotWriters],
    pageHooks: [...pageHooks],
    auditRules: [...auditRules],
  });
}

/** Checks the extensions of a crawl. @throws {CrawlError} USAGE as {@link defineExtension}, and where two have the same name */
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
