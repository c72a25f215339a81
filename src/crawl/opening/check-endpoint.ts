/** Checks that a browser at an endpoint goes together with the options, and tells the user what it means. */
import type { FoundBrowser } from '../../../browsers/launch/find-browser.ts';
import { CrawlError } from '../../base/errors.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { Notes } from '../summary/notes.ts';

type EndpointOptions = Pick<ParsedOptions, 'snapshot' | 'proxy' | 'egressAddress' | 'ungatedBrowser'>;

/** @throws {CrawlError} USAGE */
export function checkEndpoint(options: EndpointOptions, browser: FoundBrowser | null): void {
  if (!options.ungatedBrowser) return; // the connection will show whether it reaches the proxy
  if (browser?.kind === 'endpoint') return checkUngated(options);
  const cure = 'Name one with browser, or leave ungated-browser out';
  throw usage('ungatedBrowser', `ungated-browser is for a browser at an endpoint, and there is none\n${cure}.`);
}

/** No traffic passes this program: there is nothing to archive, and no proxy between. */
function checkUngated({ snapshot, proxy, egressAddress }: EndpointOptions): void {
  const what = 'what an ungated browser loads does not pass through this program';
  const archives = snapshot.includes('warc');
  const cure = 'Leave ungated-browser out';
  if (archives)
    throw usage('browser', `${what}, so that snapshot warc has nothing to keep\n${cure}, or leave warc out.`);
  if (proxy !== undefined)
    throw usage('browser', `${what}, so that proxy would be no way for it\n${cure}, or leave proxy out.`);
  if (egressAddress !== undefined)
    throw usage(
      'browser',
      `${what}, so that it would not go out by egress-address\n${cure}, or leave egress-address out.`,
    );
}

function usage(option: string, message: string): CrawlError {
  return new CrawlError('USAGE', message, { data: { option } });
}

/** Notes what does not hold for pages of an ungated browser. */
export function noteUngated(browser: FoundBrowser, notes: Notes): void {
  const { url = '' } = browser.kind === 'endpoint' ? browser : {};
  notes.say(
    `the browser ${parsedUrl(url)?.host ?? url} is ungated (--ungated-browser): its pages reach private addresses, and this machine's own; ` +
      'their requests are neither slowed down, counted nor archived',
  );
}
