/**
 * The options of a crawl: one table, a row for each, in the order of the help. The types here, flags, help, the environment and keys of
 * the config file come from it (option-row.ts). Options are parsed once, frozen and handed down.
 */
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { SettleMode } from '../model/render-settings.ts';
import { IDENTITY_OPTIONS } from './identity-options.ts';
import { issueWords } from './issue-words.ts';
import type { DefaultedRow, GivenValues, OptionRow, ValueOfRow } from './option-row.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { POLITENESS_OPTIONS } from './politeness-options.ts';
import { MOST_RENDERED_WORKERS, RENDERING_OPTIONS } from './rendering-options.ts';
import { SCOPE_OPTIONS } from './scope-options.ts';
import { signedInMarkOf } from './sign-in-values.ts';

type OptionTable = typeof SCOPE_OPTIONS &
  typeof POLITENESS_OPTIONS &
  typeof RENDERING_OPTIONS &
  typeof IDENTITY_OPTIONS &
  typeof OUTPUT_OPTIONS;

export const OPTIONS: OptionTable = {
  ...SCOPE_OPTIONS,
  ...POLITENESS_OPTIONS,
  ...RENDERING_OPTIONS,
  ...IDENTITY_OPTIONS,
  ...OUTPUT_OPTIONS,
};

/** Durations are milliseconds, sizes bytes. Every key but `seeds` may be left out. */
export interface CrawlOptions extends Omit<GivenValues<OptionTable>, 'settle'> {
  /** http(s) URLs, or folders to serve and crawl; at least one. */
  readonly seeds: readonly string[];
  /** When a page counts as done; default `auto`. */
  readonly settle?: GivenSettleMode | undefined;
}

/** As in {@link SettleMode}; the duration is a plain number, as all of the options are. */
type GivenSettleMode = SettleMode | { readonly kind: 'after'; readonly duration: number };

type DefaultedKey = {
  [Key in keyof OptionTable]: OptionTable[Key] extends DefaultedRow<unknown> ? Key : never;
}[keyof OptionTable];

/** Options after defaults, before the seeds are looked at: values that are still optional depend on seeds or machine. */
export type ParsedOptions = Omit<CrawlOptions, DefaultedKey> & {
  readonly [Key in DefaultedKey]: ValueOfRow<OptionTable[Key]>;
};

const ROWS: Readonly<Record<string, OptionRow<unknown>>> = OPTIONS;

const seeds: z.ZodType<readonly string[]> = z
  .array(z.string().min(1))
  .min(1, { error: 'at least one seed is needed: an http(s) URL or a folder' });

/** Its last step checks nothing: it names the type of the values that the rows have read. */
const schema: z.ZodType<ParsedOptions> = z
  .strictObject({
    seeds,
    ...Object.fromEntries(
      Object.entries(ROWS).map(([key, { type, default: value }]) => [
        key,
        value === undefined ? type.schema.optional() : type.schema.default(value),
      ]),
    ),
  })
  .pipe(z.custom<ParsedOptions>());

/**
 * Checks options and fills in the defaults.
 * @throws {CrawlError} USAGE with the option, its value and what would be accepted
 */
export function parseOptions(options: CrawlOptions): ParsedOptions {
  const result = schema.safeParse(options);
  if (!result.success) throw usageError(result.error, options);
  const { resume, overwrite } = result.data;
  checkRendering(result.data);
  checkAuditing(result.data);
  if (!result.data.sitemap && result.data.sitemaps.length > 0) {
    throw new CrawlError('USAGE', 'a sitemap is named, and none is to be read: give one of them', {
      data: { option: 'sitemaps' },
    });
  }
  const { workers = 0, render } = result.data;
  if (workers > MOST_RENDERED_WORKERS && render !== 'never') {
    throw new CrawlError(
      'USAGE',
      `${workers} workers are too many for a browser: give at most ${MOST_RENDERED_WORKERS}, or render never`,
      { data: { option: 'workers' } },
    );
  }
  if (result.data.workers === 0 && result.data.redis === undefined) {
    throw new CrawlError(
      'USAGE',
      'workers: 0 leaves nobody to make visits\nGive a Redis server (redis) by which workers of other machines can join.',
      { data: { option: 'workers', needs: 'redis' } },
    );
  }
  if (result.data.redisCluster && result.data.redis === undefined) {
    throw new CrawlError(
      'USAGE',
      'redisCluster: no node of the cluster is named\nGive one (redis), such as redis://host:6379.',
      { data: { option: 'redisCluster', needs: 'redis' } },
    );
  }
  const { headers, headerOrigins } = result.data;
  if (headerOrigins.length > 0 && headers.length === 0) {
    throw new CrawlError('USAGE', 'an origin for headers is named, and no header is given: give both', {
      data: { option: 'headerOrigins' },
    });
  }
  if (result.data.standby && !resume) {
    throw new CrawlError('USAGE', 'standby waits for a crawl that is there: resume that one', {
      data: { option: 'standby' },
    });
  }
  if (result.data.keepState && result.data.discardState) {
    throw new CrawlError('USAGE', 'keepState and discardState exclude each other: give one of them', {
      data: { option: 'discardState' },
    });
  }
  const { snapshotStorage, sizeLimit } = result.data;
  if (snapshotStorage !== undefined && sizeLimit !== undefined) {
    throw new CrawlError(
      'USAGE',
      'sizeLimit counts what the folder keeps, and snapshotStorage keeps it elsewhere: give one of them',
      {
        data: { option: 'snapshotStorage' },
      },
    );
  }
  if (resume && overwrite) throw new CrawlError('USAGE', 'resume and overwrite exclude each other: give one of them');
  return Object.freeze(result.data);
}

