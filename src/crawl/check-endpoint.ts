/** A browser at an endpoint and the egress gate: what goes together, and what a user should know. */
import type { FoundBrowser } from '../../browsers/launch/find-browser.ts';
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import type { ParsedOptions } from '../options/options.ts';
import type { Notes } from './notes.ts';
import { isLoopbackName } from './politeness-policy.ts';

type EndpointOptions = Pick<ParsedOptions, 'snapshot' | 'proxy' | 'ungatedBrowser'>;

/**
 * The proxy of a crawl listens on loopback: a browser of another machine cannot reach it, and would look for it on its own. Whether one of
 * this machine does is proved when it is connected to (browsers/launch/connect-endpoint.ts).
 * @throws {CrawlError} USAGE
 */
export function checkEndpoint(options: EndpointOptions, browser: FoundBrowser | null): void {
  if (browser?.kind === 'endpoint') return options.ungatedBrowser ? checkUngated(options) : checkReach(browser.url);
  if (!options.ungatedBrowser) return;
  const cure = 'Name one with browser, or leave ungated-browser out';
  throw usage('ungatedBrowser', `ungated-browser is for a browser at an endpoint, and there is none\n${cure}.`);
}

/** Nothing passes this program: there is nothing to archive, and no proxy between. */
function checkUngated({ snapshot, proxy }: EndpointOptions): void {
  const what = 'what an ungated browser loads does not pass through this program';
  const archives = snapshot.includes('warc');
  const cure = 'Leave ungated-browser out';
  if (archives)
    throw usage('browser', `${what}, so that snapshot warc has nothing to keep\n${cure}, or leave warc out.`);
  if (proxy !== undefined)
    throw usage('browser', `${what}, so that proxy would be no way for it\n${cure}, or leave proxy out.`);
}

function checkReach(url: string): void {
  const name = parsedUrl(url)?.hostname ?? '';
  if (isLoopbackName(name)) return;
  const what = `the browser ${name} is on another machine, and cannot reach the proxy of this crawl, which listens on 127.0.0.1 here`;
  const cure =
    'Start one on this machine, or let that one go past the proxy with ungated-browser: no rule for addresses holds for it then, and nothing is archived';
  throw usage('ungatedBrowser', `${what}\n${cure}.`);
}

function usage(option: string, message: string): CrawlError {
  return new CrawlError('USAGE', message, { data: { option } });
}

/** What does not hold for pages of an ungated browser. */
export function noteUngated(browser: FoundBrowser, notes: Notes): void {
  const { url = '' } = browser.kind === 'endpoint' ? browser : {};
  notes.say(
    `the browser ${parsedUrl(url)?.host ?? url} is ungated (--ungated-browser): its pages reach private addresses, and this machine's own; ` +
      'their requests are neither slowed down, counted nor archived',
  );
}
