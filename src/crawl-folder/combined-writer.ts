import type { SnapshotWriter } from './writer.ts';

/** Writes files and the archive side by side: the paths of the first, and the place in the second. */
export function combinedWriter(files: SnapshotWriter, archive: SnapshotWriter): SnapshotWriter {
  return {
    write: async (content, signal) => {
      const [paths, { warc }] = await Promise.all([files.write(content, signal), archive.write(content, signal)]);
      return { ...paths, warc };
    },
    archived: async (visit, signal) => (await archive.archived?.(visit, signal)) ?? null,
    seal: async () => {
      await files.seal();
      await archive.seal();
    },
    [Symbol.asyncDispose]: async () => {
      await files[Symbol.asyncDispose]();
      await archive[Symbol.asyncDispose]();
    },
  };
}
