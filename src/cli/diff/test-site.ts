/** A site as a test: it is served and crawled, and the result is compared with its expected.json (docs/regression.md). */
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeTemporaryFolder } from '../../base/process/temporary-folder.ts';
import { auditCrawl } from '../../audit/audit-crawl.ts';
import { CrawlError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { counted } from '../../base/count-words.ts';
import { expectationResult } from '../../compare/expectation-result.ts';
import {
  compareExpectedPictures,
  picturesFolder,
  updateExpectedPictures,
  type PictureVerdict,
} from '../../compare/expected-pictures.ts';
import { DrawnPictures } from '../../compare/drawn-pictures.ts';
import { expectedText, foundSite, parseExpected, updatedExpected } from '../../compare/expected-site.ts';
import { EXPECTATION_RULES, type Expected } from '../../core/diff/expectation.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import type { StartOptions } from '../../crawl/start-crawl.ts';
import type { SiteServer } from '../../site-server/site-server.ts';
import { concludeAudit, readJudgement } from '../audit/conclude-audit.ts';
import { readReporters } from '../audit/report-outputs.ts';
import type { TestFlags } from '../commands/test.ts';
import type { ExitCode } from '../exit-code.ts';
import { flagsOf } from '../flags/flag-lookup.ts';
import { checkOptions } from '../flags/option-names.ts';
import type { SnapshotPart } from '../../options/output-options.ts';
import { crawlInput, type SettingsDraft } from '../flags/settings.ts';
import { launchCrawl } from '../launch.ts';
import { safeText } from '../terminal/safe-text.ts';
import { nearPath, type Shell } from '../shell.ts';

/** @throws {CrawlError} SITE_INVALID, USAGE, and what starting a crawl throws */
export async function testSite(folder: string, flags: TestFlags, shell: Shell): Promise<ExitCode> {
  const path = resolve(folder, flags.expected);
  const judgement = { reporters: flags.reporter ?? ['list'], failOn: ['notice'] };
  refuseLostReports(judgement.reporters, flags, shell);
  await readJudgement(judgement, EXPECTATION_RULES, shell);
  const expected = await readExpected(path, flags.update === true);
  const engine = await shell.engine();
  await using site = await engine.openSiteServer(folder, { port: 0, address: '127.0.0.1' }, silentLog);
  await using output = await outputFolder(flags, shell);
  const code = await crawlSite(site, expected, { path: output.path, overwrite: flags.overwrite === true }, shell);
  if (code !== 0 && code !== 3) return code; // interrupted, signed out: there is nothing to compare
  const audited = expected.findings !== undefined;
  if (audited) await auditCrawl(output.path, { external: 'none' });
  const found = await foundSite(output.path, audited);
  const pictured = picturedSite(expected, { path, output, origins: site.origins });
  if (flags.update === true) {
    const next = await withPictures(updatedExpected(found, expected, code, site.origins), pictured);
    await writeWholeFile(path, expectedText(next));
    const shown = safeText(nearPath(path, shell.workingFolder));
    shell.output.write(`${shown}: ${counted(found.pages.length, 'page')}; review it before you commit it\n`);
    return 0;
  }
  await pictured?.drawn?.clear();
  const pictures = pictured === null ? null : await compareExpectedPictures(pictured);
  const told = pictures !== null && !output.isKept ? unkept(pictures) : pictures;
  const result = expectationResult({ found, expected, code, site, path, folder: output.path, pictures: told });
  return concludeAudit(result, judgement, shell, { rules: EXPECTATION_RULES });
}

/** Reports without a file lie in the crawl folder. @throws {CrawlError} USAGE where that is not kept */
function refuseLostReports(names: readonly string[], { output }: TestFlags, shell: Shell): void {
  const lost = readReporters(names, shell.workingFolder).find(({ path, isDefault }) => path !== null && isDefault);
  if (lost === undefined || output !== undefined) return;
  throw new CrawlError(
    'USAGE',
    `--reporter: ${lost.name} would be written into the crawl folder, which is not kept\nGive it a file (${lost.name}=<file>), or keep the folder with --output.`,
  );
}

async function readExpected(path: string, mayBeMissing: boolean): Promise<Expected> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (mayBeMissing) return null;
    throw new CrawlError(
      'SITE_INVALID',
      `there is no ${path} that says what is expected\nWrite one, or begin with what is there: --update.`,
      { cause },
    );
  });
  return text === null ? { options: {}, pages: {}, skipped: {}, links: [], exit: 0 } : parseExpected(text, path);
}

