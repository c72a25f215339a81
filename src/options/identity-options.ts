/** Settings of the group `identity`: as whom, and by which way, the crawler comes to a site. */
import { CONSENT_MODES, type ConsentMode } from '../model/consent.ts';
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import { proxyUrl } from './proxy-url.ts';
import { path } from './text-type.ts';
import { choice } from './value-type.ts';

const { option, defaulted } = rowsOf('identity');

export const IDENTITY_OPTIONS = {
  /** File with the cookies and the local storage of a sign-in, in Playwright's form; what sites change is written back. */
  storageState: option({
    type: path("a file, as Playwright's storageState() writes it"),
    flag: '--storage-state <file>',
    help: 'Crawls signed in, with the cookies and local storage of this file of Playwright; what the sites change is written back.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** What is done with dialogs that ask for consent to cookies; `leave` loads nothing and looks for none. */
  consent: defaulted({
    type: choice(CONSENT_MODES),
    flag: '--consent <word>',
    help: 'Deals with consent dialogs: leaves, rejects, accepts or hides them. All but leave render every page.',
    default: 'leave',
  }) as DefaultedRow<ConsentMode>,
  /** URL of a proxy that all connections go through: http, https or socks5; may hold a user and a password. */
  proxy: option({
    type: proxyUrl,
    flag: '--proxy <url>',
    help: 'Connects to sites through this proxy: http, https or socks5; user and password stand in ORBWEAVER_PROXY_AUTH.',
    alsoResume: true,
    credentialVariable: 'ORBWEAVER_PROXY_AUTH',
  }) as OptionRow<string>,
};
