/** Turns the message of a failed start, from a browser or from Playwright about an endpoint, into advice for a person. */
import { stripVTControlCharacters } from 'node:util';
import { DeadlineExceeded } from '../../src/base/deadline.ts';
import { CrawlError } from '../../src/base/errors.ts';
import type { FoundBrowser } from './find-browser.ts';

/** Lines of the browser's own words that are worth showing. */
const QUOTED_LINES = 6;

/** Output of a browser that does not start, and its cure; the first row that matches counts. */
const CAUSES: readonly { readonly says: RegExp; readonly cause: string; readonly cure: string }[] = [
  {
    says: /sandboxing failed|No usable sandbox|zygote_host_impl|sandbox_linux|credentials\.cc|namespace|chroot|crbug\.com\/(357670|638180)/i,
    cause: 'its sandbox is not allowed here: user namespaces are switched off or forbidden',
    cure:
      'In a container: --security-opt seccomp=browsers/seccomp.json (in the repository), or seccomp=unconfined.\n' +
      'On Ubuntu 23.10 or later: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (as root)\n' +
      'On Debian: sysctl -w kernel.unprivileged_userns_clone=1   (as root), or apt-get install chromium-sandbox',
  },
  {
    says: /error while loading shared libraries: ([^\s:]+)/,
    cause: 'a library it needs is missing',
    cure: 'Install its libraries with: npx playwright-core install-deps chromium-headless-shell   (as root)',
  },
  {
    says: /EACCES|Permission denied/i,
    cause: 'it may not be started by the user that would run it',
    cure: 'Every folder on the way to the program must be open to all users (chmod o+x), or name another browser with --browser.',
  },
  {
    says: /EAGAIN|EMFILE|ENFILE|ENOMEM|Resource temporarily unavailable|Too many open files|Cannot allocate memory/i,
    cause: 'the system gives no more processes, open files or memory',
    cure: 'Raise the limits: ulimit -u and ulimit -n, or those of the container (pids, memory).',
  },
  {
    says: /ENOENT/,
    cause: 'the program or its interpreter is not there',
    cure: 'Name another browser with --browser <path>.',
  },
  {
    says: /ECONNREFUSED|ENOTFOUND|WebSocket|connectOverCDP/,
    cause: 'nothing answers at its address',
    cure: 'Start it, or leave --browser out to use one of this machine.',
  },
  {
    says: /Timeout \d+ms exceeded|did not answer within/,
    cause: 'it did not answer in time',
    cure: 'See what it does with: orbweaver doctor',
  },
];

/**
 * The error for a browser that was found and does not start.
 * @param printed output of the browser itself; it says more than that a connection was closed, but not that a deadline passed
 */
export function launchFailure(found: FoundBrowser, error: unknown, printed = ''): CrawlError {
  const told = error instanceof Error ? error.message : String(error);
  const words = printed === '' ? told : error instanceof DeadlineExceeded ? `${told}\n${printed}` : printed;
  const known = CAUSES.find(({ says }) => says.test(words));
  const name = found.kind === 'executable' ? found.path : found.url;
  const cause = known?.cause ?? 'it ended at once';
  const cure = known?.cure ?? 'See what is missing with: orbweaver doctor';
  const quoted = ownWords(words);
  return new CrawlError(
    'BROWSER_UNUSABLE',
    [`the browser ${name} does not start: ${cause}.`, ...quoted.map((line) => `  | ${line}`), cure].join('\n'),
    { cause: printed === '' ? error : new Error(printed, { cause: error }), data: { browser: name } },
  );
}

/** The error for a browser that starts and opens no page at all: the next one would fare no better. */
export function opensNoPage(error: unknown): CrawlError {
  const why = error instanceof Error ? error.message : String(error);
  return new CrawlError(
    'BROWSER_UNUSABLE',
    `the browser starts, and opens no page: ${why}.\nIt may lack open files (ulimit -n), processes (ulimit -u) or memory.`,
    { cause: error },
  );
}

/** The browser's output, or the first lines of the error where there was none. */
function ownWords(message: string): readonly string[] {
  const lines = message.split('\n').map((line) => stripVTControlCharacters(line).trim());
  const printed = lines.filter((line) => line.includes('[err]')).map((line) => line.replace(/^.*?\[err\]\s*/, ''));
  const plain = lines.filter((line) => line !== '' && !line.includes('<launching>') && !/^[=\-╔╚║]/.test(line));
  // Playwright gives an endpoint's output twice
  return [...new Set(printed.length > 0 ? printed : plain)].slice(0, QUOTED_LINES).map((line) => line.slice(0, 200));
}
