/** Reads a WACZ file back, entry by entry, and checks it against its own datapackage. */
import { createHash } from 'node:crypto';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { z } from 'zod';

const packageSchema = z.object({
  wacz_version: z.string(),
  resources: z.array(z.object({ path: z.string(), bytes: z.number(), hash: z.string() })),
});
const digestSchema = z.object({ path: z.literal('datapackage.json'), hash: z.string() });

const PACKAGE = 'datapackage.json';
const PACKAGE_DIGEST = 'datapackage-digest.json';
const STORED = 0;

interface ReadEntry {
  readonly bytes: number;
  readonly hash: string;
  /** The text of the two small files that describe the others; null for those others. */
  readonly text: string | null;
}

/** @returns the fault of the file, or null */
export async function waczFault(path: string, signal: AbortSignal): Promise<string | null> {
  const entries = new Map<string, ReadEntry>();
  const zip = await openPromise(path, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      if (entries.has(entry.fileName)) return `${entry.fileName} is in it twice`;
      if (entry.compressionMethod !== STORED) return `${entry.fileName} is packed`;
      entries.set(entry.fileName, await readEntry(zip, entry));
    }
  } finally {
    zip.close();
  }
  return faultOf(entries);
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<ReadEntry> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  const isSmall = entry.fileName === PACKAGE || entry.fileName === PACKAGE_DIGEST;
  let bytes = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const piece = Buffer.from(chunk);
    hash.update(piece);
    bytes += piece.length;
    if (isSmall) kept.push(piece);
  }
  return { bytes, hash: `sha256:${hash.digest('hex')}`, text: isSmall ? Buffer.concat(kept).toString('utf8') : null };
}

function faultOf(entries: ReadonlyMap<string, ReadEntry>): string | null {
  const about = entries.get(PACKAGE);
  const digest = digestSchema.safeParse(JSON.parse(entries.get(PACKAGE_DIGEST)?.text ?? 'null'));
  if (about === undefined || !digest.success) return `it lacks ${PACKAGE} or its digest`;
  if (digest.data.hash !== about.hash) return `the digest of ${PACKAGE} is wrong`;
  const { resources } = packageSchema.parse(JSON.parse(about.text ?? 'null'));
  for (const { path, bytes, hash } of resources) {
    const entry = entries.get(path);
    if (entry === undefined) return `${path} is missing`;
    if (entry.bytes !== bytes || entry.hash !== hash) return `the digest of ${path} is wrong`;
  }
  return entries.size === resources.length + 2 ? null : 'it holds what its datapackage does not name';
}
