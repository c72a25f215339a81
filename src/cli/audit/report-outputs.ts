/** `--reporter`: which reports are wanted, and where each goes. */
import { resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { REPORTERS, type ReporterName } from '../../report/reporter.ts';
import { nearest } from '../../base/nearest.ts';
import { safeText } from '../terminal/safe-text.ts';

export interface ReportOutput {
  readonly name: ReporterName | 'list';
  /** Absolute, or relative to the crawl folder where `isDefault`; null for standard output. */
  readonly path: string | null;
  readonly isDefault: boolean;
}

const USUAL = ['list', 'html'];
const NAMES = ['list', ...Object.keys(REPORTERS)];

/** A comma ends a reporter where another one begins behind it, so that paths may have commas. */
const BETWEEN = /,(?=\s*[a-z]+\s*(?:=|,|$))/;

/**
 * Reads the reporters.
 * @param texts those of the flag; undefined for the usual ones. @param from the folder where relative paths start
 * @throws {CrawlError} USAGE for an unknown name, a name that is given twice, two that write to the same place
 */
export function readReporters(texts: readonly string[] | undefined, from: string): readonly ReportOutput[] {
  const words = (texts ?? USUAL).flatMap((text) => text.split(BETWEEN)).map((word) => word.trim());
  const outputs = words.map((word) => readOne(word, from));
  const names = outputs.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(`${twice} is given twice`, 'Give each reporter once.');
  refuseSharedPlaces(outputs);
  return outputs;
}

/** Does standard output belong to a report for a program? Nothing else may stand there then. */
export function isOutputTaken(outputs: readonly ReportOutput[]): boolean {
  return outputs.some(({ name, path }) => path === null && name !== 'list' && name !== 'github');
}

function readOne(word: string, from: string): ReportOutput {
  const at = word.indexOf('=');
  const typed = at === -1 ? word : word.slice(0, at).trim();
  const file = at === -1 ? null : word.slice(at + 1).trim();
  const name = typed === 'list' ? 'list' : reporterNames().find((each) => each === typed);
  if (name === undefined) {
    const similar = nearest(typed, NAMES);
    const shown = JSON.stringify(safeText(typed).slice(0, 100));
    throw refusal(
      `there is no reporter ${shown}${similar === null ? '' : `; did you mean ${similar}?`}`,
      `Accepted: ${NAMES.join(', ')}.`,
    );
  }
  if (file === '') throw refusal(`${name}= names no file`, 'Write a path behind it, or - for standard output.');
  if (file !== null) return { name, path: file === '-' ? null : resolve(from, file), isDefault: false };
  const place = name === 'list' ? '-' : REPORTERS[name].place;
  return { name, path: place === '-' ? null : place, isDefault: true };
}

function reporterNames(): readonly ReporterName[] {
  return Object.keys(REPORTERS).filter((name): name is ReporterName => Object.hasOwn(REPORTERS, name));
}

/** Refuses two reports on one output, which would spoil each other; annotations are lines among others. */
function refuseSharedPlaces(outputs: readonly ReportOutput[]): void {
  const places = new Map<string | null, string>();
  for (const { name, path } of outputs) {
    if (name === 'github' && path === null) continue;
    const other = places.get(path);
    if (other !== undefined) {
      const place = path === null ? 'standard output' : path;
      throw refusal(`${other} and ${name} both go to ${place}`, `Give one of them another file: ${name}=<file>.`);
    }
    places.set(path, name);
  }
}

function refusal(what: string, cure: string): CrawlError {
  return new CrawlError('USAGE', `--reporter: ${what}${what.endsWith('?') ? '' : '.'}\n${cure}`);
}
