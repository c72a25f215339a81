/** A WACZ file as independent readers see it: yauzl reads the zip, warcio its records. */
import { createHash } from 'node:crypto';
import { WARCParser } from 'warcio';
import { openPromise } from 'yauzl';

export interface ZipEntry {
  readonly name: string;
  /** 0: stored. */
  readonly method: number;
  readonly bytes: Buffer;
}

export async function readZip(path: string): Promise<readonly ZipEntry[]> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      const pieces: Buffer[] = [];
      for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece as Uint8Array));
      entries.push({ name: entry.fileName, method: entry.compressionMethod, bytes: Buffer.concat(pieces) });
    }
    return entries;
  } finally {
    zip.close();
  }
}

export interface WaczResource {
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
}

export interface DataPackage {
  readonly profile: string;
  readonly wacz_version: string;
  readonly created: string;
  readonly software: string;
  readonly mainPageUrl?: string;
  readonly mainPageDate?: string;
  readonly resources: readonly WaczResource[];
}

export interface WaczPage {
  readonly id: string;
  readonly url: string;
  readonly ts: string;
  readonly title?: string;
  readonly text?: string;
  readonly seed: boolean;
}

/** An answer as received, without the archive's additions. */
export interface ArchivedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The body as on the wire: still compressed if it has a content encoding. */
  readonly body: Buffer;
}

export interface ReadWacz {
  readonly entries: readonly ZipEntry[];
  readonly about: DataPackage;
  readonly pages: readonly WaczPage[];
  /** Answers by method and URL: `GET http://a.test/`; the last of each, as found by the index. */
  readonly answers: ReadonlyMap<string, ArchivedAnswer>;
}

/** Finds every answer as a replay tool does: by the line of the index, the zip entry in it, and the bytes at its place. */
export async function readWacz(path: string): Promise<ReadWacz> {
  const entries = await readZip(path);
  const textOf = (name: string): string => entryOf(entries, name).bytes.toString('utf8');
  const linesOf = (name: string): readonly string[] =>
    textOf(name)
      .split('\n')
      .filter((line) => line !== '');
  const answers = new Map<string, ArchivedAnswer>();
  for (const line of linesOf('indexes/index.cdxj')) {
    const place = JSON.parse(line.slice(line.indexOf('{'))) as Readonly<Record<string, string>>;
    const { bytes } = entryOf(entries, `archive/${place['filename']}`);
    const from = Number(place['offset']);
    const record = await WARCParser.parse([bytes.subarray(from, from + Number(place['length']))]);
    if (record?.warcType !== 'response' || record.httpHeaders === null) continue;
    const body = Buffer.from(await record.readFully(false));
    answers.set(`${place['method'] ?? 'GET'} ${record.warcTargetURI}`, {
      status: Number(record.httpHeaders.statusline.split(' ')[1]),
      headers: [...record.httpHeaders.headers] as (readonly [string, string])[],
      body,
    });
  }
  const [, ...pages] = linesOf('pages/pages.jsonl').map((line) => JSON.parse(line) as WaczPage);
  return { entries, about: JSON.parse(textOf('datapackage.json')) as DataPackage, pages, answers };
}

export function entryOf(entries: readonly ZipEntry[], name: string): ZipEntry {
  const found = entries.find((entry) => entry.name === name);
  if (found === undefined)
    throw new Error(`there is no ${name} among ${entries.map((entry) => entry.name).join(', ')}`);
  return found;
}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
