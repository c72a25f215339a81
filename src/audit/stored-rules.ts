import { readAxeCatalogue } from '../crawl-folder/stored-axe.ts';
import type { AxeRule } from '../model/accessibility.ts';
import { readMeasurements } from '../crawl-folder/stored-measurements.ts';
import { createUnread } from '../inspect/unread-lines.ts';

/** The axe-core rules that a crawl checked its pages by; null where it did not. @throws the error of a file that cannot be read */
export async function storedAxeRules(folder: string): Promise<readonly AxeRule[] | null> {
  return (await readAxeCatalogue(folder, createUnread()))?.rules ?? null;
}

/** Were pages of the crawl measured? @throws the error of a file that cannot be read */
export async function isMeasured(folder: string): Promise<boolean> {
  return (await readMeasurements(folder, createUnread())) !== null;
}
