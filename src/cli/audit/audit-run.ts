/** An audit as the command line makes it: of a crawl folder that is there, or that a crawl has just written. */
import { auditCrawl, checkAudit, isExternalRule, type AuditOptions } from '../../audit/audit-crawl.ts';
import type { AuditRule } from '../../model/audit-rule.ts';
import { exitCodeOfSignal, type ExitCode, type StopSignal } from '../exit-code.ts';
import { concludeAudit, readJudgement } from './conclude-audit.ts';
import { AUDIT_RULES } from '../../core/audit-rules/rules.ts';
import { listenForInterruption } from '../interruption.ts';
import type { Settings } from '../flags/settings.ts';
import type { Shell } from '../shell.ts';

/** What is done about links to other sites. */
type External = NonNullable<Settings['external']>;

/**
 * Checks what is asked for, before anything is fetched.
 * @param external where the user does not say
 * @param silent writes the findings and says nothing of them: who compares says what is new
 * @returns audits a folder, prints the result and gives the exit code
 * @throws {CrawlError} USAGE
 */
export async function auditRun(
  settings: Settings,
  shell: Shell,
  external: External,
  silent = false,
): Promise<(folder: string) => Promise<ExitCode>> {
  const { rules, withoutRules, map, extensionFiles = [] } = settings;
  const way = settings.external ?? external;
  const options: AuditOptions = {
    extra: extensionFiles.length === 0 ? [] : await rulesIn(extensionFiles, shell.workingFolder),
    ...(rules === undefined ? {} : { only: rules }),
    ...(withoutRules === undefined ? {} : { except: withoutRules }),
    ...(map === undefined ? {} : { map }),
  };
  checkAudit(options);
  if (silent) {
    return async (folder) => {
      await auditCrawl(folder, { ...options, external: 'none' });
      return 0;
    };
  }
  // a gate on a rule that will not be applied would never fail
  const known = [...AUDIT_RULES, ...(options.extra ?? [])].filter((rule) => way !== 'none' || !isExternalRule(rule));
  await readJudgement(settings, known, shell);
  return async (folder) => {
    if (way === 'none') return concludeAudit(await auditCrawl(folder, { ...options, external: way }), settings, shell);
    const { result, signal } = await checkedAudit(folder, { options, settings, shell });
    const code = await concludeAudit(result, settings, shell);
    return signal === null ? code : exitCodeOfSignal(signal);
  };
}

interface CheckedAudit {
  readonly options: AuditOptions;
  readonly settings: Settings;
  readonly shell: Shell;
}

/** With the network. While it is asked, the first Ctrl-C ends the asking, and the audit goes on with what is known; the second ends the program. */
async function checkedAudit(
  folder: string,
  { options, settings, shell }: CheckedAudit,
): Promise<{ readonly result: Awaited<ReturnType<typeof auditCrawl>>; readonly signal: StopSignal | null }> {
  const { externalCheck } = await import('../../external/external-check.ts');
  const { readPrivateGrant } = await import('../../crawl/opening/private-grant.ts');
  const { userProxyOf } = await import('../../crawl/opening/user-proxy.ts');
  const stopping = new AbortController();
  let received: StopSignal | null = null;
  const onStop = (how: 'drain' | 'at-once', signal: StopSignal): void => {
    received ??= signal;
    if (how === 'at-once') shell.exit(exitCodeOfSignal(signal));
    stopping.abort(new Error('interrupted'));
  };
  const check = externalCheck({
    grants: (settings.allowPrivate ?? []).map(readPrivateGrant),
    upstream: userProxyOf({ proxy: settings.proxy }),
    stop: stopping.signal,
    say: (text) => {
      if (settings.quiet !== true && shell.errors.isTTY === true) shell.errors.write(`${text}\n`);
    },
  });
  const external: typeof check = async (question, signal) => {
    using _listening = listenForInterruption(shell.signals, shell.clock, onStop);
    return await check(question, signal);
  };
  const result = await auditCrawl(folder, { ...options, external });
  return { result, signal: received };
}

/** Brings the modules of a crawl, so that they are loaded where there are extensions alone. */
async function rulesIn(files: readonly string[], from: string): Promise<readonly AuditRule[]> {
  const { auditRulesIn } = await import('../../crawl/opening/load-extensions.ts');
  return auditRulesIn(files, from);
}
