/** Users and passwords for URLs among the settings: they come from the environment, and from nowhere else. */
import { CrawlError } from '../../base/errors.ts';
import { withoutUpstreamCredential, withUpstreamCredential } from '../../model/upstream-proxy.ts';
import type { Variables } from './environment.ts';
import type { Flag } from './flag.ts';
import type { Settings, SettingsDraft } from './settings.ts';

/**
 * Refuses credentials in arguments, which everybody on the machine sees, and in config files, which are copied.
 * @param shown settings of the command line, or of a config file
 * @throws {CrawlError} USAGE where a URL among them holds a user or a password; it is not repeated
 */
export function refuseShownCredentials(shown: Settings | SettingsDraft, flags: readonly Flag[]): void {
  for (const { flag, url, variable } of urlsWithCredentials(shown, flags)) {
    if (url === withoutUpstreamCredential(url)) continue;
    const cure = `Give the URL without them, and ${variable}=user:password in the environment.`;
    throw new CrawlError(
      'USAGE',
      `--${flag.name}: a URL with a user or a password is not accepted, for others can read it.\n${cure}`,
      { data: { flag: `--${flag.name}` } },
    );
  }
}

/**
 * The settings whose users and passwords are in variables of their own, with those in the URLs.
 * @throws {CrawlError} USAGE that names the variable, never its value
 */
export function credentials(settings: Settings, variables: Variables, flags: readonly Flag[]): SettingsDraft {
  const draft: SettingsDraft = {};
  for (const { flag, url, variable } of urlsWithCredentials(settings, flags)) {
    const credential = variables[variable]?.trim() ?? '';
    if (credential === '') continue;
    flag.set(draft, [withUpstreamCredential(url, credential)], { name: variable, code: 'USAGE' });
  }
  return draft;
}

/** The given settings that may need a user and a password. */
function urlsWithCredentials(
  settings: Settings | SettingsDraft,
  flags: readonly Flag[],
): readonly { readonly flag: Flag; readonly url: string; readonly variable: string }[] {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(settings));
  return flags.flatMap((flag) => {
    const url = values.get(flag.option);
    const variable = flag.credentialVariable;
    return variable === null || typeof url !== 'string' ? [] : [{ flag, url, variable }];
  });
}
