import { join } from 'node:path';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import { axeCatalogue } from '../../render/axe/axe-engine.ts';
import type { CrawlContext } from '../crawl-context.ts';

/** Stores the rules that pages are checked by, if any: audits of the folder need no package. @throws {CrawlError} as the file writes */
export async function writeAxeCatalogue({ plan, folder }: Pick<CrawlContext, 'plan' | 'folder'>): Promise<void> {
  const { axe, options } = plan;
  if (axe === null) return;
  const catalogue = axeCatalogue(axe, options.axe ?? 'all');
  await writeWholeFile(join(folder.path, 'axe.json'), `${JSON.stringify(catalogue, null, 1)}\n`);
}
