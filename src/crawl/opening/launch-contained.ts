/** Starts a browser in a network of its own where the machine allows one, else in that of the machine. */
import type { FoundBrowser } from '../../../browsers/launch/find-browser.ts';
import { launchBrowser, type LaunchOptions } from '../../../browsers/launch/launch-browser.ts';
import { openNetworkNamespace } from '../../../browsers/launch/network-namespace.ts';
import type { Browser } from '../../../browsers/protocol/browser.ts';
import type { Disposal } from '../../base/disposal.ts';
import type { Egress } from '../../egress/egress.ts';

interface ContainedLaunch {
  /** The first browser. */
  readonly browser: Browser;
  /** Starts another browser in the same way, except for `otherwise`. */
  readonly launch: (signal: AbortSignal, otherwise?: Partial<LaunchOptions>) => Promise<Browser>;
}

/**
 * Starts a browser whose only way out is the egress proxy. A network of its own has no other way out; where there is none, or the browser
 * does not start in it, its flags name the proxy.
 * @throws what {@link launchBrowser} throws
 */
export async function launchContained(
  found: FoundBrowser,
  parts: {
    readonly launchOptions: Omit<LaunchOptions, 'proxyUrl' | 'proxyCredential' | 'namespace'>;
    readonly egress: Pick<Egress, 'proxyUrl' | 'proxyCredential' | 'serve'>;
    readonly disposal: Disposal;
    /** A browser at an endpoint goes past the proxy; the user wants it so. */
    readonly ungated: boolean;
  },
  signal: AbortSignal,
): Promise<ContainedLaunch> {
  const { egress, disposal, ungated } = parts;
  const { log } = parts.launchOptions;
  const launchOptions = { ...parts.launchOptions, proxyCredential: egress.proxyCredential };
  const namespace = found.kind === 'executable' ? await openNetworkNamespace(found.variables, signal) : null;
  if (namespace !== null) {
    egress.serve(namespace.listener);
    const proxyUrl = egress.proxyUrl.replace(/:\d+$/, `:${namespace.port}`);
    const launch: ContainedLaunch['launch'] = (stop, otherwise = {}) =>
      launchBrowser(found, { ...launchOptions, proxyUrl, namespace, ...otherwise }, stop);
    try {
      const browser = await launch(signal);
      disposal.use(namespace);
      log.info('the browser has a network of its own');
      return { browser, launch };
    } catch {
      await namespace[Symbol.asyncDispose]();
      signal.throwIfAborted();
    }
  }
  const launch: ContainedLaunch['launch'] = (stop, otherwise = {}) =>
    launchBrowser(found, { ...launchOptions, proxyUrl: ungated ? null : egress.proxyUrl, ...otherwise }, stop);
  const browser = await launch(signal);
  if (ungated) log.warn('the browser reaches the network by itself, past the proxy');
  else if (found.kind === 'executable')
    log.info("the browser has the machine's network, with the proxy for its way out");
  else log.info('the pages of the browser at an endpoint reach the proxy, and go through it');
  return { browser, launch };
}
