/** The controller's posting of a crawl for its workers, and the crawls that take none. */
import type { Posting } from '../../fleet/posting.ts';
import type { Identity } from '../../options/identity.ts';
import { VERSION } from '../../options/identity.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { redactedOptions } from '../folder/crawl-json.ts';

/** Options that say how the controller runs and where it writes: a worker has its own. */
const OF_CONTROLLER = [
  'redis',
  'redisCluster',
  'egressAddress',
  'browser',
  'ungatedBrowser',
  'output',
  'resume',
  'overwrite',
  'workers',
  'hostConcurrency',
  'logLevel',
  'keepState',
  'discardState',
  'dryRun',
  'standby',
  'metrics',
  'timeLimit',
] as const satisfies readonly (keyof ParsedOptions)[];

/**
 * The reasons, in words, why only the process that leads a crawl can make its visits; null where workers may join. Workers would need
 * something that changes from visit to visit, is a file of the controller's machine, or is counted there.
 */
export function whyNoWorkers(options: ParsedOptions, extensions: number, served: number): string | null {
  const reasons: readonly (readonly [boolean, string])[] = [
    [served > 0, 'it serves a folder of the machine of its controller'],
    [options.login !== undefined, 'it signs in (--login)'],
    [options.storageState !== undefined || options.signedIn !== undefined, 'it is signed in'],
    [options.pageScripts.length > 0, 'page scripts are files of the machine of its controller'],
    [extensions > 0, 'extensions are files of the machine of its controller'],
    [options.deterministic, 'one process makes it page by page (--deterministic)'],
    [options.axe !== undefined, 'the pages that --axe checks are chosen by one process'],
    [options.sizeLimit !== undefined, '--size-limit counts what one process writes'],
  ];
  return reasons.find(([holds]) => holds)?.[1] ?? null;
}

/** @param refused why the crawl takes no workers; then nothing else of it is posted */
export function postingOf(
  { options, hostConcurrency }: CrawlPlan,
  identity: Identity,
  seeds: readonly string[],
  refused: string | null,
): Omit<Posting, 'epoch'> {
  const shown = Object.entries(redactedOptions(options)).filter(
    ([key, value]) => value !== undefined && key !== 'seeds' && !OF_CONTROLLER.some((own) => own === key),
  );
  return {
    version: VERSION,
    refused,
    options: refused === null ? Object.fromEntries(shown) : {},
    seeds: refused === null ? seeds : [],
    identity,
    hostConcurrency,
    egress: options.egressAddress ?? '',
  };
}
