/** Tells whether the folder of a crawl that goes on remembers that it is to be audited. */
import { CrawlError } from '../../base/errors.ts';
import { readCrawlFile } from '../../crawl-folder/crawl-folder.ts';

/** False also where the folder cannot be read: the step that reads it next says why. */
export async function isAudited(folder: string): Promise<boolean> {
  try {
    const { options } = await readCrawlFile(folder);
    return options['audit'] === true;
  } catch (error) {
    if (error instanceof CrawlError) return false;
    throw error;
  }
}
