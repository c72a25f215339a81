/** A WACZ file: a zip whose entries are stored as they are, so that a reader finds a record in it without unpacking anything. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { FILE_MODE } from './target.ts';

export interface WaczEntry {
  /** As datapackage.json and the zip have it: with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /** `sha256:` and hexadecimal digits. */
  readonly hash: string;
}

/** Writes entries one after the other. */
interface WaczFile extends AsyncDisposable {
  addFile(path: string, source: string, signal: AbortSignal): Promise<WaczEntry>;
  addText(path: string, text: string): WaczEntry;
  /** Writes the end of the file, and waits until it is on the disk. */
  finish(): Promise<void>;
}

/** @param path is created; it must not be there yet @param made stands as the time of all entries */
export function createWaczFile(path: string, made: Date): WaczFile {
  const zip = new ZipFile();
  const stored = { compress: false, mtime: made, mode: 0o100644 };
  const broken = new AbortController();
  zip.on('error', (error: Error) => broken.abort(error));
  const writing = pipeline(zip.outputStream, createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true }), {
    signal: broken.signal,
  });
  writing.catch(() => {}); // rejects the calls that wait for an entry or for the end
  const failed = new Promise<never>((_resolve, reject) => {
    writing.catch((error: unknown) => reject(broken.signal.aborted ? broken.signal.reason : error));
  });
  failed.catch(() => {});

  async function addFile(name: string, source: string, signal: AbortSignal): Promise<WaczEntry> {
    const hash = createHash('sha256');
    let bytes = 0;
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    zip.addReadStream(counting, name, stored);
    // a failed write ends the reading, too
    await Promise.race([
      pipeline(createReadStream(source), counting, { signal: AbortSignal.any([signal, broken.signal]) }),
      failed,
    ]);
    return { path: name, bytes, hash: `sha256:${hash.digest('hex')}` };
  }

  return {
    addFile,
    addText(name, text) {
      const content = Buffer.from(text);
      zip.addBuffer(content, name, stored);
      return {
        path: name,
        bytes: content.length,
        hash: `sha256:${createHash('sha256').update(content).digest('hex')}`,
      };
    },
    async finish() {
      zip.end();
      await Promise.race([writing, failed]);
    },
    async [Symbol.asyncDispose]() {
      broken.abort(new Error('given up'));
      await writing.catch(() => {});
    },
  };
}
