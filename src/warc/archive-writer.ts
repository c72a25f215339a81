/** Stores the content made from a page in the crawl's archive, beside the answer that it was made from. */
import { type EpochMs, epochMs } from '../base/units.ts';
import type { SnapshotContent, SnapshotPaths, SnapshotWriter } from '../crawl-folder/writer.ts';
import { isPng } from '../model/picture-type.ts';
import type { ArchivedRecord } from '../model/record.ts';
import type { PlainRecord } from './exchange-records.ts';
import { surt } from './surt.ts';
import { archivedRecord, type OpenArchive } from './warc-archive.ts';
import { isGzip } from './warc-member.ts';
import { digestOf, newRecordId } from './warc-record.ts';

/** Records made from a page, each under an address of its own scheme, named as in Browsertrix. */
const MADE = ['html', 'text', 'screenshot'] as const;
type Made = (typeof MADE)[number];
/** Empty head: these records are no HTTP messages. */
const EMPTY = new Uint8Array(0);

const ADDRESS: Readonly<Record<Made, { readonly prefix: string; readonly type: string }>> = {
  html: { prefix: 'urn:dom:', type: 'text/html; charset=utf-8' },
  text: { prefix: 'urn:text:', type: 'text/plain; charset=utf-8' },
  screenshot: { prefix: 'urn:view:', type: 'image/jpeg' },
};

/** Writes pages into an archive that others also use; `seal` and disposing apply to the archive. */
export function openArchiveWriter(archive: OpenArchive): SnapshotWriter {
  async function write(page: SnapshotContent, signal: AbortSignal): Promise<SnapshotPaths> {
    signal.throwIfAborted();
    const answer = await archive.answer(page, signal);
    const made = MADE.flatMap((kind) => {
      const content = page[kind];
      return content === null ? [] : [{ kind, content }];
    });
    const records = made.map(({ kind, content }) =>
      resourceRecord(page, kind, { content, answerId: answer?.recordId ?? null }),
    );
    const [stored, document] = await Promise.all([
      records.length === 0 ? [] : archive.store(records),
      answer === null ? null : answer.place.then(archivedRecord),
    ]);
    await archive.sync();
    const parts = Object.fromEntries(made.map(({ kind }, index) => [kind, stored[index]]));
    const place: ArchivedRecord | undefined = document ?? stored[0];
    const warc = place === undefined ? null : { ...place, ...parts };
    return { html: null, text: null, screenshot: null, warc };
  }

  return {
    write,
    archived: async (visit, signal) => {
      const answer = await archive.answer(visit, signal);
      const place = answer === null ? null : archivedRecord(await answer.place);
      await archive.sync();
      return place;
    },
    seal: () => archive.seal(),
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  };
}

function resourceRecord(
  { url, startedAt }: SnapshotContent,
  kind: Made,
  { content, answerId }: { readonly content: string | Uint8Array; readonly answerId: string | null },
): PlainRecord {
  const { prefix, type: usual } = ADDRESS[kind];
  const block = typeof content === 'string' ? Buffer.from(content) : content;
  const type = kind === 'screenshot' && isPng(block) ? 'image/png' : usual;
  const digest = digestOf([block]);
  const targetUri = `${prefix}${url}`;
  const date: EpochMs = epochMs(startedAt);
  const [mime = type] = type.split(';', 1);
  return {
    head: {
      type: 'resource',
      id: newRecordId(),
      date,
      targetUri,
      contentType: type,
      fields: [
        ...(answerId === null ? [] : [['WARC-Concurrent-To', answerId] as const]),
        ['WARC-Payload-Digest', digest],
        ['WARC-Block-Digest', digest],
      ],
    },
    block: { pieces: [EMPTY, block], file: null, packed: isGzip(null, mime) },
    length: block.length,
    index: { urlKey: surt(targetUri), date, url: targetUri, mime, status: null, digest },
  };
}
