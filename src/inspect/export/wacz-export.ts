/** The archive of a crawl as one file that replay tools open: WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1). */
import { basename, join } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import type { StoredCrawl } from '../../crawl-folder/stored-crawl.ts';
import type { Unread } from '../../crawl-folder/stored-lines.ts';
import { checkArchive } from './archive-integrity.ts';
import { openArchiveFiles } from './crawl-archive.ts';
import { prepareIn, type ExportSource, type PreparedExport } from './prepared.ts';
import { targetError } from './target-error.ts';
import { stageFile } from './target.ts';
import { createTextFile } from './text-file.ts';
import { createWaczFile, type WaczEntry } from './wacz-file.ts';
import { waczFault } from './wacz-integrity.ts';
import { writePages, type WrittenPages } from './wacz-pages.ts';

const WACZ_VERSION = '1.1.1';

interface WaczSource extends ExportSource {
  readonly crawl: StoredCrawl;
  /** Name and version of this program. */
  readonly software: string;
}

/** @throws {CrawlError} NOT_STORED, ARCHIVE_DAMAGED, CRAWL_UNREADABLE, OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL, USAGE */
export async function prepareWacz(
  path: string,
  source: WaczSource,
  unread: Unread,
  signal: AbortSignal,
): Promise<PreparedExport> {
  const staging = await stageFile(path, source.rules);
  return prepareIn(staging, async () => {
    const files = await openArchiveFiles(source.folder, source.crawl, staging.scratch('archive'));
    const archive = await checkArchive(files, signal);
    const pagesFile = staging.scratch('pages.jsonl');
    const pages = await pagesInto(pagesFile, { ...source, archive }, unread, signal);
    const target = staging.file(basename(path));
    await pack(target.temporary, { source, files, pagesFile, pages }, signal).catch((error: unknown) => {
      throw signal.aborted ? error : targetError(error, target.path);
    });
    const fault = await waczFault(target.temporary, signal);
    if (fault !== null)
      throw new CrawlError('OUTPUT_UNUSABLE', `${target.path} is not what was written to it: ${fault}`);
    return {
      counts: { pages: pages.count, records: archive.records },
      notes: notesOf(pages),
      paths: [target.path],
    };
  });
}

function notesOf({ count, unanswered }: WrittenPages): readonly string[] {
  return [
    ...(count === 0 ? ['no page of the crawl is in the archive: the WACZ file has records and nothing to open'] : []),
    ...(unanswered === 0
      ? []
      : [`pages that are not named in the WACZ file, for the archive has no answer of them: ${unanswered}`]),
  ];
}

async function pagesInto(
  path: string,
  { folder, crawl, archive }: WaczSource & Pick<Parameters<typeof writePages>[1], 'archive'>,
  unread: Unread,
  signal: AbortSignal,
): Promise<WrittenPages> {
  await using file = await createTextFile(path);
  const pages = await writePages(file, { folder, seeds: crawl.seeds, archive }, unread, signal);
  await file.finish();
  return pages;
}

interface Content {
  readonly source: WaczSource;
  readonly files: Awaited<ReturnType<typeof openArchiveFiles>>;
  readonly pagesFile: string;
  readonly pages: WrittenPages;
}

async function pack(path: string, { source, files, pagesFile, pages }: Content, signal: AbortSignal): Promise<void> {
  const { crawl, software } = source;
  const made = new Date(crawl.finished ?? crawl.started);
  await using zip = createWaczFile(path, made);
  const entries: WaczEntry[] = [];
  entries.push(await zip.addFile('pages/pages.jsonl', pagesFile, signal));
  for (const warc of files.warcs) entries.push(await zip.addFile(`archive/${warc}`, join(files.folder, warc), signal));
  entries.push(await zip.addFile(`indexes/${files.index}`, join(files.folder, files.index), signal));
  const [seed] = crawl.seeds;
  const about = {
    profile: 'data-package',
    wacz_version: WACZ_VERSION,
    ...(seed === undefined ? {} : { title: seed }),
    created: made.toISOString(),
    software,
    ...(pages.main === null ? {} : { mainPageUrl: pages.main.url, mainPageDate: pages.main.date }),
    resources: entries.map((entry) => ({ name: basename(entry.path), ...entry })),
  };
  const packed = zip.addText('datapackage.json', `${JSON.stringify(about, undefined, 2)}\n`);
  zip.addText('datapackage-digest.json', `${JSON.stringify({ path: packed.path, hash: packed.hash }, undefined, 2)}\n`);
  await zip.finish();
}
