/** An archive stays whole when its crawl is killed or cannot write. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { readRecord } from '../../src/warc/warc-reader.ts';
import { archiveNames, expectDigests, otherIndex, ownIndex, readArchive } from '../support/archive.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand, runLimited } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { writeGraphSite } from '../support/graph-site.ts';
import { httpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';
import { expectWhole } from '../support/whole-crawl.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-archive-kills-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('a crawl that is killed while it archives', () => {
  const PAGES = 36;

  it('loses no page that it told of, whenever it was killed, and is one whole archive in the end', async () => {
    const folder = join(base, 'killed');
    const sites = join(base, 'graph');
    const graph = await writeGraphSite(sites, PAGES, 8, 11);
    const pagesTold = async (): Promise<number> => (await linesOf<PageRecord>(folder, 'pages.jsonl')).length;
    let command = runCommand(['crawl', sites, '-o', folder, '--snapshot', 'warc'], base);
    for (const enough of [4, 12, 20]) {
      await until(async () => (await pagesTold()) >= enough, `${enough} pages: ${command.output()}`);
      command.child.kill('SIGKILL');
      await command.ended;
      for (const { snapshot } of await linesOf<PageRecord>(folder, 'pages.jsonl'))
        await expectArchived(folder, snapshot);
      command = runCommand(['resume', folder], base);
    }
    const { code, output } = await command.ended;
    expect(code, output).toBe(0);

    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(graph.paths.toSorted());
    for (const { snapshot } of pages) await expectArchived(folder, snapshot);
    const records = await readArchive(folder);
    await expectDigests(folder, records);
    expect(await ownIndex(folder)).toEqual(await otherIndex(folder));
    await expectWhole(folder);
    expect(await archiveNames(folder)).toEqual([
      ...[0, 1, 2, 3].map((number): unknown => expect.stringMatching(`-0000${number}\\.warc\\.gz$`)),
      'index.cdxj',
    ]);
  });

  async function expectArchived(folder: string, { warc }: PageRecord['snapshot']): Promise<void> {
    if (warc?.html === undefined || warc.text === undefined) throw new Error('a page is not archived');
    const answer = await readRecord(folder, warc);
    expect(answer.httpStatus).toBe(200);
    // an uncommitted visit may have stored the same payload before
    expect(answer.type === 'response' || answer.refersTo?.uri === answer.targetUri).toBe(true);
    for (const place of [warc.html, warc.text])
      expect(await readRecord(folder, place)).toMatchObject({ type: 'resource' });
  }

  it('breaks off where the disk takes no more, and goes on from what is whole', async () => {
    const folder = join(base, 'full');
    const filler = (): string => randomBytes(30_000).toString('hex');
    await using origin = await httpOrigin((request, response) => {
      const number = Number((request.url ?? '').slice(2) || 0);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`${number < 9 ? `<a href="/p${number + 1}">next</a>` : ''}<!-- ${filler()} -->`);
    });
    const flags = ['--render', 'never', '--snapshot', 'warc', '--allow-private', '127.0.0.1'];
    // no file may grow beyond 400 KB: like a full disk, but for this process alone
    const limited = runLimited(400, ['crawl', `${origin.url}/p0`, '-o', folder, ...flags], base);
    const first = await limited.ended;
    expect(first.code, first.output).toBe(3);
    expect(first.output).toContain('.warc.gz');
    const state = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8')) as { readonly state: string };
    expect(state.state).toBe('failed');
    const before = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(10);
    for (const { snapshot } of before) await expectArchived(folder, snapshot);

    const { code, output } = await runHere(['resume', folder], base);
    expect(code, output).toBe(0);
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages).toHaveLength(10);
    for (const { snapshot } of pages) await expectArchived(folder, snapshot);
    await expectDigests(folder, await readArchive(folder));
    expect(await ownIndex(folder)).toEqual(await otherIndex(folder));
    await expectWhole(folder);
  });

  it('is put aside by --overwrite, archive and all', async () => {
    const folder = join(base, 'overwritten');
    const sites = join(base, 'small');
    const archive = ['--snapshot', 'warc', '--render', 'never'];
    await writeGraphSite(sites, 3, 1);
    await runHere(['crawl', sites, '-o', folder, ...archive], base);
    const before = await archiveNames(folder);
    const refused = await runHere(['crawl', sites, '-o', folder, ...archive], base);
    expect(refused.code).toBe(2);
    expect(await archiveNames(folder)).toEqual(before);
    const again = await runHere(['crawl', sites, '-o', folder, ...archive, '--overwrite'], base);
    expect(again.code, again.output).toBe(0);
    expect((await archiveNames(folder)).filter((name) => before.includes(name))).toEqual(['index.cdxj']);
    expect(await ownIndex(folder)).toEqual(await otherIndex(folder));
    await expectWhole(folder);
  });
});
