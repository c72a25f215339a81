/** Settings of the group `identity`: how the crawler presents itself to a site, and the way that it takes there. */
import { CONSENT_MODES, type ConsentMode } from '../model/consent.ts';
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import { ipAddress } from './ip-address.ts';
import { proxyUrl } from './proxy-url.ts';
import { httpAuthTexts, loginFile, signedInMark } from './sign-in-values.ts';
import { path } from './text-type.ts';
import { choice } from './value-type.ts';

const { option, defaulted } = rowsOf('identity');

export const IDENTITY_OPTIONS = {
  /** File with the cookies and the local storage of a sign-in, in Playwright's form; changes by sites are written back. */
  storageState: option({
    type: path("a file, as Playwright's storageState() writes it"),
    flag: '--storage-state <file>',
    help: 'Crawls signed in, with the cookies and storage in this file of Playwright; what the sites change is written back.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** `user:password@host` for hosts that ask for HTTP authentication (Basic); each is sent only to its host. */
  httpAuth: defaulted({
    type: httpAuthTexts,
    flag: '--http-auth <user:password@host>',
    default: [],
    help: 'Signs in by HTTP authentication at this host and no other; better in ORBWEAVER_HTTP_AUTH, as others can read arguments.',
    alsoResume: true,
  }) as DefaultedRow<readonly string[]>,
  /** File that describes the sign-in: steps in YAML, or a module that gets a page of Playwright. */
  login: option({
    type: loginFile,
    flag: '--login <file>',
    help: 'Signs in by the steps of this file (YAML, or a module that gets { page, context }) before the crawl, and when signed out.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** Mark of pages that were loaded signed in: `selector:…`, `url:…` or `cookie:…`, each with `!` for its contrary. */
  signedIn: option({
    type: signedInMark,
    flag: '--signed-in <mark>',
    help: 'How to tell that a page is signed in: selector:<css>, url:<glob> or cookie:<name>; ! behind the colon means the contrary.',
    alsoResume: true,
  }) as OptionRow<string>,
  /** Treatment of dialogs that ask for consent to cookies; `leave` loads nothing and looks for none. */
  consent: defaulted({
    type: choice(CONSENT_MODES),
    flag: '--consent <word>',
    help: 'Deals with consent dialogs: leaves, rejects, accepts or hides them. All but leave render every page.',
    default: 'leave',
  }) as DefaultedRow<ConsentMode>,
  /** The address of this machine from which connections go to sites; by default the system chooses it. */
  egressAddress: option({
    type: ipAddress,
    flag: '--egress-address <ip>',
    otherwise: 'what the system chooses',
    help: 'Connects to sites from this address of this machine; sites of the other IP version cannot be reached then.',
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
