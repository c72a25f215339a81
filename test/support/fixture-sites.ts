/** The sites of fixtures/sites, served on a free port. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { silentLog } from '../../src/base/log.ts';
import { openSiteServer } from '../../src/site-server/open-site-server.ts';
import type { SiteServer } from '../../src/site-server/site-server.ts';
import { parseExpected, type Expected } from './expected.ts';

const SITES = join(import.meta.dirname, '../../fixtures/sites');

export type Fixture = SiteServer & {
  /** Absolute path of the fixture's folder. */
  readonly folder: string;
  /** expected.json */
  readonly expected: Expected;
  /** expected.<variant>.json: variant → what it expects. */
  readonly variants: ReadonlyMap<string, Expected>;
};

/** Names of all fixture sites, sorted. */
export async function fixtureNames(): Promise<readonly string[]> {
  const entries = await readdir(SITES, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Absolute path of a fixture: what a crawl can be given as its seed. */
export function fixtureFolder(name: string): string {
  return join(SITES, name);
}

/** Opens a fixture; dispose it. */
export async function openFixture(name: string): Promise<Fixture> {
  const folder = fixtureFolder(name);
  const expected = parseExpected(await readFile(join(folder, 'expected.json'), 'utf8'));
  const variants = new Map<string, Expected>();
  for (const file of await readdir(folder)) {
    const variant = /^expected\.(.+)\.json$/.exec(file)?.[1];
    if (variant !== undefined) variants.set(variant, parseExpected(await readFile(join(folder, file), 'utf8')));
  }
  const server = await openSiteServer(folder, { port: 0, address: '127.0.0.1' }, silentLog);
  return {
    folder,
    expected,
    variants,
    url: server.url,
    port: server.port,
    origins: server.origins,
    requests: () => server.requests(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
