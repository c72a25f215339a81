/** The site server with all extensions that site.json of a fixture site may use (fixtures/sites/README.md). */
import { silentLog } from '../../../src/base/log.ts';
import { openSiteServer } from '../../../src/site-server/open-site-server.ts';
import type { SiteExtension, SiteServer } from '../../../src/site-server/site-server.ts';
import { fixtureRoute } from './fixture-route.ts';
import { fillPlaceholders } from './placeholders.ts';

const FIXTURE_EXTENSION: SiteExtension = { readRoute: fixtureRoute, rewrite: fillPlaceholders };

/**
 * Serves the folder of a fixture site on loopback; dispose it.
 * @param port 0 lets the system choose
 * @throws {CrawlError} what `openSiteServer` throws
 */
export async function openFixtureSite(folder: string, port = 0): Promise<SiteServer> {
  return await openSiteServer(folder, { port, address: '127.0.0.1', extension: FIXTURE_EXTENSION }, silentLog);
}
