/** Crawls on the user's own Redis server, which holds other data, too. */
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Crawl } from '../../src/crawl/crawl.ts';
import { resumeCrawl, startCrawl, type StartOptions } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { forgetKeys } from '../../src/redis/forget-keys.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { writeGraphSite } from '../support/graph-site.ts';
import { startUserRedis, type UserRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const PAGES = 25;
let base = '';
let redis: UserRedis;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-shared-'));
  for (const name of ['one', 'two']) await writeGraphSite(join(base, name), PAGES, 4, 5);
  redis = await startUserRedis();
  await redis.client.set('somebody', 'else');
});
afterAll(async () => {
  await redis[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

const start = (site: string, output: string, more: Partial<StartOptions> = {}): Promise<Crawl> =>
  startCrawl({
    seeds: [join(base, site)],
    output: join(base, output),
    redis: redis.url,
    render: 'never',
    workers: 2,
    snapshot: [],
    logLevel: 'warn',
    ...more,
  });

const keys = async (): Promise<readonly string[]> => (await redis.client.keys('*')).toSorted();
const pagesIn = (output: string): Promise<readonly PageRecord[]> => linesOf(join(base, output), 'pages.jsonl');

async function expectWhole(output: string): Promise<void> {
  const urls = (await pagesIn(output)).map(({ url }) => url);
  expect([urls.length, new Set(urls).size]).toEqual([PAGES, PAGES]);
}

/** Waits for that many pages, then ends the crawl as Ctrl-C does. */
async function interrupt(crawl: Crawl, output: string, enough: number): Promise<void> {
  await until(async () => (await pagesIn(output)).length >= enough, `${enough} pages`);
  crawl.stop('drain');
  expect(await crawl.report()).toMatchObject({ state: 'interrupted' });
}

/** Starts a crawl, and kills it when it has taken the lead and is about to make its frontier: its connection passes on nothing from then on. */
async function killAsItBegins(output: string): Promise<void> {
  let isCut = false;
  let cut = (): void => {};
  const isThere = new Promise<void>((resolve) => (cut = resolve));
  const relay = createServer((near) => {
    const far = connect(Number(new URL(redis.url).port), '127.0.0.1');
    near.on('data', (bytes) => {
      isCut ||= bytes.includes(':f:meta');
      if (isCut) cut();
      else far.write(bytes);
    });
    far.on('data', (bytes) => void near.write(bytes));
    for (const [one, another] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => another.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const { port } = relay.address() as AddressInfo;
  const words = ['crawl', join(base, 'one'), '--redis', `redis://127.0.0.1:${port}`, '--render', 'never'];
  const { child, ended } = runCommand([...words, '--output', join(base, output)], base);
  await isThere;
  child.kill('SIGKILL');
  await ended;
  relay.close();
}

describe("a crawl on a user's Redis server", () => {
  it('keeps all its keys under one prefix with one hash tag, and takes them away when it has finished', async () => {
    await using crawl = await start('one', 'whole');
    const seen = new Set<string>();
    const report = crawl.report();
    let ended = false;
    void report.finally(() => (ended = true)); // checked while the keys are read
    await until(async () => {
      for (const key of await keys()) seen.add(key);
      return ended;
    }, 'the end of the crawl');
    expect(await report).toMatchObject({ state: 'finished', outcomes: { captured: PAGES } });
    await expectWhole('whole');
    const prefix = `orbweaver:{${crawl.id}}:`;
    expect([...seen].filter((key) => !key.startsWith(prefix))).toEqual(['somebody']);
    const context = new Set([...seen].flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length)[0] : [])));
    expect(context).toEqual(new Set(['f', 'q', 'r', 's', 't', 'w']));
    expect(await keys()).toEqual(['somebody']);
  });

  it('keeps its keys with --keep-state', async () => {
    await using crawl = await start('one', 'kept', { limit: 2, keepState: true });
    await crawl.report();
    expect(await redis.client.exists(`orbweaver:{${crawl.id}}:f:meta`)).toBe(1);
    await forgetKeys(redis.client, `orbweaver:{${crawl.id}}:`);
  });

  it('keeps its keys when it is interrupted, goes on with them, and takes them away at last', async () => {
    await using crawl = await start('one', 'interrupted', { delay: 20 });
    await interrupt(crawl, 'interrupted', 4);
    const left = await keys();
    expect(left).toContain(`orbweaver:{${crawl.id}}:f:meta`);

    await using resumed = await resumeCrawl(join(base, 'interrupted'), { redis: redis.url, delay: 0 });
    expect(resumed.id).toBe(crawl.id);
    expect(await resumed.report()).toMatchObject({ state: 'finished' });
    await expectWhole('interrupted');
    expect(await keys()).toEqual(['somebody']);
  });

  it('ends with its report when the server is full, and goes on when that has more memory', async () => {
    await using crawl = await start('one', 'full', { delay: 20 });
    await until(async () => (await pagesIn('full')).length >= 3, 'three pages');
    await redis.client.config('SET', 'maxmemory', '1');
    const { end, cause, totals } = await crawl.report();
    expect([end, cause]).toEqual(['broken', expect.stringContaining('maxmemory')]);
    await redis.client.config('SET', 'maxmemory', '0');
    expect(totals.visited).toBeGreaterThanOrEqual(3);
    await using resumed = await resumeCrawl(join(base, 'full'), { delay: 0 });
    await resumed.report();
    await expectWhole('full');
    expect(await keys()).toEqual(['somebody']);
  });

  it('says that the server was emptied meanwhile, and reports what it had', async () => {
    await using crawl = await start('one', 'emptied', { delay: 20 });
    await until(async () => (await pagesIn('emptied')).length >= 3, 'three pages');
    const left = await keys();
    await redis.client.del(...left.filter((key) => key !== 'somebody'));
    const { end, cause, totals } = await crawl.report();
    expect([end, cause]).toEqual(['broken', expect.stringContaining('does not know the crawl')]);
    expect(totals.discovered).toBeGreaterThan(0);
    await forgetKeys(redis.client, `orbweaver:{${crawl.id}}:`);
  });

  it('says that its state is lost where another server is named, and goes on with the right one after that', async () => {
    await using crawl = await start('one', 'moved', { delay: 20 });
    await interrupt(crawl, 'moved', 3);
    {
      await using other = await startUserRedis();
      await expect(resumeCrawl(join(base, 'moved'), { redis: other.url })).rejects.toMatchObject({
        code: 'STATE_LOST',
      });
      expect(await other.client.keys('*')).toEqual([]);
    }
    await using resumed = await resumeCrawl(join(base, 'moved'), { delay: 0 });
    await resumed.report();
    await expectWhole('moved');
    expect(await keys()).toEqual(['somebody']);
  });

  it('takes the keys of a crawl away that it replaces, also of one that was killed', async () => {
    {
      await using replaced = await start('one', 'replaced', { limit: 2 });
      await replaced.report();
      const controller = `orbweaver:{${replaced.id}}:w:controller`;
      expect(await redis.client.hset(controller, 'state', 'running')).toBe(0);
    }
    await using crawl = await start('one', 'replaced', { overwrite: true });
    expect(await crawl.report()).toMatchObject({ state: 'finished' });
    expect(await keys()).toEqual(['somebody']);
  });

  it('leaves the keys of a crawl that it replaces where another process leads that', async () => {
    await using led = await start('one', 'led', { delay: 500 }); // must outlast the start of the other one
    await cp(join(base, 'led', 'crawl.json'), join(base, 'copied', 'crawl.json'));
    await using crawl = await start('one', 'copied', { overwrite: true, limit: 1, discardState: true });
    const why = `The state of the crawl ${led.id} stays in Redis (The crawl ${led.id} is led by another process`;
    expect((await crawl.report()).notes).toContainEqual(expect.stringContaining(why));
    led.stop('drain');
    await led.report();
    await using resumed = await resumeCrawl(join(base, 'led'), { delay: 0 });
    await resumed.report();
    await expectWhole('led');
    expect(await keys()).toEqual(['somebody']);
  });

  it('says that the state of a crawl that it replaces stays in another server, and only where there is one', async () => {
    const notesOf = async (more: Partial<StartOptions>): Promise<readonly string[]> => {
      await using crawl = await start('one', 'elsewhere', { overwrite: true, limit: 2, ...more });
      const { notes } = await crawl.report();
      return notes.filter((note) => note.includes('stays in'));
    };
    await using other = await startUserRedis();
    const secret = other.url.replace('//', '//default:geheim@');
    await other.client.acl('SETUSER', 'default', 'on', '>geheim');
    expect(await notesOf({ redis: secret })).toEqual([]);
    const [key = ''] = await other.client.keys('*');
    const id = /\{(c-\w+)/.exec(key)?.[1] ?? 'none';
    const cure = `redis-cli --scan --pattern 'orbweaver:{${id}*' | xargs redis-cli unlink`;
    const said = await notesOf({ discardState: true });
    expect(said).toEqual([expect.stringMatching(new RegExp(`replaced crawl ${id} stays in ${other.url}[/,]`))]);
    expect(said.join()).toContain(cure);
    expect(said.join()).not.toContain('geheim');
    expect(await other.client.keys('*')).not.toEqual([]);
    // the one that it replaces now has left nothing
    expect(await notesOf({ redis: secret, discardState: true })).toEqual([]);
  });

  it('leaves nothing there where the server loses its data, whatever came after', async () => {
    await using crawl = await start('one', 'lost', { delay: 200, hostConcurrency: 1 });
    await until(async () => (await pagesIn('lost')).length >= 2, 'two pages');
    const prefix = `orbweaver:{${crawl.id}}:`;
    await forgetKeys(redis.client, prefix);
    await redis.client.hset(`${prefix}q:bull:visits:meta`, 'opts.maxLenEvents', '10000'); // as BullMQ does every five seconds
    const { state, cause } = await crawl.report();
    expect([state, cause]).toEqual(['failed', expect.stringContaining('does not know the crawl')]);
    expect(await keys()).toEqual(['somebody']);
  });

  it('leaves what is there where the server comes back with older data', async () => {
    await using crawl = await start('one', 'older', { delay: 200, hostConcurrency: 1 });
    await until(async () => (await pagesIn('older')).length >= 2, 'two pages');
    await redis.client.hset(`orbweaver:{${crawl.id}}:w:controller`, 'epoch', '0');
    const { state, cause } = await crawl.report();
    expect([state, cause]).toEqual(['failed', expect.stringContaining('does not know the crawl')]);
    expect((await keys()).length).toBeGreaterThan(5);
    await forgetKeys(redis.client, `orbweaver:{${crawl.id}}:`);
  });

  it('leaves nothing there where it fails before it has begun', async () => {
    const metrics = new URL(redis.url).host;
    await expect(start('one', 'unbegun', { metrics })).rejects.toMatchObject({ code: 'USAGE' });
    expect(await keys()).toEqual(['somebody']);
  });

  it('leaves nothing there where it was killed before it began, once the next crawl of its folder has', async () => {
    await killAsItBegins('killed');
    const left = (await keys()).filter((key) => key !== 'somebody');
    expect(left).toEqual([expect.stringContaining(':w:controller')]);
    expect(await readdir(join(base, 'killed'))).not.toContain('crawl.json');
    await killAsItBegins('killed'); // and once more
    expect((await keys()).length).toBe(3);
    await using crawl = await start('one', 'killed');
    const { state, notes } = await crawl.report();
    expect([state, notes.filter((note) => note.includes('of the crawl'))]).toEqual(['finished', []]);
    expect(await keys()).toEqual(['somebody']);
    expect((await readdir(join(base, 'killed'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('takes them away also where a start that fails comes in between, and leaves those of a crawl that has begun', async () => {
    await killAsItBegins('twice');
    await expect(start('one', 'twice', { metrics: new URL(redis.url).host })).rejects.toMatchObject({ code: 'USAGE' });
    await using other = await start('one', 'begun', { delay: 20 });
    await interrupt(other, 'begun', 3);
    const note = join(base, 'twice', '.unbegun');
    const noted = JSON.parse(await readFile(note, 'utf8')) as readonly { readonly redis: string }[];
    await writeFile(note, JSON.stringify([...noted, { ...noted[0], id: other.id }]));
    await using crawl = await start('one', 'twice');
    await crawl.report();
    const left = await keys();
    expect(left.filter((key) => !key.startsWith(`orbweaver:{${other.id}}`))).toEqual(['somebody']);
    await using resumed = await resumeCrawl(join(base, 'begun'), { redis: redis.url, delay: 0 });
    expect(await resumed.report()).toMatchObject({ state: 'finished' });
    await expectWhole('begun');
  });

  it('says where keys of a killed crawl may be left, if the next one uses another server', async () => {
    await killAsItBegins('away');
    await using crawl = await start('one', 'away', { redis: undefined });
    const { notes } = await crawl.report();
    expect(notes).toEqual([expect.stringMatching(/^Keys of the crawl c-\w+, which was killed .*redis-cli --scan/)]);
    for (const key of await keys()) if (key !== 'somebody') await redis.client.del(key);
  });

  it('says what stays there where its user may not remove it', async () => {
    await redis.client.acl('SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all', '-scan');
    const url = redis.url.replace('//', '//limited:secret@');
    await using crawl = await start('one', 'limited', { redis: url });
    const { id, state, notes } = await crawl.report();
    expect(state).toBe('finished');
    const cure = `redis-cli --scan --pattern 'orbweaver:{${id}*' | xargs redis-cli unlink`;
    expect(notes).toContainEqual(expect.stringMatching(/stays in Redis \(NOPERM .*scan/));
    expect(notes).toContainEqual(expect.stringContaining(cure));
    await forgetKeys(redis.client, `orbweaver:{${id}}:`);
  });

  it('does not disturb another crawl on the same server', async () => {
    await using first = await start('one', 'side-1', { workers: 1 });
    await using second = await start('two', 'side-2', { workers: 1 });
    const reports = await Promise.all([first.report(), second.report()]);
    expect(reports.map(({ state, totals }) => [state, totals.visited])).toEqual([
      ['finished', PAGES],
      ['finished', PAGES],
    ]);
    await expectWhole('side-1');
    await expectWhole('side-2');
    expect(await keys()).toEqual(['somebody']);
  });
});
