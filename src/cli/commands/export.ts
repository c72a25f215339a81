/** `orbweaver export <folder>` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted, grouped } from '../../base/count-words.ts';
import { CrawlError } from '../../base/errors.ts';
import {
  EXPORT_FORMATS,
  exportCrawl,
  type ExportFormat,
  type ExportReport,
  type ExportTargets,
} from '../../inspect/export-crawl.ts';
import { exitCodeOfSignal, type ExitCode, type StopSignal } from '../exit-code.ts';
import { listenForInterruption } from '../interruption.ts';
import { safeText } from '../terminal/safe-text.ts';
import { folderArgument } from '../folder-argument.ts';
import { callOf, nearPath, type Shell } from '../shell.ts';
import { paintFor } from '../terminal/terminal.ts';

type Given = ExportTargets & { readonly overwrite?: boolean };

/** @param finish called with the exit code */
export function exportCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('export', shell);
  return new Command('export')
    .summary('write a crawl as CSV, sitemap, SQLite or WACZ')
    .description(
      'Writes a crawl in other formats; several at once. What is there already is not replaced, and where one format fails none is written.',
    )
    .argument('<folder>', 'the crawl folder')
    .option('--csv <folder>', 'Writes pages.csv, links.csv and skipped.csv into this folder.')
    .option('--sitemap <file>', "Writes a sitemap of the pages on the first seed's host that may be indexed.")
    .option('--sqlite <file>', 'Writes an SQLite file with tables of pages, links and skipped URLs.')
    .option('--wacz <file>', 'Packs the archive of a crawl with --snapshot warc into one file for replay tools.')
    .option('--overwrite', 'Replaces files that are there already.')
    .addHelpText(
      'after',
      `\nExample:\n  ${call} orbweaver-example.org-20260102-030405 --csv ./tables --wacz ./example.wacz`,
    )
    .action(async (folder: string, given: Given) => {
      finish(await exported(await folderArgument(shell, 'export', { folder }), given, shell));
    });
}

async function exported(folder: string, given: Given, shell: Shell): Promise<ExitCode> {
  const from = shell.workingFolder;
  const targets = Object.fromEntries(
    EXPORT_FORMATS.flatMap((format) => {
      const path = given[format];
      if (path === '-') throw new CrawlError('USAGE', dashRefusal(format));
      return path === undefined ? [] : [[format, resolve(from, path)]];
    }),
  );
  if (Object.keys(targets).length === 0) {
    throw new CrawlError(
      'USAGE',
      `nothing to write: no format was named\nAccepted: ${EXPORT_FORMATS.map((each) => `--${each}`).join(', ')}.`,
    );
  }
  const stopped = new AbortController();
  let stop: StopSignal | null = null;
  using _listening = listenForInterruption(shell.signals, shell.clock, (_how, signal) => {
    stop = signal;
    stopped.abort();
  });
  try {
    report(await exportCrawl(folder, targets, { overwrite: given.overwrite === true, signal: stopped.signal }), shell);
    return 0;
  } catch (error) {
    if (stop === null) throw error;
    shell.errors.write('interrupted: nothing was written\n');
    return exitCodeOfSignal(stop);
  }
}

/** Elsewhere `-` is standard output, which an export does not write to: the places of its files are told there. */
function dashRefusal(format: ExportFormat): string {
  const what = format === 'csv' ? 'a folder, for it writes several files' : 'a file';
  return `--${format} takes ${what}; it does not write to standard output (-)\nName another one, or ./- if it shall be called so.`;
}

function report({ exported: all, notes }: ExportReport, shell: Shell): void {
  const paint = paintFor(shell.errors, shell.variables);
  for (const { format, files, counts } of all) {
    const holds = Object.entries(counts).map(([what, count]) => countWords(what, count));
    const places = files.map((file) => safeText(nearPath(file, shell.workingFolder)));
    shell.output.write(`${format.padEnd(WIDEST)}  ${placeWords(places)}: ${holds.join(', ')}\n`);
  }
  for (const note of notes) shell.errors.write(`${paint.notable('note')}  ${safeText(note)}\n`);
}

const WIDEST = Math.max(...EXPORT_FORMATS.map((format: ExportFormat) => format.length));
/** Files that are named; more are counted. */
const NAMED_FILES = 4;

function placeWords(places: readonly string[]): string {
  const more = places.length - NAMED_FILES;
  return more <= 0 ? places.join(', ') : `${places.slice(0, NAMED_FILES).join(', ')} and ${counted(more, 'more file')}`;
}

/** `skipped` is no noun: 3 skipped. */
function countWords(what: string, count: number): string {
  return what.endsWith('s') ? counted(count, what.slice(0, -1)) : `${grouped(count)} ${what}`;
}
