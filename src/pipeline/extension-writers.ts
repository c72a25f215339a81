/**
 * The snapshot writers of extensions, after the crawl's own. A failure of one of them costs only its output and is reported once; the
 * visit goes on, because its records depend only on the crawl's own files.
 */
import { z } from 'zod';
import { withDeadline } from '../base/deadline.ts';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { seconds, type Milliseconds } from '../base/units.ts';
import type { SnapshotContent, SnapshotPaths, SnapshotWriter } from '../crawl-folder/writer.ts';
import type { ArchivedPage } from '../model/record.ts';
import { boundedCall } from './bounded-call.ts';
import { createComplaints, type Complaints } from './complaints.ts';
import type { Extension, ExtensionWriter } from './extension.ts';
import { wordsOf } from './processors.ts';

/** Time limit for one page, and again for an index or an upload at the end. */
const WRITE_LIMIT: Milliseconds = seconds(30);
const NAMES = 20;

/** A path relative to the crawl folder, and within it on every file system. */
const path = z
  .string()
  .min(1)
  .max(1024)
  .refine((text) => !/^[/~]|^[A-Za-z]:|\\|\0|(?:^|\/)\.\.?(?:\/|$)/.test(text), {
    error: 'must be relative to the crawl folder, with forward slashes and without ..',
  });
const written = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), path)
  .refine((paths) => Object.keys(paths).length <= NAMES, { error: `may hold ${NAMES} paths at most` })
  .nullish();

interface Opened {
  readonly extension: string;
  readonly writer: ExtensionWriter;
}

/**
 * Opens the writers of all extensions. The crawl's own writer runs first, and is disposed with them.
 * @throws {CrawlError} USAGE where one of them cannot be opened; nothing has been fetched then
 */
export async function withExtensionWriters(
  own: SnapshotWriter,
  {
    extensions,
    folder,
    log,
  }: { readonly extensions: readonly Extension[]; readonly folder: string; readonly log: Log },
): Promise<SnapshotWriter> {
  const opened: Opened[] = [];
  for (const { name, snapshotWriters } of extensions) {
    for (const open of snapshotWriters)
      opened.push({ extension: name, writer: await openOne(name, () => open(folder)) });
  }
  return opened.length === 0 ? own : new JoinedWriter(own, opened, createComplaints(log));
}

async function openOne(
  extension: string,
  open: () => ExtensionWriter | Promise<ExtensionWriter>,
): Promise<ExtensionWriter> {
  let writer: unknown;
  try {
    writer = await open();
  } catch (cause) {
    throw new CrawlError('USAGE', `extension ${extension}: a snapshot writer was not opened: ${wordsOf(cause)}`, {
      cause,
    });
  }
  if (isWriter(writer)) return writer;
  throw new CrawlError('USAGE', `extension ${extension}: a snapshot writer has no function write`);
}

function isWriter(writer: unknown): writer is ExtensionWriter {
  return typeof writer === 'object' && writer !== null && 'write' in writer && typeof writer.write === 'function';
}

class JoinedWriter implements SnapshotWriter {
  readonly #own: SnapshotWriter;
  readonly #theirs: readonly Opened[];
  readonly #complaints: Complaints;

  constructor(own: SnapshotWriter, theirs: readonly Opened[], complaints: Complaints) {
    this.#own = own;
    this.#theirs = theirs;
    this.#complaints = complaints;
  }

  async write(content: SnapshotContent, signal: AbortSignal): Promise<SnapshotPaths> {
    const paths = await this.#own.write(content, signal);
    const all = await Promise.all(this.#theirs.map((each) => this.#writeOne(each, content, signal)));
    const extra = Object.assign({}, ...all);
    return Object.keys(extra).length === 0 ? paths : { ...paths, extra };
  }

  async archived(visit: Pick<SnapshotContent, 'url' | 'startedAt'>, signal: AbortSignal): Promise<ArchivedPage | null> {
    return (await this.#own.archived?.(visit, signal)) ?? null;
  }

  async #writeOne(
    opened: Opened,
    content: SnapshotContent,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const found = await this.#bounded(opened, 'write', signal, () => opened.writer.write(content, signal));
    const { data, error } = written.safeParse(found);
    if (error === undefined) return data ?? {};
    this.#complain(opened, 'gave what are no paths', z.prettifyError(error), content.url);
    return {};
  }

  async seal(): Promise<void> {
    const never = new AbortController().signal;
    await this.#own.seal();
    for (const opened of this.#theirs) await this.#bounded(opened, 'seal', never, () => opened.writer.seal?.());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const never = new AbortController().signal;
    for (const opened of this.#theirs)
      await this.#bounded(opened, 'close', never, () => opened.writer[Symbol.asyncDispose]?.());
    await this.#own[Symbol.asyncDispose]();
  }

  /** Calls a writer with a time limit; logs failures. Rejects only with the signal's reason. */
  async #bounded(
    opened: Opened,
    what: 'write' | 'seal' | 'close',
    signal: AbortSignal,
    call: () => unknown,
  ): Promise<unknown> {
    try {
      return await withDeadline(Promise.resolve(boundedCall(call)), what, WRITE_LIMIT, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#complain(opened, `failed to ${what}`, wordsOf(error));
      return null;
    }
  }

  #complain({ extension }: Opened, what: string, error: string, url?: string): void {
    const fields = url === undefined ? { extension, error } : { extension, error, url };
    this.#complaints.report(`${extension} ${what}`, `snapshot writer ${what}`, fields);
  }
}
