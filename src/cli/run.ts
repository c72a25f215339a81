/** Turns words into an exit code. Nothing here ends the process: main.ts sets the code, and the process ends by itself. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, type Option } from 'commander';
import { CrawlError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { VERSION } from '../options/identity.ts';
import { approveCommand } from './commands/approve.ts';
import { auditCommand } from './commands/audit.ts';
import { crawlCommand } from './commands/crawl.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { gatherCommand } from './commands/gather.ts';
import { linksCommand } from './commands/links.ts';
import { loginCommand } from './commands/login.ts';
import { resumeCommand } from './commands/resume.ts';
import { serveCommand } from './commands/serve.ts';
import { showCommand } from './commands/show.ts';
import { testCommand } from './commands/test.ts';
import { verifyCommand } from './commands/verify.ts';
import { versionCommand } from './commands/version.ts';
import { workerCommand } from './commands/worker.ts';
import { exitCodeOfError, type ExitCode } from './exit-code.ts';
import type { Flag } from './flags/flag.ts';
import { flagsOf } from './flags/flag-lookup.ts';
import { flagNameMeantBy } from './flags/other-names.ts';
import { FLAGS } from './flags/flags.ts';
import { lackOfFiles } from './open-files.ts';
import { inFlagWords } from './flags/option-names.ts';
import { quietErrors } from './terminal/redacting-output.ts';
import { safeText } from './terminal/safe-text.ts';
import { callOf, invocation, type Shell } from './shell.ts';
import { paintFor, widthOf } from './terminal/terminal.ts';

const SHORT_HELP = `orbweaver ${VERSION}: a headless-browser rendering crawler

  orbweaver crawl https://example.org/      crawl a site
  orbweaver crawl ./dist                    serve a folder on loopback and crawl it
  orbweaver --help                          all commands
  orbweaver crawl --help                    all flags
`;

/** Runs one command line. Never rejects: an error is written to the errors and is in the code. */
export async function run(given: Shell): Promise<ExitCode> {
  const shell = quietErrors(given);
  if (shell.words.length === 0) {
    shell.output.write(SHORT_HELP);
    return 0;
  }
  let code: ExitCode = 0;
  const program = commandLine(shell, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(wordsToParse(shell, program.commands), { from: 'user' });
    return code;
  } catch (error) {
    return report(error, shell, program);
  }
}

/** @throws {CrawlError} USAGE for the help of a command that there is not: commander refuses that without a word */
function wordsToParse(shell: Shell, commands: readonly Command[]): string[] {
  const [first, asked = ''] = shell.words;
  if (first !== 'help' || asked === '' || asked.startsWith('-')) return [...shell.words];
  if (asked === 'help') return ['help'];
  if (!commands.some((command) => command.name() === asked)) throw unknownCommand(asked, commands, shell);
  return [...shell.words];
}

function commandLine(shell: Shell, finish: (code: ExitCode) => void): Command {
  const program = new Command('orbweaver')
    .description('A headless-browser rendering crawler: complete, polite, durable.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', '\nThe flags of a command: orbweaver <command> --help');
  program.addCommand(crawlCommand(shell, finish));
  program.addCommand(resumeCommand(shell, finish));
  program.addCommand(auditCommand(shell, finish));
  program.addCommand(diffCommand(shell, finish));
  program.addCommand(approveCommand(shell, finish));
  program.addCommand(testCommand(shell, finish));
  program.addCommand(explainCommand(shell, finish));
  program.addCommand(linksCommand(shell, finish));
  program.addCommand(showCommand(shell, finish));
  program.addCommand(verifyCommand(shell, finish));
  program.addCommand(exportCommand(shell, finish));
  program.addCommand(serveCommand(shell, finish));
  program.addCommand(loginCommand(shell, finish));
  program.addCommand(workerCommand(shell, finish));
  program.addCommand(gatherCommand(shell, finish));
  program.addCommand(doctorCommand(shell, finish));
  program.addCommand(versionCommand(shell, `Node.js ${process.version}, ${process.platform} ${process.arch}`));
  for (const command of [program, ...program.commands]) configure(command, shell);
  program.on('command:*', ([word = '']: string[]) => {
    throw unknownCommand(word, program.commands, shell);
  });
  return program;
}

function configure(command: Command, shell: Shell): void {
  command
    .helpOption('-h, --help', 'show this help')
    .showSuggestionAfterError(false) // `usageError` knows more names
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.output.write(text),
      writeErr: () => {}, // `report` writes what parseAsync throws
      getOutHelpWidth: () => Math.min(widthOf(shell.output), 120),
    });
}

/** Writes an error in words; returns 0 where it is none. */
function report(error: unknown, shell: Shell, program: Command): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return 0; // --help and --version
  const found = causeOf(error);
  const cause = lackOfFiles(found) ?? found;
  const shown = cause instanceof CommanderError ? usageError(cause, shell, program) : inFlagWords(cause);
  const paint = paintFor(shell.errors, shell.variables);
  const [first = '', ...rest] = wordsOf(shown).map((line) => safeText(line));
  const code = shown instanceof CrawlError ? ` ${paint.faint(`[${shown.code}]`)}` : '';
  shell.errors.write(`${paint.bad('error')}  ${first}${code}\n${rest.map((line) => `       ${line}\n`).join('')}`);
  return found === error ? exitCodeOfError(shown) : BROKEN_OFF;
}

/** Of a command that was at work: something was open. */
const BROKEN_OFF: ExitCode = 3;

