/** Names under which other crawlers know what a flag does: people type them out of habit. */
import { nearest } from '../../base/nearest.ts';

/** By the flag's name: names in Crawlee, Browsertrix, Katana, wget, curl, lychee and their like. Each stands once, and is no flag of ours. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  block: ['block-ads', 'block-resources'],
  browser: ['browser-path', 'browser-channel', 'chrome-path', 'executable-path'],
  config: ['config-file'],
  consent: ['cookie-consent'],
  delay: ['crawl-delay', 'page-extra-delay', 'request-delay', 'wait'],
  depth: ['crawl-depth', 'level', 'max-crawl-depth', 'max-depth'],
  exclude: ['disallow', 'exclude-regex', 'exclude-urls', 'reject', 'reject-regex', 'scope-exclude-rx', 'skip'],
  explore: ['behaviors', 'click', 'interact', 'scroll'],
  header: ['cookie', 'headers'],
  'http-auth': ['auth', 'basic-auth', 'http-password', 'http-user', 'password', 'user', 'username'],
  include: ['accept-regex', 'allow', 'include-regex', 'include-urls', 'scope-include-rx'],
  limit: [
    ...['crawl-limit', 'max-pages', 'max-requests', 'max-requests-per-crawl', 'max-urls', 'page-limit', 'pages'],
    ...['url-limit'],
  ],
  'no-robots': ['ignore-robots', 'ignore-robots-txt', 'skip-robots'],
  output: ['collection', 'dir', 'directory', 'directory-prefix', 'out', 'out-dir', 'outdir', 'output-dir'],
  overwrite: ['clobber', 'force'],
  'page-timeout': ['goto-timeout', 'navigation-timeout', 'page-load-timeout', 'timeout'],
  proxy: ['proxy-server', 'proxy-url'],
  quiet: ['silent'],
  'rate-limit': ['max-rate', 'rate', 'requests-per-second', 'rps'],
  render: ['headless', 'javascript', 'js'],
  reporter: ['format', 'reporters'],
  resume: ['continue'],
  retries: ['max-page-retries', 'max-request-retries', 'max-retries', 'retry', 'tries'],
  scope: ['crawl-scope', 'domain-scope', 'no-parent', 'scope-type', 'span-hosts'],
  settle: ['wait-until'],
  snapshot: ['archive', 'generate-wacz', 'screenshot', 'screenshots', 'wacz', 'warc', 'warc-file'],
  'storage-state': ['cookies', 'load-cookies', 'profile'],
  'time-limit': ['crawl-duration', 'max-crawl-time', 'max-duration'],
  'url-list': ['input', 'input-file', 'list', 'seed-file', 'seeds', 'url-file', 'urls'],
  'user-agent': ['agent', 'ua'],
  verbose: ['debug'],
  'wait-for': ['wait-for-selector', 'wait-selector'],
  workers: [
    ...['concurrency', 'jobs', 'max-concurrency', 'max-workers', 'parallel', 'parallelism', 'processes', 'threads'],
  ],
};

/**
 * The one of these names of flags that a wrong one most likely stands for: the nearest of their own names and of those in other crawlers;
 * null where none is near.
 * @param typed without dashes in front, in any case
 */
export function flagNameMeantBy(typed: string, names: readonly string[]): string | null {
  const kebab = typed
    .replaceAll('_', '-')
    .replaceAll(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase();
  const near = nearest(kebab, [...names, ...names.flatMap(otherNamesOf)]);
  return near === null || names.includes(near)
    ? near
    : (names.find((name) => otherNamesOf(name).includes(near)) ?? null);
}

function otherNamesOf(name: string): readonly string[] {
  return OTHER_NAMES[name] ?? [];
}
