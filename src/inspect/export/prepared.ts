import type { Staging, TargetRules } from './target.ts';

/** The source of an export. */
export interface ExportSource {
  /** Absolute. */
  readonly folder: string;
  readonly rules: TargetRules;
}

/** An export that is complete under other names. Disposing removes files that were not put in place. */
export interface PreparedExport extends AsyncDisposable {
  /** Its contents by name: `{ pages: 12, links: 340 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Notes for a user, whole sentences without an end. */
  readonly notes: readonly string[];
  /** Puts it in place. @returns the files that were written @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE */
  commit(): Promise<readonly string[]>;
}

/** An export as it stands under its temporary names. */
interface WrittenExport extends Pick<PreparedExport, 'counts' | 'notes'> {
  /** The final paths of its files. */
  readonly paths: readonly string[];
}

/** Makes an export in a staging area, which a failure removes. */
export async function prepareIn(staging: Staging, write: () => Promise<WrittenExport>): Promise<PreparedExport> {
  try {
    const { counts, notes, paths } = await write();
    return {
      counts,
      notes,
      commit: async () => {
        await staging.commit();
        return paths;
      },
      [Symbol.asyncDispose]: () => staging[Symbol.asyncDispose](),
    };
  } catch (error) {
    await staging[Symbol.asyncDispose]();
    throw error;
  }
}
