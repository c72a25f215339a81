import { CrawlError } from '../base/errors.ts';

/** The folder that the program was called in. @throws {CrawlError} USAGE where that has been removed: a shell stays in it and does not tell */
export function workingFolderOf(process: Pick<NodeJS.Process, 'cwd'>): string {
  try {
    return process.cwd();
  } catch (cause) {
    const words = 'the folder that this is called in has been removed, or may not be read\nGo to one that is there: cd';
    throw new CrawlError('USAGE', words, { cause });
  }
}
