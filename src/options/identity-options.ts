/** Settings of the group `identity`: as whom, and by which way, the crawler comes to a site. */
import { rowsOf, type OptionRow } from './option-row.ts';
import { proxyUrl } from './proxy-url.ts';
import { path } from './text-type.ts';

const { option } = rowsOf('identity');

export const IDENTITY_OPTIONS = {
  /** File with the cookies and the local storage of a sign-in, in Playwright's form; what sites change is written back. */
  storageState: option({
    type: path("a file, as Playwright's storageState() writes it"),
    flag: '--storage-state <file>',
    help: 'Crawls signed in, with the cookies and local storage of this file of Playwright; what the sites change is written back.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** URL of a proxy that all connections go through: http, https or socks5; may hold a user and a password. */
  proxy: option({
    type: proxyUrl,
    flag: '--proxy <url>',
    help: 'Connects to sites through this proxy: http, https or socks5; user and password stand in ORBWEAVER_PROXY_AUTH.',
    alsoResume: true,
    credentialVariable: 'ORBWEAVER_PROXY_AUTH',
  }) as OptionRow<string>,
};
