import { homedir, platform } from 'node:os';
import { browserEnvironment, type BrowserEnvironment } from '../../browsers/launch/find-browser.ts';
import { readMachineGrant } from '../base/process/machine-grant.ts';

/** The machine and the shell as the program uses them. */
export interface CrawlEnvironment {
  /** PATH, where redis-server is looked for. */
  readonly path: string;
  /** The places that browsers are looked for in. */
  readonly browsers: BrowserEnvironment;
  /** The folder that relative paths start from. */
  readonly workingFolder: string;
  /** Cores that the process is granted, rounded up: a control group may grant fewer than the machine has. */
  readonly cores: number;
  /** Name of the processors that have these cores: other processes with the same name compete for them. */
  readonly processors: string;
  /** The environment, for the secrets that the file of `--login` names; left out: it has none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /**
   * The process does nothing else, as under the command line: where its main loop hangs, signals end it, and after 30 s it ends itself.
   * Left out, stalls are only reported: an embedding program is not ours to end.
   */
  readonly ownsProcess?: boolean;
}

/** The environment of this process; the command line passes the folder that the user typed in. */
export function currentEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  workingFolder: string = process.cwd(),
): CrawlEnvironment {
  const { cores, processors } = readMachineGrant();
  return {
    path: variables['PATH'] ?? '',
    browsers: browserEnvironment(variables, platform(), homedir()),
    workingFolder,
    cores: Math.max(1, Math.ceil(cores)),
    processors,
    variables,
  };
}
