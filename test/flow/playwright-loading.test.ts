/** When the program loads Playwright (0.2 to 0.4 s of its start): never for crawls without a browser, else while the browser starts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { runCommand } from '../support/command.ts';

const WATCH = fileURLToPath(new URL('../support/watch-start.mjs', import.meta.url));

let folder = '';
let site: FixtureServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-loading-'));
  site = await FixtureServer.open({ '/': '<title>x</title><a href=/two>2</a>', '/two': '<title>y</title>' });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function startOf(...flags: readonly string[]): Promise<readonly string[]> {
  const words = ['crawl', site.url('/'), '-o', join(folder, 'out'), '--overwrite', '--delay', '0', ...flags];
  const { code, output } = await runCommand(words, folder, { NODE_OPTIONS: `--import ${WATCH}` }).ended;
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('2 pages captured') });
  return [...output.matchAll(/^@@ (.+)$/gm)].map(([, what = '']) => what);
}

test('a crawl that renders nothing never loads Playwright', async () => {
  expect(await startOf('--render', 'never')).toEqual(['starts redis', 'holds 0']);
});

test('a crawl with default options loads Playwright while its browser starts, before it starts Redis', async () => {
  const events = await startOf();
  expect(events.slice(0, 3)).toEqual(['starts browser', 'loads playwright', 'starts redis']);
  expect(events.slice(3)).toEqual([expect.stringMatching(/^holds [1-9]/)]);
});
