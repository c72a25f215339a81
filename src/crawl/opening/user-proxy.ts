/** The proxy of `--proxy`: its description for the gate, and a trial of it before anything is fetched. */
import { CrawlError } from '../../base/errors.ts';
import type { Egress } from '../../egress/egress.ts';
import type { UpstreamFault } from '../../egress/upstream/upstream-fault.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { endpointOf } from '../../model/url/host-key.ts';
import { readUpstreamProxy, type UpstreamProxy } from '../../model/upstream-proxy.ts';
import type { ParsedOptions } from '../../options/options.ts';

/** Seeds that a proxy is tried with: some may be forbidden there, or hang (arbitrary). */
const TRIED_SEEDS = 3;

/** Null where no proxy is given. */
export function userProxyOf({ proxy }: Pick<ParsedOptions, 'proxy'>): UpstreamProxy | null {
  const reading = proxy === undefined ? null : readUpstreamProxy(proxy);
  return reading?.kind === 'read' ? reading.proxy : null;
}

/**
 * Connects to the first seed through the proxy, so that a wrong address or password is reported before the crawl begins. Nothing is asked
 * of the seed. A seed that does not answer is no fault of the proxy.
 * @param seeds that are reached through it
 * @throws {CrawlError} PROXY_UNUSABLE; the signal's reason
 */
export async function tryProxy(
  proxy: UpstreamProxy,
  { egress, seeds }: { readonly egress: Egress; readonly seeds: readonly CanonicalUrl[] },
  signal: AbortSignal,
): Promise<void> {
  const origins = seeds.slice(0, TRIED_SEEDS).map(endpointOf);
  let refusal: CrawlError | null = null;
  for (const origin of origins.length === 0 ? [null] : origins) {
    // oxlint-disable-next-line no-await-in-loop -- one connection at a time; most often the first is the last
    const fault = await egress.tryUpstream(origin, signal);
    if (fault === null || fault.kind === 'target') return;
    refusal = new CrawlError('PROXY_UNUSABLE', `the proxy ${proxy.name} ${fault.detail}\n${CURES[fault.kind]}`, {
      data: { proxy: proxy.name },
    });
    if (fault.kind !== 'refused' && fault.kind !== 'silent') break;
  }
  if (refusal !== null) throw refusal;
}

const CURES: Readonly<Record<Exclude<UpstreamFault['kind'], 'target'>, string>> = {
  unreachable: 'Check the address and the port of --proxy, and that the proxy runs.',
  silent:
    'Check the address, the port and the scheme of --proxy (http, https or socks5), and that the proxy reaches the seeds.',
  tls: 'Check that it speaks TLS (else write http://); an authority of your own is named by NODE_EXTRA_CA_CERTS=<file>.',
  credential:
    'Give the user and the password in the environment: ORBWEAVER_PROXY_AUTH=user:password. Of HTTP, only Basic is spoken.',
  refused:
    'Addresses are resolved and judged here, so the proxy is asked for addresses, also for port 80: let it allow CONNECT to them.',
  'bad-answer': 'Check the scheme of --proxy (http, https or socks5) and its port.',
};
