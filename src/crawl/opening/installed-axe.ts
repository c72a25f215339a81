import type { AxeRule } from '../../model/accessibility.ts';
import { loadAxeEngine } from '../../render/axe/axe-engine.ts';

/** The rules by which a crawl will check its pages. @throws {CrawlError} PACKAGE_MISSING */
export async function installedAxeRules(): Promise<readonly AxeRule[]> {
  return (await loadAxeEngine()).rules;
}
