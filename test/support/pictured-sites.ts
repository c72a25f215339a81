/** Crawl folders of a made-up site with screenshots that a test draws. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pixels } from '../../src/base/decode-png.ts';
import { encodePng } from '../../src/base/encode-png.ts';
import { boxesText } from '../../src/crawl-folder/element-boxes-file.ts';
import type { ElementBox } from '../../src/model/page-pictures.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { storeComparedSite } from './compared-sites.ts';
import type { StoredCrawlFolder } from './stored-crawl.ts';

export interface DrawnPage {
  readonly html: string;
  /** Null: the crawl took none. Bytes are stored unchanged. */
  readonly picture: Pixels | Uint8Array | null;
  readonly boxes?: readonly ElementBox[];
  /** Pictures of further windows, by size: `375x812`. */
  readonly further?: Readonly<Record<string, Pixels>>;
}

/** @param pages by path @param options of crawl.json */
export async function storePicturedSite(
  pages: Readonly<Record<string, DrawnPage>>,
  options: Readonly<Record<string, unknown>> = { deterministic: true },
): Promise<StoredCrawlFolder> {
  const html = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, page.html]));
  const seeds = ['https://example.org/'];
  const stored = await storeComparedSite({ pages: html, crawl: { seeds, options: { seeds, ...options } } });
  const file = join(stored.folder, 'pages.jsonl');
  await mkdir(join(stored.folder, 'snapshots'), { recursive: true });
  const records = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const lines = records.map(async (line) => {
    const record = JSON.parse(line) as PageRecord;
    const page = pages[new URL(record.url).pathname];
    const snapshot = page === undefined ? {} : await storePictures(stored.folder, page);
    return `${JSON.stringify({ ...record, snapshot: { ...record.snapshot, ...snapshot } })}\n`;
  });
  await writeFile(file, (await Promise.all(lines)).join(''));
  return stored;
}

async function storePictures(folder: string, page: DrawnPage): Promise<Partial<PageRecord['snapshot']>> {
  const keep = async (content: Uint8Array, ending: string): Promise<string> => {
    const path = `snapshots/${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${ending}`;
    await writeFile(join(folder, path), content);
    return path;
  };
  const { picture, boxes = [], further = {} } = page;
  const kept = Object.entries(further).map(
    async ([name, pixels]) => [name, await keep(encodePng(pixels), 'png')] as const,
  );
  const boxesFile = boxesText([{ viewport: { width: 0, height: 0 }, picture: new Uint8Array(), boxes }]);
  return {
    screenshot:
      picture === null ? null : await keep(picture instanceof Uint8Array ? picture : encodePng(picture), 'png'),
    screenshots: Object.fromEntries(await Promise.all(kept)),
    boxes: await keep(Buffer.from(boxesFile), 'json'),
  };
}
