/** Settings of the group `identity`: as whom, and by which way, the crawler comes to a site. */
import { rowsOf, type OptionRow } from './option-row.ts';
import { proxyUrl } from './proxy-url.ts';

const { option } = rowsOf('identity');

export const IDENTITY_OPTIONS = {
  /** URL of a proxy that all connections go through: http, https or socks5; may hold a user and a password. */
  proxy: option({
    type: proxyUrl,
    flag: '--proxy <url>',
    help: 'Connects to sites through this proxy: http, https or socks5; user and password stand in ORBWEAVER_PROXY_AUTH.',
    alsoResume: true,
    credentialVariable: 'ORBWEAVER_PROXY_AUTH',
  }) as OptionRow<string>,
};
