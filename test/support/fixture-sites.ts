/** The sites of fixtures/sites, served on a free port. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { SiteServer } from '../../src/site-server/site-server.ts';
import { parseExpected } from '../../src/compare/expected-site.ts';
import type { Expected } from '../../src/core/diff/expectation.ts';
import { openFixtureSite } from './site-server/open-fixture-site.ts';

const SITES = join(import.meta.dirname, '../../fixtures/sites');

export type Fixture = SiteServer & {
  /** Absolute path of the fixture's folder. */
  readonly folder: string;
  readonly expected: Expected;
};

/** `default` stands for expected.json, any other for expected.<variant>.json. */
export const DEFAULT_VARIANT = 'default';

/** Names of the fixture sites that have an expected.json, sorted; those with a recall.json alone are for test/recall. */
export async function fixtureNames(): Promise<readonly string[]> {
  const files = await readdir(SITES, { recursive: true });
  return files.flatMap((file) => /^([^/\\]+)[/\\]expected\.json$/.exec(file)?.[1] ?? []).sort();
}

/** Names of all fixture sites, sorted. */
export async function siteNames(): Promise<readonly string[]> {
  const files = await readdir(SITES, { recursive: true });
  const lists = files.flatMap((file) => /^([^/\\]+)[/\\](?:expected|recall)\.json$/.exec(file)?.[1] ?? []);
  return [...new Set(lists)].sort();
}

/** Absolute path of a fixture, usable as a crawl's seed. */
export function fixtureFolder(name: string): string {
  return join(SITES, name);
}

/** The variants of a fixture: `default` first, then those in files beside expected.json. */
export async function fixtureVariants(name: string): Promise<readonly string[]> {
  const files = await readdir(fixtureFolder(name));
  const others = files.flatMap((file) => /^expected\.(.+)\.json$/.exec(file)?.[1] ?? []);
  return [DEFAULT_VARIANT, ...others.sort()];
}

/** Opens a fixture with the expected results of a crawl; dispose it. */
export async function openFixture(name: string, variant: string = DEFAULT_VARIANT): Promise<Fixture> {
  const folder = fixtureFolder(name);
  const file = variant === DEFAULT_VARIANT ? 'expected.json' : `expected.${variant}.json`;
  const expected = parseExpected(await readFile(join(folder, file), 'utf8'));
  const server = await openFixtureSite(folder);
  return {
    folder,
    expected,
    url: server.url,
    port: server.port,
    base: server.base,
    published: server.published,
    above: server.above,
    origins: server.origins,
    requests: () => server.requests(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
