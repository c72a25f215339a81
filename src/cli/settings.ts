/** Everything that flags, environment and config file can set: the crawl's own options and what the terminal shows. */
import type { CrawlOptions } from '../options/options.ts';

export interface Settings extends Omit<CrawlOptions, 'seeds'>, OwnSettings {}

/** What only the command line needs. */
interface OwnSettings {
  /** Seeds that are given by flag. */
  readonly urls?: readonly string[];
  /** File with a seed on each line; `-` is standard input. */
  readonly urlList?: string;
  readonly config?: string;
  readonly progress?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly logJson?: boolean;
  /** The forecast as one JSON object. */
  readonly json?: boolean;
}

/** Settings while they are collected. */
export type SettingsDraft = { -readonly [Key in keyof Settings]: Settings[Key] };

/** Puts the settings of higher rank over those of lower rank, whole values at a time. */
export function mergeSettings(...fromLowToHigh: readonly Settings[]): Settings {
  return Object.assign({}, ...fromLowToHigh);
}

const OWN: Readonly<Record<keyof OwnSettings, true>> = {
  urls: true,
  urlList: true,
  config: true,
  progress: true,
  quiet: true,
  verbose: true,
  logJson: true,
  json: true,
};

/** The settings that are the crawl's own. */
export function crawlInput(settings: Settings): Omit<CrawlOptions, 'seeds'> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !Object.hasOwn(OWN, key)));
}