interface Output extends AsyncDisposable {
  readonly path: string;
  readonly isKept: boolean;
}

async function outputFolder({ output }: TestFlags, shell: Shell): Promise<Output> {
  if (output !== undefined)
    return { path: resolve(shell.workingFolder, output), isKept: true, [Symbol.asyncDispose]: () => Promise.resolve() };
  const base = await makeTemporaryFolder('orbweaver-test-');
  return {
    path: join(base, 'crawl'),
    isKept: false,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

type PicturedSite = Parameters<typeof compareExpectedPictures>[0];

/** Null where no pictures are expected. */
function picturedSite(
  { screenshots }: Expected,
  { path, output, origins }: { readonly path: string; readonly output: Output } & Pick<SiteServer, 'origins'>,
): PicturedSite | null {
  if (screenshots === undefined) return null;
  const drawn = output.isKept ? new DrawnPictures(output.path) : null;
  return { crawl: output.path, folder: picturesFolder(path), expected: screenshots, origins, drawn };
}

async function withPictures(expected: Expected, pictured: PicturedSite | null): Promise<Expected> {
  return pictured === null ? expected : { ...expected, screenshots: await updateExpectedPictures(pictured) };
}

/** Leaves out the pictures of a folder that is removed, as no report can show them. */
function unkept({ changes, notes, ...verdict }: PictureVerdict): PictureVerdict {
  const cure =
    'the pictures of what differs are not kept: --output <folder> keeps them, with a report (--reporter html)';
  return { ...verdict, changes: [], notes: changes.length === 0 ? notes : [...notes, cure] };
}

/** The flags of expected.json, read as the command line would. @throws {CrawlError} SITE_INVALID, USAGE */
function settingsOf(options: Expected['options']): SettingsDraft {
  const draft: SettingsDraft = {};
  const flags = flagsOf('crawl');
  for (const [name, value] of Object.entries(options)) {
    const flag = flags.find((each) => each.name === name);
    if (flag === undefined)
      throw new CrawlError(
        'SITE_INVALID',
        `expected.json: options → ${name}: crawl has no such flag\nsee orbweaver crawl --help`,
      );
    flag.set(draft, Array.isArray(value) ? value : [String(value)], { name: `expected.json: ${name}`, code: 'USAGE' });
  }
  return draft;
}

function snapshotOf({ findings, screenshots }: Expected): readonly SnapshotPart[] {
  return [
    ...(findings === undefined ? [] : (['html', 'text'] as const)),
    ...(screenshots === undefined ? [] : (['screenshot'] as const)),
  ];
}

/** @throws {CrawlError} SITE_INVALID where the options of expected.json leave out what it expects */
function refuseLostPictures({ screenshots }: Expected, { snapshot }: Pick<StartOptions, 'snapshot'>): void {
  if (screenshots === undefined || snapshot?.includes('screenshot') !== false) return;
  throw new CrawlError(
    'SITE_INVALID',
    'expected.json: options → snapshot leaves out screenshot, and screenshots are expected\nAdd it there, or leave the option out.',
  );
}

async function crawlSite(
  site: SiteServer,
  expected: Expected,
  { path: output, overwrite }: { readonly path: string; readonly overwrite: boolean },
  shell: Shell,
): Promise<ExitCode> {
  const audit = expected.findings === undefined ? {} : { audit: true };
  const settings = settingsOf(expected.options);
  const options = {
    ...{ snapshot: snapshotOf(expected), ...audit },
    ...(expected.screenshots === undefined ? {} : { deterministic: true }),
    ...crawlInput(settings),
    ...{ seeds: [site.url], output, overwrite },
  };
  refuseLostPictures(expected, options);
  checkOptions(options);
  const engine = await shell.engine();
  return launchCrawl({
    ...{ shell, engine, settings: { ...settings, quiet: true, progress: false }, notes: [] },
    start: (extras, environment) => engine.startCrawl({ ...options, ...extras }, environment),
  });
}
