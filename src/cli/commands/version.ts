/** `orbweaver version` */
import { Command } from 'commander';
import { VERSION } from '../../options/identity.ts';
import type { Shell } from '../shell.ts';

/** Prints the beginning of a fault report. @param machine such as `Node.js v20.20.2, linux x64` */
export function versionCommand(shell: Shell, machine: string): Command {
  return new Command('version')
    .summary('print the version of this program and of what it runs on')
    .description('Prints the version of this program and of what it runs on.')
    .action(() => {
      shell.output.write(`orbweaver ${VERSION}\n${machine}\n`);
    });
}
