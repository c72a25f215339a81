import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  archiveNames,
  openTestArchive,
  otherIndex,
  ownIndex,
  pass,
  readArchive,
  type TestExchange,
} from '../../support/archive.ts';

let base = '';
let killed = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-recovery-'));
  killed = join(base, 'killed');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const OPEN = 'c-test-00000.warc.gz.open';
const text = (name: string): string => createHash('sha512').update(name).digest('hex').repeat(6);

const EXCHANGES: readonly TestExchange[] = [
  { url: 'https://example.org/a', body: text('a') },
  { url: 'https://example.org/b', body: text('b'), answer: { status: 404 } },
  { url: 'https://example.org/again', body: text('a') },
  {
    url: 'https://example.org/api',
    method: 'POST',
    asked: [['Content-Type', 'application/x-www-form-urlencoded']],
    requestBody: 'q=1',
    body: text('answer'),
  },
  { url: 'https://example.org/c', body: text('c') },
];

/** Makes the folder of an archive whose process was killed with all of this on the disk. */
async function leaveBehind(): Promise<void> {
  const live = join(base, 'live');
  const archive = await openTestArchive(live);
  for (const exchange of EXCHANGES) pass(archive, exchange);
  await archive.sync();
  await cp(live, killed, { recursive: true });
  await archive[Symbol.asyncDispose]();
}

/** Resumes, archives one more answer, and ends. */
async function goOn(folder: string): Promise<void> {
  const archive = await openTestArchive(folder);
  pass(archive, { url: 'https://example.org/later', body: text('c') });
  await archive.seal();
}

/** The description of its record in a line, without the request, which may be lost while the answer is whole. */
function placeIn(line: string): string {
  return /"mime":.*"filename":"[^"]+"/.exec(line)?.[0] ?? line;
}

async function urisOf(folder: string): Promise<readonly (string | null)[]> {
  return (await readArchive(folder))
    .filter(({ type }) => type !== 'warcinfo' && type !== 'request')
    .map(({ uri }) => uri);
}

describe('an archive whose crawl was killed', () => {
  it('goes on in a new file, with all that was on the disk', async () => {
    await leaveBehind();
    await goOn(killed);
    expect(await archiveNames(killed)).toEqual(['c-test-00000.warc.gz', 'c-test-00001.warc.gz', 'index.cdxj']);
    expect(await urisOf(killed)).toEqual([...EXCHANGES.map(({ url }) => url), 'https://example.org/later']);
    expect(await ownIndex(killed)).toEqual(await otherIndex(killed));
  });

  it('knows the payloads that it has, with their exact times', async () => {
    await leaveBehind();
    await goOn(killed);
    const last = (await readArchive(killed)).find(({ uri }) => uri === 'https://example.org/later');
    expect(last).toMatchObject({ type: 'revisit' });
    expect(last?.warc).toMatchObject({
      'warc-refers-to-target-uri': 'https://example.org/c',
      'warc-refers-to-date': '2026-01-02T03:04:05.678Z',
    });
  });

  it('is cut behind its last whole record, wherever it broke off and whatever the journal had of it', async () => {
    await leaveBehind();
    const { size } = await stat(join(killed, 'archive', OPEN));
    const journal = await readFile(join(killed, 'archive', 'index.cdxj.open'));
    const whole = await urisOf(await sealedCopy());
    let fewest = whole.length;
    for (let cut = 0; cut <= size; cut += 211) {
      const folder = join(base, `cut-${cut}`);
      await cp(killed, folder, { recursive: true });
      await truncate(join(folder, 'archive', OPEN), cut);
      if (cut % 2 === 0)
        await truncate(join(folder, 'archive', 'index.cdxj.open'), Math.floor((journal.length * cut) / size / 2));
      await goOn(folder);
      const uris = (await urisOf(folder)).filter((uri) => uri !== 'https://example.org/later');
      expect(uris).toEqual(whole.slice(0, uris.length));
      fewest = Math.min(fewest, uris.length);
      const [own, other] = [await ownIndex(folder), await otherIndex(folder)];
      expect(own.map(placeIn).toSorted(), `cut at ${cut}`).toEqual(other.map(placeIn).toSorted());
      await rm(folder, { recursive: true });
    }
    expect(fewest).toBe(0);
  });

  it('loses what stands behind its last whole record: noise, or half a page of zeros', async () => {
    await leaveBehind();
    await appendFile(join(killed, 'archive', OPEN), Buffer.concat([Buffer.alloc(5000), Buffer.from('noise')]));
    await appendFile(join(killed, 'archive', 'index.cdxj.open'), `${'\0'.repeat(300)}\n{"torn`);
    await goOn(killed);
    expect(await urisOf(killed)).toHaveLength(EXCHANGES.length + 1);
    expect(await ownIndex(killed)).toEqual(await otherIndex(killed));
  });

  it('gets its whole index back where the journal is lost', async () => {
    await leaveBehind();
    await rm(join(killed, 'archive', 'index.cdxj.open'));
    await goOn(killed);
    expect(await ownIndex(killed)).toEqual(await otherIndex(killed));
  });

  it('has no body left over from before', async () => {
    await leaveBehind();
    await writeFile(join(killed, 'archive', '.bodies'), 'x');
    await goOn(killed);
    expect(await archiveNames(killed)).not.toContain('.bodies');
  });

  it('goes on when its index was sorted already, or half', async () => {
    await leaveBehind();
    await goOn(killed);
    await goOn(killed);
    await writeFile(join(killed, 'archive', 'index.cdxj.sorted'), 'half');
    await goOn(killed);
    expect(await archiveNames(killed)).toEqual([
      ...[0, 1, 2, 3].map((number) => `c-test-0000${number}.warc.gz`),
      'index.cdxj',
    ]);
    expect(await ownIndex(killed)).toEqual(await otherIndex(killed));
    await expectExactTimes(killed);
  });

  /** Expects each revisit to name an existing record, by its exact time. */
  async function expectExactTimes(folder: string): Promise<void> {
    const records = await readArchive(folder);
    const answers = records
      .filter(({ type }) => type === 'response')
      .map(({ warc, uri }) => `${uri} ${warc['warc-date']}`);
    const referred = records
      .filter(({ type }) => type === 'revisit')
      .map(({ warc }) => `${warc['warc-refers-to-target-uri']} ${warc['warc-refers-to-date']}`);
    expect(referred.length).toBeGreaterThan(0);
    expect(referred.filter((each) => !answers.includes(each))).toEqual([]);
  }

  async function sealedCopy(): Promise<string> {
    const folder = join(base, 'sealed');
    await cp(killed, folder, { recursive: true });
    await (await openTestArchive(folder)).seal();
    return folder;
  }
});
