#!/usr/bin/env node
/**
 * The first file of the program. It loads the rest, whose files Node.js opens all at once: where the system refuses that, Node.js would end with
 * a stack and with code 1, which means that a gate failed.
 */
import { exitCodeOfError } from './exit-code.ts';
import { lackOfFiles } from './open-files.ts';

try {
  await import('./program.ts');
} catch (error) {
  const lack = lackOfFiles(error);
  if (lack === null) throw error;
  process.stderr.write(`error  ${lack.message.replace('\n', ` [${lack.code}]\n       `)}\n`);
  process.exitCode = exitCodeOfError(lack);
}
