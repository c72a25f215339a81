/**
 * Decides everything that can be decided before anything is written, started or fetched. Errors in a user's options come
 * out here; `--dry-run` prints the plan.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { findBrowser, type FoundBrowser } from '../../browsers/launch/find-browser.ts';
import { CrawlError } from '../base/errors.ts';
import type { SlotRanges } from '../core/capacity/slots.ts';
import { checkUse, readCrawlFile, type CrawlFile, type FolderIntent } from '../crawl-folder/crawl-folder.ts';
import type { AddressGrant } from '../egress/egress.ts';
import { requireOwnAddress } from '../egress/local-address.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';
import { hostKeyOf } from '../model/url/host-key.ts';
import type { ParsedOptions } from '../options/options.ts';
import { USUAL_PACE } from '../options/politeness-options.ts';
import { urlPolicyOf } from '../options/url-options.ts';
import { findServer } from '../redis/private-server.ts';
import { checkEndpoint } from './opening/check-endpoint.ts';
import type { CrawlEnvironment } from './crawl-environment.ts';
import { loadAxeEngine, type AxeEngine } from '../render/axe/axe-engine.ts';
import { loadConsentEngine } from '../render/consent/consent-engine.ts';
import type { ConsentSettings } from '../render/consent/engine-pass.ts';
import { rangesFor } from './capacity/capacity.ts';
import { isLoopbackHost } from './opening/politeness-policy.ts';
import { readPrivateGrants } from './opening/private-grant.ts';
import { requireResumable } from './folder/resumable-crawl.ts';
import { whyNoWorkers } from './fleet/post-crawl.ts';
import { readSeed, type SeedInput } from './opening/seed-input.ts';

export interface CrawlPlan {
  readonly options: ParsedOptions;
  /** Absolute. */
  readonly folder: string;
  readonly intent: FolderIntent;
  /** crawl.json of the crawl that is resumed; null for a new one. */
  readonly resumed: CrawlFile | null;
  readonly seeds: readonly SeedInput[];
  readonly urlPolicy: UrlPolicy;
  /** A redirect counts for the limit of pages, too: a sample must not be led on and on. */
  readonly limitCountsRedirects: boolean;
  /** Pages of the browser that it begins with; 0 where all visits are made elsewhere. */
  readonly workers: number;
  /** Visits at a time, and pages of the browser. */
  readonly slots: SlotRanges;
  readonly hostConcurrency: number;
  readonly grants: readonly AddressGrant[];
  /** Null where no page is to be rendered. */
  readonly browser: FoundBrowser | null;
  /** Settings for consent dialogs; null where they are left alone. */
  readonly consent: ConsentSettings | null;
  /** The engine that checks accessibility; null where it is not checked. */
  readonly axe: AxeEngine | null;
}

/**
 * @throws {CrawlError} SEED_INVALID, USAGE, OUTPUT_EXISTS, OUTPUT_UNUSABLE, NOTHING_TO_RESUME, BROWSER_MISSING, REDIS_MISSING, PACKAGE_MISSING
 */
export async function planCrawl(
  options: ParsedOptions,
  environment: CrawlEnvironment,
  signal: AbortSignal,
): Promise<CrawlPlan> {
  const urlPolicy = urlPolicyOf(options);
  const seeds: SeedInput[] = [];
  for (const text of options.seeds) seeds.push(await readSeed(text, environment.workingFolder, urlPolicy));
  const grants = options.allowPrivate.flatMap(readPrivateGrants);
  const folder = folderOf(options, seeds, environment.workingFolder);
  const intent = options.resume ? 'resume' : options.overwrite ? 'overwrite' : 'new';
  await checkUse(folder, intent);
  if (intent === 'overwrite') await refuseOwnSource(seeds, folder);
  const resumed = intent === 'resume' ? await readCrawlFile(folder) : null;
  if (resumed !== null) requireResumable(resumed, folder, options);
  const browser =
    options.render === 'never'
      ? null
      : await findBrowser({ asked: options.browser ?? null, environment: environment.browsers }, signal);
  checkEndpoint(options, browser);
  if (options.egressAddress !== undefined) await requireOwnAddress(options.egressAddress, 'egressAddress');
  if (options.redis === undefined) await findServer(environment.path); // said before anything is opened
  refuseWithoutWorkers(options, seeds);
  // with several pages at a time the order of visits is random
  const slots = rangesFor(options.workers ?? (options.deterministic ? 1 : undefined), environment.cores);
  const workers = options.workers === 0 ? 0 : slots.pages.start;
  return {
    options,
    folder,
    intent,
    resumed,
    seeds,
    urlPolicy,
    limitCountsRedirects: false,
    workers,
    slots,
    hostConcurrency:
      options.hostConcurrency ?? (seeds.every(isOwnMachine) ? Math.max(1, workers) : USUAL_PACE.hostConcurrency),
    grants,
    browser,
    consent: await consentSettings(options),
    axe: options.axe === undefined ? null : await loadAxeEngine(),
  };
}

/** @throws {CrawlError} USAGE where a crawl is to be served and crawled again, and its archive to be removed for that */
async function refuseOwnSource(seeds: readonly SeedInput[], folder: string): Promise<void> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  const target = await real(folder);
  for (const seed of seeds) {
    if (seed.kind !== 'folder' || (await real(seed.folder)) !== target) continue;
    throw new CrawlError(
      'USAGE',
      `${folder} is what is to be crawled, and the crawl would replace it\nChoose another folder with --output.`,
      { data: { option: 'output' } },
    );
  }
}

/** @throws {CrawlError} USAGE where no process could make a visit */
function refuseWithoutWorkers(options: ParsedOptions, seeds: readonly SeedInput[]): void {
  if (options.workers !== 0) return;
  const served = seeds.filter(({ kind }) => kind === 'folder').length;
  const why = whyNoWorkers(options, options.extensionFiles.length, served);
  if (why === null) return;
  throw new CrawlError('USAGE', `workers: 0 leaves nobody to make visits: ${why}`, { data: { option: 'workers' } });
}

/** @throws {CrawlError} PACKAGE_MISSING */
async function consentSettings({ consent: mode }: ParsedOptions): Promise<ConsentSettings | null> {
  return mode === 'leave' ? null : { mode, engine: await loadConsentEngine() };
}

function isOwnMachine(seed: SeedInput): boolean {
  return seed.kind === 'folder' || isLoopbackHost(hostKeyOf(seed.url));
}

function folderOf(options: ParsedOptions, seeds: readonly SeedInput[], workingFolder: string): string {
  if (options.output !== undefined)
    return isAbsolute(options.output) ? options.output : resolve(workingFolder, options.output);
  if (options.resume) {
    throw new CrawlError('USAGE', 'resume needs the folder of the crawl: give it as output', {
      data: { option: 'output' },
    });
  }
  return join(workingFolder, `orbweaver-${nameOf(seeds[0])}-${timestamp(new Date())}`);
}

/** A name for the folder that a person recognises and every file system takes. */
function nameOf(seed: SeedInput | undefined): string {
  const name =
    seed === undefined
      ? ''
      : seed.kind === 'url'
        ? new URL(seed.url).hostname
        : (seed.folder.split(/[\\/]/).findLast((part) => part !== '') ?? '');
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'site' : safe;
}

/** yyyymmdd-hhmmss in local time, as people name folders. */
function timestamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}
