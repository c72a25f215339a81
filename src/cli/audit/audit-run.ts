/** An audit as the command line makes it: of an existing crawl folder, or of one that a crawl has just written. */
import { auditCrawl, checkAudit, isExternalRule, type AuditOptions } from '../../audit/audit-crawl.ts';
import { isMeasured, storedAxeRules } from '../../audit/stored-rules.ts';
import { CrawlError } from '../../base/errors.ts';
import type { AxeRule } from '../../model/accessibility.ts';
import type { AuditRule } from '../../model/audit-rule.ts';
import { exitCodeOfSignal, type ExitCode, type StopSignal } from '../exit-code.ts';
import { concludeAudit, readJudgement } from './conclude-audit.ts';
import { axeRule } from '../../core/audit-rules/axe-rule.ts';
import { AUDIT_RULES } from '../../core/audit-rules/rules.ts';
import { listenForInterruption } from '../interruption.ts';
import type { Settings } from '../flags/settings.ts';
import type { Shell } from '../shell.ts';

/** The treatment of links to other sites. */
type External = NonNullable<Settings['external']>;

export interface AuditTarget {
  /** The treatment where the user does not say. */
  readonly external: External;
  /** The crawl goes on before it is audited. */
  readonly goesOn?: true;
  /** The crawl that is audited, or goes on; null or left out where a new one is made. */
  readonly folder?: string | null;
  /** Writes the findings without showing them: a comparison shows what is new. */
  readonly silent?: true;
}

/**
 * Checks the settings, before anything is fetched.
 * @returns a function that audits a folder, prints the result and gives the exit code
 * @throws {CrawlError} USAGE
 */
export async function auditRun(
  settings: Settings,
  shell: Shell,
  target: AuditTarget,
): Promise<(folder: string) => Promise<ExitCode>> {
  const { rules, withoutRules, map, extensionFiles = [] } = settings;
  const way = settings.external ?? target.external;
  const axe = await axeRulesFor(settings, target);
  const measures = await willHaveMeasurements(settings, target);
  const options: AuditOptions = {
    extra: extensionFiles.length === 0 ? [] : await rulesIn(extensionFiles, shell.workingFolder),
    ...(rules === undefined ? {} : { only: rules }),
    ...(withoutRules === undefined ? {} : { except: withoutRules }),
    ...(map === undefined ? {} : { map }),
  };
  checkAudit({ ...options, axe });
  if (target.silent === true) {
    return async (folder) => {
      await auditCrawl(folder, { ...options, external: 'none' });
      return 0;
    };
  }
  // a gate on a rule that will not be applied would never fail
  const known = [...AUDIT_RULES, ...axe.map(axeRule), ...(options.extra ?? [])].filter(
    (rule) => (way !== 'none' || !isExternalRule(rule)) && (measures || rule.needsMeasurements !== true),
  );
  const { baseline } = await readJudgement(settings, known, shell);
  return async (folder) => {
    if (way === 'none')
      return concludeAudit(await auditCrawl(folder, { ...options, external: way }), settings, shell, { baseline });
    const { result, signal } = await checkedAudit(folder, { options, settings, shell });
    const code = await concludeAudit(result, settings, shell, { baseline });
    return signal === null ? code : exitCodeOfSignal(signal);
  };
}

/** The axe-core rules that pages were checked by, or will be. @throws {CrawlError} PACKAGE_MISSING; USAGE for a crawl that was made without */
async function axeRulesFor({ axe }: Settings, { folder = null }: AuditTarget): Promise<readonly AxeRule[]> {
  if (folder !== null) {
    const stored = await storedAxeRules(folder);
    if (stored === null && axe !== undefined)
      throw new CrawlError(
        'USAGE',
        `--axe: ${folder} was crawled without it, and its pages are checked in the browser alone\nCrawl the site again: give its URL in place of the folder, or crawl with --audit --axe.`,
      );
    return stored ?? [];
  }
  if (axe === undefined) return [];
  const { installedAxeRules } = await import('../../crawl/opening/installed-axe.ts');
  return installedAxeRules();
}

/** @throws {CrawlError} USAGE for a crawl that was made without */
async function willHaveMeasurements({ measure = false }: Settings, target: AuditTarget): Promise<boolean> {
  const { folder = null, goesOn = false } = target;
  if (folder === null) return measure;
  if (goesOn || (await isMeasured(folder))) return true;
  if (measure)
    throw new CrawlError(
      'USAGE',
      `--measure: ${folder} was crawled without it, and pages are measured when a crawl ends\nCrawl the site again: give its URL in place of the folder, or crawl with --audit --measure.`,
    );
  return false;
}

interface CheckedAudit {
  readonly options: AuditOptions;
  readonly settings: Settings;
  readonly shell: Shell;
}

/** Audits with the network. The first Ctrl-C meanwhile ends requests, and the audit goes on with what is known; the second ends the program. */
async function checkedAudit(
  folder: string,
  { options, settings, shell }: CheckedAudit,
): Promise<{ readonly result: Awaited<ReturnType<typeof auditCrawl>>; readonly signal: StopSignal | null }> {
  const { externalCheck } = await import('../../external/external-check.ts');
  const { openLinkBrowser } = await import('../../crawl/opening/open-link-browser.ts');
  const { readPrivateGrants } = await import('../../crawl/opening/private-grant.ts');
  const { userProxyOf } = await import('../../crawl/opening/user-proxy.ts');
  const stopping = new AbortController();
  let received: StopSignal | null = null;
  const onStop = (how: 'drain' | 'at-once', signal: StopSignal): void => {
    received ??= signal;
    if (how === 'at-once') shell.exit(exitCodeOfSignal(signal));
    stopping.abort(new Error('interrupted'));
  };
  const check = externalCheck({
    grants: (settings.allowPrivate ?? []).flatMap(readPrivateGrants),
    upstream: userProxyOf({ proxy: settings.proxy }),
    localAddress: settings.egressAddress,
    stop: stopping.signal,
    openBrowser: (egress, userAgent, signal) =>
      openLinkBrowser({ asked: settings.browser ?? null, environment: shell.environment(), userAgent }, egress, signal),
    say: (text) => {
      // without a terminal, too: minutes without a word pass for a program that hangs
      if (settings.quiet !== true) shell.errors.write(`${text}\n`);
    },
  });
  const external: typeof check = async (question, signal) => {
    using _listening = listenForInterruption(shell.signals, shell.clock, onStop);
    return await check(question, signal);
  };
  const result = await auditCrawl(folder, { ...options, external });
  return { result, signal: received };
}

/** Loads the modules of a crawl, and only where there are extensions. */
async function rulesIn(files: readonly string[], from: string): Promise<readonly AuditRule[]> {
  const { auditRulesIn } = await import('../../crawl/opening/load-extensions.ts');
  return auditRulesIn(files, from);
}
