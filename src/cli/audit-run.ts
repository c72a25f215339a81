/** An audit as the command line makes it: of a crawl folder that is there, or that a crawl has just written. */
import { auditCrawl, checkAudit, type AuditOptions } from '../audit/audit-crawl.ts';
import type { AuditRule } from '../model/audit-rule.ts';
import type { ExitCode } from './exit-code.ts';
import { concludeAudit, readJudgement } from './conclude-audit.ts';
import { AUDIT_RULES } from '../core/audit-rules/rules.ts';
import type { Settings } from './settings.ts';
import type { Shell } from './shell.ts';

/**
 * Checks what is asked for, before anything is fetched.
 * @returns audits a folder, prints the result and gives the exit code
 * @throws {CrawlError} USAGE
 */
export async function auditRun(settings: Settings, shell: Shell): Promise<(folder: string) => Promise<ExitCode>> {
  const { rules, withoutRules, map, extensionFiles = [] } = settings;
  const options: AuditOptions = {
    extra: extensionFiles.length === 0 ? [] : await rulesIn(extensionFiles, shell.workingFolder),
    ...(rules === undefined ? {} : { only: rules }),
    ...(withoutRules === undefined ? {} : { except: withoutRules }),
    ...(map === undefined ? {} : { map }),
  };
  checkAudit(options);
  await readJudgement(settings, [...AUDIT_RULES, ...(options.extra ?? [])], shell);
  return async (folder) => concludeAudit(await auditCrawl(folder, options), settings, shell);
}

/** Brings the modules of a crawl, so that they are loaded where there are extensions alone. */
async function rulesIn(files: readonly string[], from: string): Promise<readonly AuditRule[]> {
  const { auditRulesIn } = await import('../crawl/load-extensions.ts');
  return auditRulesIn(files, from);
}
