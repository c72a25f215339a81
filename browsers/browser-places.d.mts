/** What kind of build it is: the old headless mode as a program of its own, or a full browser (new headless mode). */
export type BrowserFlavour = 'headless-shell' | 'chromium';

/** What the search for a browser depends on. */
export interface BrowserEnvironment {
  readonly platform: string;
  readonly home: string;
  /** PATH, as the process has it. */
  readonly path: string;
  /** ORBWEAVER_BROWSER: like the flag `--browser`, which goes before it. */
  readonly browser: string | null;
  /** The folder Playwright downloads browsers to; it need not exist. */
  readonly playwrightCache: string | null;
  /** What the browser's process gets of the environment: no secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Windows: where programs are installed. */
  readonly programFolders: readonly string[];
}

export interface InstalledBrowser {
  readonly path: string;
  readonly flavour: BrowserFlavour;
  /** Where it was found, for people. */
  readonly source: string;
}

/** What the search depends on, out of the environment of a process. */
export function browserEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  platform: string,
  home: string,
): BrowserEnvironment;

/** Is it a file that may be started? */
export function isProgram(path: string): boolean;

/** The program itself where the path is a distribution's script; null where the script has no program behind it. */
export function behindScript(path: string, name: string): string | null;

/** The program of a name in PATH, scripts seen through; null where there is none. */
export function inPath(path: string, name: string): string | null;

/** Every browser of this machine, the one to take first. Nothing is started for it. */
export function installedBrowsers(environment: BrowserEnvironment): readonly InstalledBrowser[];

/** The first Redis server in PATH, or null. */
export function installedRedis(path: string): string | null;
