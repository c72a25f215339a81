/** `orbweaver doctor` */
import { Command } from 'commander';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import type { MachineFinding } from '../engine.ts';
import type { ExitCode } from '../exit-code.ts';
import { FLAGS } from '../flags/flags.ts';
import { gatherSettings } from '../flags/gather.ts';
import type { Paint } from '../terminal/paint.ts';
import { redactingOutput } from '../terminal/redacting-output.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Shell } from '../shell.ts';
import { paintFor } from '../terminal/terminal.ts';

/** @param finish called with the exit code: 2 where something is missing, for then no crawl could start */
export function doctorCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = FLAGS.filter(({ name }) => name === 'browser');
  const command = new Command('doctor')
    .summary('say which browser, Redis and sandbox would be used, and what is missing')
    .description(
      'Says which browser, Redis and sandbox would be used, and what is missing with the command that mends it.',
    );
  addFlags(command, flags);
  return command.action(async () => {
    const { browser = null } = gatherSettings(givenFlags(command, flags), shell.variables, flags, shell.workingFolder);
    const engine = await shell.engine();
    const findings = await engine.diagnoseMachine(shell.environment(), browser);
    // it is pasted into reports, and an endpoint may hold a token
    redactingOutput(shell.output).write(`${findingsText(findings, paintFor(shell.output, shell.variables))}\n`);
    finish(findings.every(({ ok }) => ok) ? 0 : 2);
  });
}

/** The findings one below the other, each with its cure. */
function findingsText(findings: readonly MachineFinding[], paint: Paint): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 10);
  const head = (name: string, ok: boolean) =>
    `${ok ? paint.good('ok    ') : paint.bad('not ok')}  ${safeText(name).padEnd(width)}`;
  const lines = (text: string) => text.split('\n').map((line) => safeText(line));
  return findings
    .flatMap(({ name, ok, detail, cure }) => [
      ...lines(detail).map((line, index) => (index === 0 ? `${head(name, ok)}  ${line}` : `${indent}${line}`)),
      ...(cure === null ? [] : lines(cure).map((line) => `${indent}${paint.strong(line)}`)),
    ])
    .join('\n');
}
