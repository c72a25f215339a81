/** Opens the writers of a crawl's contents: files for people, the archive for machines, or both. */
import type { Clock } from '../../base/clock.ts';
import { combinedWriter } from '../../crawl-folder/combined-writer.ts';
import { openDirectoryWriter } from '../../crawl-folder/directory-writer.ts';
import type { SnapshotWriter } from '../../crawl-folder/writer.ts';
import type { CrawlId } from '../../model/crawl-id.ts';
import { splitHeaderLine } from '../../model/user-headers.ts';
import { VERSION, type Identity } from '../../options/identity.ts';
import { staysSignedIn, type ParsedOptions } from '../../options/options.ts';
import type { SnapshotStorage } from '../../storage/open-storage.ts';
import { openArchiveWriter } from '../../warc/archive-writer.ts';
import { openArchive } from '../../warc/warc-archive.ts';
import type { DeferredRecorder } from './deferred-recorder.ts';

interface SnapshotNeeds {
  /** Path of the crawl folder. */
  readonly folder: string;
  readonly id: CrawlId;
  /** Name of the worker; left out in the process that leads the crawl. */
  readonly worker?: string;
  readonly identity: Identity;
  /** The recorder of the egress gate; null where no archive is asked for. */
  readonly recorder: DeferredRecorder | null;
  readonly clock: Clock;
  /** The storage in place of the crawl folder; null for the folder. */
  readonly storage: SnapshotStorage | null;
}

/** Cookies of a crawl that is signed in are its session. */
function sessionHeaders(options: ParsedOptions): readonly string[] {
  return staysSignedIn(options) ? ['cookie', 'set-cookie'] : [];
}

/**
 * The writer of a crawl. With an archive, screenshots are files only where html or text are, too: `warc,screenshot` makes
 * no file for a page.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function openSnapshots(options: ParsedOptions, needs: SnapshotNeeds): Promise<SnapshotWriter> {
  const { snapshot } = options;
  const html = snapshot.includes('html');
  const text = snapshot.includes('text');
  const { recorder } = needs;
  const files = html || text || recorder === null;
  const parts = { html, text, screenshot: files && snapshot.includes('screenshot') };
  const { storage } = needs;
  const directory = openDirectoryWriter(needs.folder, parts, storage === null ? undefined : storage.put);
  if (recorder === null) return directory;
  const archive = await openArchive(needs.folder, {
    info: {
      crawl: needs.id,
      software: `orbweaver/${VERSION}`,
      userAgent: needs.identity.userAgent,
      robots: options.robots,
    },
    worker: needs.worker ?? null,
    clock: needs.clock,
    secretHeaders: [...options.headers.map((line) => splitHeaderLine(line)[0]), ...sessionHeaders(options)],
  });
  recorder.keep(archive);
  return combinedWriter(directory, openArchiveWriter(archive));
}