/** A refusal of commander's, in the words of this program. */
function usageError(error: CommanderError, shell: Shell, program: Command): CrawlError {
  const message = error.message.replace(/^error: /, '').trim();
  const refused = flagOfCrawl(message);
  const [command = ''] = shell.words;
  if (refused?.type.isSwitch === true && /'--[a-z-]+=/.test(message) && isTaken(refused, command)) {
    const words = `--${refused.name} is a switch, and takes no value\nGive --${refused.name} alone, or leave it out.`;
    return new CrawlError('USAGE', words, { cause: error });
  }
  if (command === 'resume' && error.code === 'commander.unknownOption' && refused !== null) {
    if (refused.group === 'judgement') {
      const cure = `Judge its folder when it has ended: ${invocation(shell)} audit <folder>, or diff <old> <folder>.`;
      return new CrawlError('USAGE', `resume takes no --${refused.name}: it goes on with the crawl.\n${cure}`, {
        cause: error,
      });
    }
    const taken = flagsOf('resume').map(({ name }) => `--${name}`);
    const why = 'what to crawl, and how, stands in its folder, and what was found so far was judged by that';
    return new CrawlError('USAGE', `resume takes no --${refused.name}: ${why}.\nIt takes ${taken.join(', ')}.`, {
      cause: error,
    });
  }
  const cure = error.code === 'commander.unknownOption' ? cureOfUnknown(message, refused, shell, program) : null;
  if (cure !== null) return new CrawlError('USAGE', `${message}\n${cure}`, { cause: error });
  const [, name = ''] = /--([a-z-]+)/.exec(message) ?? [];
  const lacksValue = error.code === 'commander.optionMissingArgument';
  const flag = lacksValue ? FLAGS.find((each) => each.name === name) : undefined;
  const words =
    flag === undefined
      ? `${lacksValue ? `--${name}: a value is missing.` : message}\n${invocation(shell)} help ${/^(?!help$)[a-z]+$/.test(command) ? command : '<command>'} lists the flags.`
      : `--${name}: a value is missing.\nAccepted: ${flag.type.accepts}.`;
  return new CrawlError('USAGE', words, { cause: error });
}

/** What there is to say of a flag that another command has, of `--no-` before a switch, and of one that is nearly right; else null. */
function cureOfUnknown(message: string, flag: Flag | null, { words }: Shell, program: Command): string | null {
  const [command = ''] = words;
  const { options } = program.commands.find((each) => each.name() === command) ?? program;
  if (flag?.name === 'json' && options.some(({ long }) => long === '--reporter'))
    return '--reporter json=- prints JSON.';
  if (flag !== null && /^[a-z]+$/.test(command)) return `--${flag.name} is a flag of ${flag.commands.join(', ')}.`;
  const [, typed = ''] = /'--([\w-]+)/.exec(message) ?? [];
  if (/^(?:no-)?colou?rs?$/.test(typed)) return 'NO_COLOR=1 and FORCE_COLOR=1 in the environment decide about colours.';
  const off = FLAGS.find((each) => `no-${each.name}` === typed && each.type.isSwitch && isTaken(each, command));
  const [variable] = off?.variables ?? [];
  if (off !== undefined && variable !== undefined)
    return `--${off.name} is off unless it is given; ${variable}=false overrules a config file that gives it.`;
  return typed === '' ? null : optionMeantBy(typed, options, command);
}

function optionMeantBy(typed: string, options: readonly Option[], command: string): string | null {
  const names = [...options.map(({ long }) => long?.slice(2) ?? ''), 'help'];
  const meant = flagNameMeantBy(typed, names) ?? flagNameMeantBy(typed.replace(/^no-/, ''), names);
  if (meant === null) return null;
  const flag = FLAGS.find((each) => each.name === meant && isTaken(each, command));
  const help = flag?.help ?? options.find(({ long }) => long === `--${meant}`)?.description;
  return `Did you mean --${meant}?${help === undefined ? '' : ` ${help}`}`;
}

function isTaken({ commands }: Flag, command: string): boolean {
  // an audit crawls first
  return commands.some((each) => each === command) || (command === 'audit' && commands.includes('crawl'));
}

/** The flag of `crawl` that a message of commander names: `unknown option '--depth'`. */
function flagOfCrawl(message: string): Flag | null {
  const [, name = '', short = ''] = /'(?:--([a-z-]+)|-([a-z]))/i.exec(message) ?? [];
  return FLAGS.find((flag) => flag.name === name || (flag.short !== null && flag.short === short)) ?? null;
}

/** The error that came first, where closing what was open then failed as well. */
function causeOf(error: unknown): unknown {
  if (error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error)
    return causeOf(error.suppressed);
  if (!(error instanceof AggregateError)) return error;
  const found: unknown = error.errors.find((each) => each instanceof CrawlError);
  return found ?? error;
}

function wordsOf(error: unknown): readonly string[] {
  if (error instanceof CrawlError) return error.message.split('\n');
  if (!(error instanceof Error)) return [String(error)];
  return ['this is a fault of the program, please report it:', ...(error.stack ?? error.message).split('\n')];
}

/** @returns the error for a word that is no command; a URL in its place most likely lacks `crawl` before it */
function unknownCommand(word: string, commands: readonly Command[], shell: Shell): CrawlError {
  const names = [...commands.map((command) => command.name()), 'help'];
  const isTarget =
    /^https?:|^\.{0,2}\/|^[\w-]+\.\w+/i.test(word) || (word !== '' && existsSync(resolve(shell.workingFolder, word)));
  const similar = isTarget ? 'crawl' : nearest(word, names);
  const cure =
    similar === null
      ? `Accepted: ${names.join(', ')}.`
      : `Did you mean: ${callOf(similar, shell)}${isTarget ? ` ${word}` : ''}`;
  return new CrawlError('USAGE', `unknown command ${JSON.stringify(word)}\n${cure}`);
}