/** Checks that options of audits are given with one. @throws {CrawlError} USAGE */
function checkAuditing({ audit, axe, measure, render }: ParsedOptions): void {
  const needs = [...(axe === undefined ? [] : ['axe']), ...(measure ? ['measure'] : [])];
  const [needed] = needs;
  if (needed !== undefined && !audit)
    throw new CrawlError('USAGE', `${needed} is a part of audits, and this crawl is not audited: give audit, too`, {
      data: { option: needed },
    });
  if (measure && render === 'never')
    throw new CrawlError('USAGE', 'measure needs a browser, and render never does without one: give one of them', {
      data: { option: 'render' },
    });
}

/** Options that need a browser exclude `--render never`. @throws {CrawlError} USAGE */
function checkRendering(options: ParsedOptions): void {
  const [needed] = options.render === 'never' ? browserNeeds(options) : [];
  if (needed === undefined) return;
  throw new CrawlError('USAGE', `${needed} needs a browser, and render never does without one: give one of them`, {
    data: { option: 'render' },
  });
}

/** The options that make every page need a browser, in words. */
export function browserNeeds(options: ParsedOptions): readonly string[] {
  const { snapshot, waitFor, explore, settle, selectLinks, storageState, login, signedIn, consent, axe } = options;
  return [
    ...(options.deterministic ? ['deterministic'] : []),
    ...(snapshot.includes('screenshot') ? ['snapshot screenshot'] : []),
    ...(waitFor === undefined ? [] : ['waitFor']),
    ...(explore === 'click' || explore === 'submit' ? [`explore ${explore}`] : []),
    ...(settle.kind === 'auto' ? [] : [`settle ${settle.kind}`]),
    ...(selectLinks.length === 0 ? [] : ['selectLinks']),
    ...(storageState === undefined ? [] : ['storageState']),
    ...(login === undefined ? [] : ['login']),
    ...(signedIn === undefined ? [] : ['signedIn']),
    ...(consent === 'leave' ? [] : [`consent ${consent}`]),
    ...(axe === undefined ? [] : ['axe']),
  ];
}

/** Does the crawl have a sign-in that a site could end? HTTP authentication is none: it goes with every request. */
export function staysSignedIn({ storageState, login, signedIn }: ParsedOptions): boolean {
  return storageState !== undefined || login !== undefined || signedIn !== undefined;
}

/** Is a page with the mark signed in for sure? A server may have forgotten a cookie, and a log-in may stand at any address. */
export function provesSignIn({ signedIn }: ParsedOptions): boolean {
  return signedIn !== undefined && signedInMarkOf(signedIn)?.kind === 'selector';
}

/** Does a site take the crawl for one of its users? Then a visit may sign that user out, or change what is the user's. */
export function visitsAsUser(options: ParsedOptions): boolean {
  const hasCredential = options.headers.some((line) => /^(?:authorization|cookie)\s*:/i.test(line));
  return staysSignedIn(options) || hasCredential || options.httpAuth.length > 0;
}

/** Zod's error about an option, in the words of this program. */
function usageError(error: z.ZodError, options: CrawlOptions): CrawlError {
  const [issue] = error.issues;
  if (issue === undefined) return new CrawlError('USAGE', 'the options are not accepted', { cause: error });
  if (issue.code === 'unrecognized_keys') {
    const cures = issue.keys.flatMap((key) => optionMeantBy(key) ?? []);
    const cure = cures.length === 0 ? '' : `\nDid you mean ${cures.join(', ')}?`;
    return new CrawlError('USAGE', `unknown option: ${issue.keys.join(', ')}${cure}`, { cause: error });
  }
  const [key] = issue.path;
  const name = key === undefined ? 'options' : String(key);
  const value = key === undefined ? options : Object.entries(options).find(([each]) => each === name)?.[1];
  const shown = ROWS[name]?.type.secret === true ? 'the value given' : shownValue(value);
  return new CrawlError(
    'USAGE',
    `${name}: ${shown.slice(0, 200)} is not accepted: ${issueWords(issue, ROWS[name]?.type ?? null)}`,
    {
      cause: error,
      data: { option: name },
    },
  );
}

/** The option that a flag's name stands for, as programs write it (`noRobots` is `robots: false`), or one of a similar name; else null. */
function optionMeantBy(key: string): string | null {
  for (const [option, { flag }] of Object.entries(ROWS)) {
    const [, name = ''] = /--([a-z-]+)/.exec(flag) ?? [];
    if (name.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase()) !== key) continue;
    return name.startsWith('no-') ? `${option}: false` : option;
  }
  return key === 'url' || key === 'urls' || key === 'urlList' ? 'seeds' : nearest(key, Object.keys(ROWS));
}

/** A value of a program, as it would be written there: JSON has no `Infinity`, no expressions and no large integers. */
function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const written = (_key: string, part: unknown): unknown =>
    typeof part === 'bigint' || (typeof part === 'number' && !Number.isFinite(part)) || part instanceof RegExp
      ? String(part)
      : part;
  try {
    return JSON.stringify(value, typeof value === 'object' ? written : undefined) ?? String(value);
  } catch {
    return 'the value given'; // a circle
  }
}
