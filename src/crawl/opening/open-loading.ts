/** Opens what loads pages, in the order of the layers: the way out, headers, sign-ins, slots, browser. A crawl and its workers open the same. */
import { Gauge } from '../../base/gauge.ts';
import type { EpochMs } from '../../base/units.ts';
import { HostCookies } from '../../core/cookies/host-cookies.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import { openCapacity, type Capacity } from '../capacity/capacity.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { ownLearning } from '../fleet/page-learning.ts';
import type { SharedLog } from '../folder/log-file.ts';
import { openSignIn, type OpenedSignIn } from '../sign-in/open-session.ts';
import type { ContextParts } from './context-parts.ts';
import { createDeferredRecorder, type DeferredRecorder } from './deferred-recorder.ts';
import { grantSeeds, openGateway } from './open-network.ts';
import { openPageLoader, type LoaderNetwork, type OpenedPageLoader } from './open-page-loader.ts';
import type { RequestShare } from './politeness-policy.ts';
import { sentHeaders } from './sent-headers.ts';
import type { ServedSites } from './serve-folders.ts';
import { tryProxy, userProxyOf } from './user-proxy.ts';

export interface Loading extends LoaderNetwork, OpenedPageLoader {
  /** The headers of `--http-auth` alone. */
  readonly httpAuth: UserHeaders;
  /** Null where the crawl keeps no archive. */
  readonly recorder: DeferredRecorder | null;
  readonly signIn: OpenedSignIn;
  readonly capacity: Capacity;
}

interface LoadingNeeds {
  readonly sites: ServedSites;
  /** Addresses that the user named beside the seeds: they are reached as these are. */
  readonly sitemaps: readonly CanonicalUrl[];
  readonly share: RequestShare;
  /** The time of the crawl, where this machine's clock may differ. */
  readonly now: () => EpochMs;
  /** The log of `parts`: what sign-ins keep secret is hidden from it. */
  readonly log: SharedLog;
}

/** @throws {CrawlError} where a file of the options, the proxy or the browser does not serve */
export async function openLoading(
  plan: CrawlPlan,
  { sites, sitemaps, share, now, log }: LoadingNeeds,
  parts: ContextParts,
  signal: AbortSignal,
): Promise<Loading> {
  const { options } = plan;
  const { disposal } = parts;
  const recorder = options.snapshot.includes('warc') ? createDeferredRecorder(now) : null;
  const egress = disposal.use(await openGateway(plan, { served: sites, recorder, share, notes: parts.notes }, log));
  await grantSeeds(egress, [...sites.seeds, ...sitemaps], signal);
  const proxy = userProxyOf(options);
  if (proxy !== null) await tryProxy(proxy, { egress, seeds: sites.remote }, signal);
  const { httpAuth, extraHeaders } = sentHeaders(options, sites.seeds);
  const signIn = disposal.use(await openSignIn(options, { ...parts, seeds: sites.seeds }));
  log.hide(signIn.secrets);
  const { signIns } = signIn;
  const cookies = new HostCookies();
  const waitingPages = new Gauge();
  const learning = ownLearning({ isAudit: options.audit });
  const capacity = disposal.use(openCapacity(plan, { ...parts, waiting: waitingPages }));
  const network: LoaderNetwork = { egress, extraHeaders, signIns, cookies, waitingPages, learning };
  const opened = await openPageLoader(plan, network, parts, signal);
  capacity.onChange(() => opened.renderer?.resize(capacity.pages));
  return { ...network, ...opened, httpAuth, recorder, signIn, capacity };
}
