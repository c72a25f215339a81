import { availableParallelism, homedir, platform } from 'node:os';
import { browserEnvironment, type BrowserEnvironment } from '../../browsers/find-browser.ts';

/** What the program takes from the machine and the shell that it runs in. */
export interface CrawlEnvironment {
  /** PATH, where redis-server is looked for. */
  readonly path: string;
  /** Where browsers are looked for. */
  readonly browsers: BrowserEnvironment;
  /** What relative paths are relative to. */
  readonly workingFolder: string;
  readonly cores: number;
}

/** The environment of this process; the command line passes the folder that the user typed in. */
export function currentEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  workingFolder: string = process.cwd(),
): CrawlEnvironment {
  return {
    path: variables['PATH'] ?? '',
    browsers: browserEnvironment(variables, platform(), homedir()),
    workingFolder,
    cores: availableParallelism(),
  };
}
