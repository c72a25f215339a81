/** The extensions of a crawl, from a program or from files. Errors in them are reported before anything is fetched. */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CrawlError } from '../../base/errors.ts';
import type { AuditRule } from '../../model/audit-rule.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { splitPageScript } from '../../options/program-values.ts';
import {
  checkedExtensions,
  type Extension,
  type ExtensionDefinition,
  type PageHookDefinition,
} from '../../pipeline/extension.ts';

type FileOption = 'pageScripts' | 'extensionFiles' | 'login';
type Given = Pick<ParsedOptions, 'pageScripts' | 'extensionFiles' | 'render'>;

/** The extension that hooks of `pageScripts` belong to. */
const PAGE_SCRIPTS = 'page-script';
const NAME_LENGTH = 100;

/**
 * Loads the extensions that the options name, and checks all of them.
 * @param given by the program that embeds the crawler
 * @param from the folder that relative paths start from
 * @throws {CrawlError} USAGE that names the value and what would be accepted
 */
export async function extensionsOf(
  options: Given,
  given: readonly ExtensionDefinition[],
  from: string,
): Promise<readonly Extension[]> {
  // a program in JavaScript may forget the brackets
  if (!Array.isArray(given))
    throw new CrawlError('USAGE', 'extensions: one that stands alone is not accepted: give a list');
  const files: ExtensionDefinition[] = [];
  for (const file of options.extensionFiles) files.push(...(await readExtensions(file, from)));
  const pageHooks: PageHookDefinition[] = [];
  for (const text of options.pageScripts) pageHooks.push(await readPageScript(text, from));
  const scripts = pageHooks.length === 0 ? [] : [{ name: PAGE_SCRIPTS, pageHooks }];
  const extensions = checkedExtensions([...given, ...files, ...scripts]);
  requireBrowser(options, extensions);
  return extensions;
}

/** The rules for audits in files with extensions. @throws {CrawlError} USAGE that names the file */
export async function auditRulesIn(files: readonly string[], from: string): Promise<readonly AuditRule[]> {
  const extensions: ExtensionDefinition[] = [];
  for (const file of files) extensions.push(...(await readExtensions(file, from)));
  return extensions.flatMap(({ auditRules = [] }) => auditRules);
}

/** @throws {CrawlError} USAGE where there are hooks and no browser */
function requireBrowser({ render }: Given, extensions: readonly Extension[]): void {
  const hooks = extensions.flatMap(({ name, pageHooks }) => pageHooks.map((hook) => `${name}/${hook.name}`));
  if (render !== 'never' || hooks[0] === undefined) return;
  throw new CrawlError(
    'USAGE',
    `the page hook ${hooks[0]} needs a browser, and render never does without one: give one of them`,
    { data: { option: 'render' } },
  );
}

async function readExtensions(file: string, from: string): Promise<readonly ExtensionDefinition[]> {
  const option = { option: 'extensionFiles', value: file } as const;
  const { default: given } = await loadModule(resolve(from, file), option);
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!all.every(isDefinition)) {
    const cure = 'its default export must be an extension, or a list of them: { name, pageHooks: […] }';
    throw refusal(option, cure);
  }
  try {
    return checkedExtensions(all);
  } catch (error) {
    throw refusal(option, error instanceof Error ? error.message : String(error), error);
  }
}

async function readPageScript(text: string, from: string): Promise<PageHookDefinition> {
  const option = { option: 'pageScripts', value: text } as const;
  const { glob, file } = splitPageScript(text);
  const module = await loadModule(resolve(from, file), option);
  const { default: whole, before, settled = whole } = module;
  const isWrong = [before, settled].some((each) => each !== undefined && !isFunction(each));
  if (isWrong || (before === undefined && settled === undefined)) {
    throw refusal(option, 'its module must export a function as default, or as before or settled');
  }
  const name = basename(file)
    .replaceAll(/[^\w.@-]/g, '-')
    .slice(-NAME_LENGTH);
  return {
    name,
    matches: glob,
    ...(isFunction(before) ? { before } : {}),
    ...(isFunction(settled) ? { settled } : {}),
  };
}

interface FileValue {
  readonly option: FileOption;
  readonly value: string;
}

/** The exports of a module of the user. @throws {CrawlError} USAGE where it is not there or does not load */
export async function loadModule(path: string, from: FileValue): Promise<Readonly<Record<string, unknown>>> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw refusal(from, `there is no file ${path}`);
  try {
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href);
    return Object.assign({}, module);
  } catch (error) {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw refusal(from, `it cannot be loaded: ${words.split('\n', 1)[0] ?? ''}`, error);
  }
}

function refusal({ option, value }: FileValue, why: string, cause?: unknown): CrawlError {
  const shown = JSON.stringify(value).slice(0, 200);
  return new CrawlError('USAGE', `${option}: ${shown} is not accepted: ${why}`, { cause, data: { option } });
}

function isDefinition(given: unknown): given is ExtensionDefinition {
  return typeof given === 'object' && given !== null && 'name' in given;
}

function isFunction(given: unknown): given is NonNullable<PageHookDefinition['settled']> {
  return typeof given === 'function';
}
