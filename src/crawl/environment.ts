import { availableParallelism, homedir } from 'node:os';

/** What the program takes from the machine and the shell that it runs in. */
export interface CrawlEnvironment {
  /** PATH, where redis-server and browsers are looked for. */
  readonly path: string;
  /** ORBWEAVER_BROWSER. */
  readonly browser: string | undefined;
  /** PLAYWRIGHT_BROWSERS_PATH. */
  readonly playwrightCache: string | undefined;
  readonly home: string;
  /** What relative paths are relative to. */
  readonly workingFolder: string;
  readonly cores: number;
}

/** The environment of this process; the command line passes the folder that the user typed in. */
export function currentEnvironment(
  variables: NodeJS.ProcessEnv = process.env,
  workingFolder: string = process.cwd(),
): CrawlEnvironment {
  return {
    path: variables['PATH'] ?? '',
    browser: variables['ORBWEAVER_BROWSER'],
    playwrightCache: variables['PLAYWRIGHT_BROWSERS_PATH'],
    home: homedir(),
    workingFolder,
    cores: availableParallelism(),
  };
}
