/** An audit as the command line makes it: of a crawl folder that is there, or that a crawl has just written. */
import { auditCrawl, checkAudit, type AuditOptions } from '../audit/audit-crawl.ts';
import type { AuditValues } from '../options/audit-options.ts';
import type { ExitCode } from './exit-code.ts';
import { printAudit } from './print-audit.ts';
import type { Shell } from './shell.ts';

/**
 * Checks what is asked for, before anything is fetched.
 * @returns audits a folder, prints the result and gives the exit code
 * @throws {CrawlError} USAGE
 */
export function auditRun(
  { rules, withoutRules, map }: AuditValues,
  shell: Shell,
): (folder: string) => Promise<ExitCode> {
  const options: AuditOptions = {
    ...(rules === undefined ? {} : { only: rules }),
    ...(withoutRules === undefined ? {} : { except: withoutRules }),
    ...(map === undefined ? {} : { map }),
  };
  checkAudit(options);
  return async (folder) => {
    printAudit(await auditCrawl(folder, options), shell);
    return 0;
  };
}
