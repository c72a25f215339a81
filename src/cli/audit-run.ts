/** An audit as the command line makes it: of a crawl folder that is there, or that a crawl has just written. */
import { auditCrawl, checkAudit, type AuditOptions } from '../audit/audit-crawl.ts';
import { printAudit } from './print-audit.ts';
import type { Settings } from './settings.ts';
import type { Shell } from './shell.ts';

/**
 * Checks what is asked for, before anything is fetched.
 * @returns audits a folder and prints the result
 * @throws {CrawlError} USAGE
 */
export function auditRun(
  { rules, withoutRules, map }: Pick<Settings, 'rules' | 'withoutRules' | 'map'>,
  shell: Shell,
): (folder: string) => Promise<void> {
  const options: AuditOptions = {
    ...(rules === undefined ? {} : { only: rules }),
    ...(withoutRules === undefined ? {} : { except: withoutRules }),
    ...(map === undefined ? {} : { map }),
  };
  checkAudit(options);
  return async (folder) => printAudit(await auditCrawl(folder, options), shell);
}
