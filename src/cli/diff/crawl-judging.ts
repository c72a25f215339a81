/** The judging of a crawl that has ended: an audit, a comparison with an earlier one, and learning what changes by itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { auditRun, type AuditTarget } from '../audit/audit-run.ts';
import { isOutputTaken, readReporters } from '../audit/report-outputs.ts';
import { diskError } from '../../crawl-folder/disk-error.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Settings } from '../flags/settings.ts';
import type { CrawlAudit } from '../launch.ts';
import type { Shell } from '../shell.ts';
import { diffRun } from './diff-run.ts';
import { learnNoise } from './learn-noise.ts';

interface Judging {
  /** The user asked for an audit, and the crawl comes first. */
  readonly alone: boolean;
  readonly audits: boolean;
  readonly target: AuditTarget;
}

/**
 * Checks the settings, before anything is fetched.
 * @returns null where there is nothing to do
 * @throws {CrawlError} USAGE, CRAWL_UNREADABLE, BASELINE_INVALID
 */
export async function crawlJudging(
  settings: Settings,
  shell: Shell,
  { alone, audits, target }: Judging,
): Promise<CrawlAudit | null> {
  const { against } = settings;
  const compares = against !== undefined && !alone;
  if (!compares && !audits) return null;
  const takesOutput = isOutputTaken(readReporters(settings.reporters, shell.workingFolder));
  if (!compares) return { alone, takesOutput, run: await auditRun(settings, shell, target) };
  const compare = await diffRun(against, settings, shell);
  // findings are part of the comparison, and not told twice
  const find = audits ? await auditRun(settings, shell, { ...target, external: 'none', silent: true }) : null;
  const run = async (folder: string): Promise<ExitCode> => {
    await find?.(folder);
    return compare(folder);
  };
  return { alone: true, takesOutput, run };
}

/**
 * Crawls once more when the crawl has ended: differences are noise of the first crawl. The second one is removed.
 * @param again crawls the same into a folder
 */
export function withNoise(
  again: (folder: string) => Promise<ExitCode>,
  judging: CrawlAudit | null,
  shell: Shell,
): CrawlAudit {
  const { output, errors, workingFolder } = shell;
  const { alone = false, takesOutput = false } = judging ?? {};
  const run = async (folder: string): Promise<ExitCode> => {
    // a new folder, as it is removed: `.again` alone may be another crawl's
    const second = await mkdtemp(`${folder}.again-`).catch((error: unknown) => {
      throw diskError(error, `${folder}.again-…`);
    });
    try {
      const code = await again(second);
      if (code !== 0) return code;
      await learnNoise(folder, second, { errors, workingFolder, output: takesOutput ? errors : output });
    } finally {
      await rm(second, { recursive: true, force: true, maxRetries: 5 });
    }
    return judging === null ? 0 : judging.run(folder);
  };
  return { alone, takesOutput, run };
}
