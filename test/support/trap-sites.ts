/** The endless fixture sites: their good pages, and the URLs on which a crawl must not waste its budget (trap.json). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import type { SiteServer } from '../../src/site-server/site-server.ts';
import { urlOfKey } from '../../src/compare/expected-site.ts';
import { openFixtureSite } from './site-server/open-fixture-site.ts';
import { fixtureFolder } from './fixture-sites.ts';

const schema = z.strictObject({
  /** Flags of `crawl`, as in expected.json. */
  options: z.record(z.string(), z.union([z.string(), z.literal(true)])).default({}),
  /** All pages that matter, keys as in expected.json. */
  good: z.array(z.string()).min(1),
  /** Regular expressions for the endless URLs; each matches at least one. */
  endless: z.array(z.string()).min(1),
});

export interface TrapSite {
  readonly folder: string;
  readonly options: Readonly<Record<string, string | true>>;
  readonly server: SiteServer;
  /** Canonical URLs. */
  readonly good: readonly string[];
  /** Does a URL belong to the endless part? */
  isEndless(url: string): boolean;
}

/** Names of the fixture sites with a trap.json, sorted. */
export async function trapSiteNames(): Promise<readonly string[]> {
  const files = await readdir(fixtureFolder(''), { recursive: true });
  return files.flatMap((file) => /^([^/\\]+)[/\\]trap\.json$/.exec(file)?.[1] ?? []).sort();
}

/** Opens a site; dispose it. */
export async function openTrapSite(name: string): Promise<TrapSite & AsyncDisposable> {
  const folder = fixtureFolder(name);
  const { options, good, endless } = schema.parse(JSON.parse(await readFile(join(folder, 'trap.json'), 'utf8')));
  const patterns = endless.map((source) => new RegExp(source));
  const server = await openFixtureSite(folder);
  return {
    folder,
    options,
    server,
    good: good.map((key) => urlOfKey(key, server.origins)),
    isEndless: (url) => patterns.some((pattern) => pattern.test(url)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
