/**
 * The config file: YAML or JSON (which is YAML), its keys the names of flags without dashes. Files of the user's code that it names are
 * looked for beside it.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { CrawlError } from '../../base/errors.ts';
import { fileFault } from './file-fault.ts';
import type { Flag } from './flag.ts';
import { FLAGS } from './flags.ts';
import { flagNameMeantBy } from './other-names.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Settings, SettingsDraft } from './settings.ts';

/** A larger file is a mistake. */
const CONFIG_BYTE_LIMIT = 1024 * 1024;

/**
 * Reads the settings of a config file.
 * @param path absolute; @param shown the path as messages name it; @param flags whose names are keys
 * @throws {CrawlError} CONFIG_INVALID that names file, key, value and what is accepted
 */
export function readConfigFile(path: string, shown: string, flags: readonly Flag[]): Settings {
  const entries = parseEntries(readText(path, shown), shown);
  const draft: SettingsDraft = {};
  for (const [key, value] of entries) {
    const flag = flags.find(({ name, inConfigFile }) => name === key && inConfigFile);
    if (flag === undefined) throw unknownKey(key, shown, flags);
    if (value === null) continue;
    const texts = textsOf(value, flag);
    if (texts === null) throw wrongType(value, flag, shown);
    const { rooted = (text: string) => text } = flag.type;
    const placed = texts.map((text) => rooted(text, dirname(path)));
    flag.set(draft, placed, { name: `${shown}: ${key}`, code: 'CONFIG_INVALID' });
  }
  return draft;
}

function readText(path: string, shown: string): string {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (cause) {
    throw invalid(
      `${shown}: the config file cannot be read: ${fileFault(cause)}.\nAccepted: the path of a YAML or JSON file.`,
      cause,
    );
  }
  if (content.length > CONFIG_BYTE_LIMIT)
    throw invalid(
      `${shown}: a config file of ${content.length} bytes is not accepted.\nAccepted: at most ${CONFIG_BYTE_LIMIT} bytes.`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw invalid(`${shown}: the config file is not UTF-8.\nAccepted: a YAML or JSON file in UTF-8.`, cause);
  }
}

function parseEntries(source: string, shown: string): readonly (readonly [string, unknown])[] {
  const document = parseDocument(source, { uniqueKeys: true, prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const words = safeText(fault.message.split('\n', 1)[0] ?? '').replace(/[:.]+$/, ''); // the line follows, in a picture of it
    throw invalid(`${shown}: this is neither YAML nor JSON: ${words}.\nMend that line.`, fault);
  }
  const content: unknown = toPlain(document, shown);
  if (content === null) return [];
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw invalid(`${shown}: ${shownValue(content)} is not accepted.\nAccepted: keys with values, as in "depth: 3".`);
  }
  return Object.entries(content);
}

/** Aliases may multiply (a "billion laughs"): the library refuses, and that is a fault of the file. */
function toPlain(document: ReturnType<typeof parseDocument>, shown: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw invalid(
      `${shown}: ${cause instanceof Error ? safeText(cause.message) : 'its aliases cannot be resolved'}.`,
      cause,
    );
  }
}

/** The texts that a command line would have held, or null where the type is not the flag's. */
function textsOf(value: unknown, { type }: Flag): readonly string[] | null {
  switch (type.written) {
    case 'true or false':
      return typeof value === 'boolean' ? [String(value)] : null;
    case 'a number':
      return typeof value === 'number' ? [numberText(value)] : null;
    case 'a number or a text':
      return typeof value === 'number' ? [numberText(value)] : stringsOf(value, false);
    case 'a text':
      return stringsOf(value, false);
    case 'a list of texts':
      return stringsOf(value, type.repeats);
  }
}

function stringsOf(value: unknown, several: boolean): readonly string[] | null {
  if (typeof value === 'string') return [value];
  if (!several || !Array.isArray(value)) return null;
  const strings = value.filter((item) => typeof item === 'string');
  return strings.length === value.length ? strings : null;
}

/** The number without exponent, which no flag takes. */
function numberText(value: number): string {
  return Number.isSafeInteger(value) ? value.toFixed(0) : String(value);
}

function unknownKey(key: string, shown: string, flags: readonly Flag[]): CrawlError {
  const [owner] = FLAGS.find(({ name, inConfigFile }) => name === key && inConfigFile)?.commands ?? [];
  if (owner !== undefined)
    return invalid(
      `${shown}: ${key} is a flag of ${owner}, and not of this command.\nLeave it out, or give each command a file of its own.`,
    );
  const names = flags.filter(({ inConfigFile }) => inConfigFile).map(({ name }) => name);
  const similar = flagNameMeantBy(key.replace(/^-+/, ''), names);
  const hint =
    similar === null
      ? 'Accepted: the names of flags without dashes; `orbweaver crawl --help` lists them.'
      : `Did you mean ${similar}?`;
  return invalid(`${shown}: unknown key ${shownValue(key)}.\n${hint}`);
}

function wrongType(value: unknown, flag: Flag, shown: string): CrawlError {
  const given = flag.type.secret ? 'the value given' : shownValue(value);
  const { written, accepts } = flag.type;
  const accepted = written === accepts ? written : `${written}: ${accepts}`;
  return invalid(`${shown}: ${flag.name}: ${given} is not accepted.\nAccepted: ${accepted}.`);
}

function shownValue(value: unknown): string {
  return safeText(JSON.stringify(value) ?? String(value)).slice(0, 200);
}

function invalid(message: string, cause?: unknown): CrawlError {
  return new CrawlError('CONFIG_INVALID', message, cause === undefined ? {} : { cause });
}
