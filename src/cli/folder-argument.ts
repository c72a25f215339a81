/** The crawl folder that a command asks about, as a user types it. */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { callOf, quoted, type Shell } from './shell.ts';

/**
 * The absolute path of a crawl folder. Whether it holds a crawl is left to the reader, but a URL in its place is refused.
 * @param url the other argument, where the command has one: the two may be in the wrong order
 * @throws {CrawlError} USAGE
 */
export async function folderArgument(
  shell: Shell,
  command: string,
  { folder, url }: { readonly folder: string; readonly url?: string },
): Promise<string> {
  const path = resolve(shell.workingFolder, folder);
  if (url !== undefined && !(await holdsCrawl(path)) && (await holdsCrawl(resolve(shell.workingFolder, url)))) {
    const words = `${callOf(command, shell)} ${quoted(url)} ${quoted(folder)}`;
    throw new CrawlError('USAGE', `the crawl folder comes first, and then the URL\nWrite ${words}`);
  }
  if (!/^https?:\/\//i.test(folder)) return path;
  const message = `${folder} is a URL, and ${command} takes the folder of a crawl\nGive the folder that a crawl has written: there is a crawl.json in it.`;
  throw new CrawlError('USAGE', message);
}

async function holdsCrawl(path: string): Promise<boolean> {
  return access(join(path, 'crawl.json')).then(
    () => true,
    () => false,
  );
}
