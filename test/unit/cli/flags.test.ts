import { describe, expect, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { flagOfOption } from '../../../src/cli/flags/flag-lookup.ts';
import type { Flag } from '../../../src/cli/flags/flag.ts';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import { checkOptions, inFlagWords } from '../../../src/cli/flags/option-names.ts';
import type { SettingsDraft } from '../../../src/cli/flags/settings.ts';
import { OPTION_GROUPS } from '../../../src/options/option-row.ts';
import { parseOptions, type CrawlOptions } from '../../../src/options/options.ts';

function flagNamed(name: string): Flag {
  const found = FLAGS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no flag ${name}`);
  return found;
}

function set(name: string, ...texts: readonly string[]): SettingsDraft {
  const draft: SettingsDraft = {};
  flagNamed(name).set(draft, texts, { name: `--${name}`, code: 'USAGE' });
  return draft;
}

describe('the table of flags', () => {
  test('names nothing twice', () => {
    for (const names of [
      FLAGS.map(({ name }) => name),
      FLAGS.flatMap(({ short }) => short ?? []),
      FLAGS.flatMap(({ variables }) => variables),
      FLAGS.map(({ option }) => option),
    ]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test.each(FLAGS.map((each) => [each.name, each] as const))(
    'writes --%s in kebab-case and explains it in one sentence',
    (name, { help, group }) => {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(help).toMatch(/^[A-Z].*\.$/);
      expect(help.length).toBeLessThan(140);
      expect(OPTION_GROUPS).toContain(group);
    },
  );

  test('stands in the order of its groups', () => {
    const order = FLAGS.map(({ group }) => OPTION_GROUPS.indexOf(group));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  test('has a flag for every option of a crawl', () => {
    const options = Object.keys(parseOptions({ seeds: ['https://example.org/'] })).filter((key) => key !== 'seeds');
    expect(options.filter((option) => flagOfOption(option) === null)).toEqual([]);
  });
});

describe('a flag', () => {
  test.each<[string, readonly string[], SettingsDraft]>([
    ['url', ['https://a/', './dist'], { urls: ['https://a/', './dist'] }],
    ['url-list', ['-'], { urlList: '-' }],
    ['reporter', ['list,junit=a,b.xml', 'json'], { reporters: ['list,junit=a,b.xml', 'json'] }],
    ['fail-on', ['error', 'links:5'], { failOn: ['error', 'links:5'] }],
    ['baseline', ['baseline.yaml'], { baseline: 'baseline.yaml' }],
    ['update-baseline', ['true'], { updateBaseline: true }],
    ['min-pages', ['100'], { minPages: 100 }],
    ['min-coverage', ['0.9'], { minCoverage: 0.9 }],
    ['follow-nofollow', ['true'], { followNofollow: true }],
    ['discard-state', ['true'], { discardState: true }],
    ['axe', [''], { axe: 'all' }],
    ['axe', ['all', 'template'], { axe: 'template' }],
    ['measure', ['true'], { measure: true }],
    ['scope', ['prefix'], { scope: 'prefix' }],
    ['include', ['/a/', '/b/'], { include: ['/a/', '/b/'] }],
    ['extra-hops', ['100'], { extraHops: 100 }],
    ['depth', ['0'], { depth: 0 }],
    ['depth', ['3', '5'], { depth: 5 }],
    ['remove-query-params', ['a,b', ' c '], { removeQueryParams: ['a', 'b', 'c'] }],
    ['remove-query-params', ['utm_*,ref@Example.org'], { removeQueryParams: ['utm_*', 'ref@Example.org'] }],
    ['keep-query-params', ['sid@*.example.org'], { keepQueryParams: ['sid@*.example.org'] }],
    ['follow-traps', ['/calendar/', 'x'], { followTraps: ['/calendar/', 'x'] }],
    ['skip-extensions', ['zip,tar.gz'], { skipExtensions: ['zip', 'tar.gz'] }],
    [
      'sitemap',
      ['', 'https://example.org/s.xml', '/maps'],
      { sitemaps: ['/sitemap.xml', 'https://example.org/s.xml', '/maps'] },
    ],
    ['no-sitemap', ['true'], { sitemap: false }],
    ['host-limit', ['5'], { hostLimit: 5 }],
    ['size-limit', ['20mb'], { sizeLimit: 20 * 1024 * 1024 }],
    ['size-limit', ['1'], { sizeLimit: 1 }],
    ['delay', ['250ms'], { delay: 250 }],
    ['delay', ['2'], { delay: 2000 }],
    ['rate-limit', ['0.5'], { rateLimit: 0.5 }],
    ['rate-limit', ['.5'], { rateLimit: 0.5 }],
    ['no-robots', ['true'], { robots: false }],
    ['no-robots', ['false'], { robots: true }],
    ['settle', ['auto'], { settle: { kind: 'auto' } }],
    ['settle', ['load'], { settle: { kind: 'load' } }],
    ['settle', ['2s'], { settle: { kind: 'after', duration: 2000 as never } }],
    ['deterministic', ['true'], { deterministic: true }],
    [
      'viewport',
      ['1280x800', '375x812', '1280x800'],
      { viewport: { width: 1280, height: 800, further: [{ width: 375, height: 812 }] } },
    ],
    ['viewport', ['1920x1080'], { viewport: { width: 1920, height: 1080 } }],
    ['proxy', ['http://a:1', ' SOCKS5h://[::1] '], { proxy: 'SOCKS5h://[::1]' }],
    ['consent', ['reject'], { consent: 'reject' }],
    ['http-auth', ['a:b@h', ' c:d@e@h:1 '], { httpAuth: ['a:b@h', 'c:d@e@h:1'] }],
    ['login', ['login.yaml', 'a/login.mjs'], { login: 'a/login.mjs' }],
    ['signed-in', ['#menu', ' url:!/login** '], { signedIn: 'url:!/login**' }],
    ['header', ['X-A: 1', 'X-B: 2, 3'], { headers: ['X-A: 1', 'X-B: 2, 3'] }],
    ['page-script', ['/a?b=*=c.mjs', '**=d.js'], { pageScripts: ['/a?b=*=c.mjs', '**=d.js'] }],
    ['extension', ['a.mjs', '/b/c.js'], { extensionFiles: ['a.mjs', '/b/c.js'] }],
    ['snapshot', ['screenshot,html'], { snapshot: ['html', 'screenshot'] }],
    ['snapshot', ['none'], { snapshot: [] }],
    ['redis', ['rediss://h:1/0'], { redis: 'rediss://h:1/0' }],
    ['redis-cluster', ['true'], { redisCluster: true }],
    ['standby', ['true'], { standby: true }],
    ['per-egress-address', ['true'], { perEgressAddress: true }],
    ['egress-address', ['192.0.2.7'], { egressAddress: '192.0.2.7' }],
    ['egress-address', ['2001:DB8:0::7'], { egressAddress: '2001:db8::7' }],
    ['metrics', [''], { metrics: '127.0.0.1:9464' }],
    ['metrics', ['8080'], { metrics: '8080' }],
    ['metrics', ['[::1]:65535'], { metrics: '[::1]:65535' }],
    ['ungated-browser', ['true'], { ungatedBrowser: true }],
    ['allow-private', ['10.0.0.0/8', '127.0.0.1:80'], { allowPrivate: ['10.0.0.0/8', '127.0.0.1:80'] }],
    ['no-progress', ['true'], { progress: false }],
    ['audit', ['true'], { audit: true }],
    ['external', ['none'], { external: 'none' }],
    ['rules', ['broken-link, missing-title', 'soft-404'], { rules: ['broken-link', 'missing-title', 'soft-404'] }],
    ['without-rules', ['deep-page'], { withoutRules: ['deep-page'] }],
    ['map', ['https://a=https://b'], { map: ['https://a=https://b'] }],
    ['against', ['main'], { against: 'main' }],
    ['learn-noise', ['true'], { learnNoise: true }],
    ['picture-threshold', ['0.001'], { pictureThreshold: 0.001 }],
    ['picture-region', ['50'], { pictureRegion: 50 }],
  ])('--%s reads %j', (name, texts, expected) => {
    expect(set(name, ...texts)).toEqual(expected);
  });

  test.each([
    ['url', ''],
    ['url-list', ''],
    ['url-list', '--resume'],
    ['scope', 'site'],
    ['scope', 'HOST'],
    ['include', '('],
    ['include', ''],
    ['exclude', '[a'],
    ['extra-hops', '101'],
    ['depth', '-1'],
    ['depth', '1.5'],
    ['depth', '1e3'],
    ['depth', 'three'],
    ['depth', ''],
    ['depth', '10001'],
    ['limit', '0'],
    ['limit', 'Infinity'],
    ['host-limit', '0'],
    ['size-limit', '0'],
    ['size-limit', '1.5'],
    ['size-limit', '20 mb'],
    ['time-limit', '0'],
    ['time-limit', '31d'],
    ['remove-query-params', 'a,,b'],
    ['remove-query-params', ''],
    ['delay', '-1s'],
    ['delay', '5 min'],
    ['delay', '31d'],
    ['host-concurrency', '0'],
    ['host-concurrency', '65'],
    ['rate-limit', '0'],
    ['rate-limit', '10001'],
    ['rate-limit', 'fast'],
    ['rate-limit', '.'],
    ['robots-agent', 'My Bot/1.0'],
    ['user-agent', 'Böt'],
    ['user-agent', 'a\r\nX-Evil: 1'],
    ['user-agent-suffix', ''],
    ['retries', '21'],
    ['workers', '-1'],
    ['workers', '1001'],
    ['settle', 'soon'],
    ['settle', '31d'],
    ['settle-timeout', '50ms'],
    ['page-timeout', '500ms'],
    ['wait-for', ' '],
    ['explore', 'everything'],
    ['render', 'sometimes'],
    ['consent', 'yes'],
    ['axe', 'https://example.org/'],
    ['block', 'pictures'],
    ['select-links', '.card'],
    ['viewport', '99x99'],
    ['viewport', '1280'],
    ['viewport', '9000x9000'],
    ['viewport', '-1x5'],
    ['page-script', 'open.mjs'],
    ['page-script', 'example.org/*=open.mjs'],
    ['page-script', '**=open.ts'],
    ['extension', 'house.json'],
    ['header', 'no colon'],
    ['header', 'Bad Name: x'],
    ['header', 'X: a\r\nY: b'],
    ['proxy', 'h:1'],
    ['proxy', 'ftp://h:1'],
    ['proxy', 'http://h:1/path'],
    ['proxy', 'http://h:1?a'],
    ['proxy', 'http://h:99999'],
    ['proxy', 'http://'],
    ['http-auth', 'a@h'],
    ['http-auth', 'a:b@h/path'],
    ['login', 'login.txt'],
    ['login', '-x.yaml'],
    ['signed-in', ''],
    ['signed-in', 'url:home'],
    ['signed-in', 'cookie:a b'],
    ['output', ''],
    ['output', '-'],
    ['output', '--resume'],
    ['snapshot', 'pdf'],
    ['snapshot', 'html,none'],
    ['snapshot', ''],
    ['redis', 'http://h'],
    ['metrics', '65536'],
    ['egress-address', 'eth0'],
    ['egress-address', '0.0.0.0'],
    ['egress-address', '::'],
    ['egress-address', 'fe80::1%eth0'],
    ['metrics', 'everywhere'],
    ['redis', 'localhost:6379'],
    ['browser', ''],
    ['config', '-'],
    ['allow-private', 'a b'],
    ['log-level', 'trace'],
  ])('--%s refuses %j, and says what is accepted', (name, text) => {
    const refusal = () => set(name, text);
    expect(refusal).toThrow(CrawlError);
    expect(refusal).toThrow(new RegExp(`^--${name}: .* is not accepted`, 's'));
    expect(refusal).toThrow(/\nAccepted: \S/);
  });

  test.each([
    ['header', 'Authorization Bearer sesame'],
    ['http-auth', 'user:sesame'],
    ['redis', 'http://user:sesame@host/'],
    ['proxy', 'ftp://user:sesame@host/'],
  ])('--%s does not repeat a value that may hold a password', (name, text) => {
    expect(() => set(name, text)).toThrow(/the value given is not accepted/);
    expect(() => set(name, text)).not.toThrow(/sesame/);
  });

  test('does not write what a terminal would obey into its message', () => {
    expect(() => set('scope', '\u001b[2Jhost\u202e')).toThrow(/^--scope: "host" is not accepted/);
  });
});

describe('ranges of the table are the ranges of the options', () => {
  const numbers: readonly (readonly [
    string,
    keyof CrawlOptions,
    readonly [string, string],
    readonly [number, number],
  ])[] = [
    ['extra-hops', 'extraHops', ['0', '100'], [-1, 101]],
    ['depth', 'depth', ['0', '10000'], [-1, 10_001]],
    ['host-concurrency', 'hostConcurrency', ['1', '64'], [0, 65]],
    ['rate-limit', 'rateLimit', ['0.000001', '10000'], [0, 10_001]],
    ['retries', 'retries', ['0', '20'], [-1, 21]],
    ['workers', 'workers', ['0', '1000'], [-1, 1001]],
    ['delay', 'delay', ['0', '30d'], [-1, 30 * 86_400_000 + 1]],
    ['time-limit', 'timeLimit', ['1ms', '30d'], [0, 30 * 86_400_000 + 1]],
    ['settle-timeout', 'settleTimeout', ['100ms', '30d'], [99, 30 * 86_400_000 + 1]],
    ['page-timeout', 'pageTimeout', ['1s', '30d'], [999, 30 * 86_400_000 + 1]],
    ['max-retry-after', 'maxRetryAfter', ['0', '30d'], [-1, 30 * 86_400_000 + 1]],
    ['max-crawl-delay', 'maxCrawlDelay', ['0', '30d'], [-1, 30 * 86_400_000 + 1]],
  ];
  test.each(numbers)('--%s', (name, option, [least, most], [below, above]) => {
    const seeds = ['https://example.org/'];
    const redis = 'redis://localhost'; // zero workers are allowed only with a Redis server
    expect(() => parseOptions({ seeds, redis, ...set(name, least) })).not.toThrow();
    const needed = option === 'workers' ? ({ render: 'never' } as const) : {}; // no browser supports that many pages
    expect(() => parseOptions({ seeds, ...needed, ...set(name, most) })).not.toThrow();
    expect(() => parseOptions({ seeds, [option]: below })).toThrow(CrawlError);
    expect(() => parseOptions({ seeds, [option]: above })).toThrow(CrawlError);
  });
});

test('a combination that is not accepted names its flag once, however often it is checked', () => {
  const refused = new CrawlError('USAGE', 'one excludes the other', { data: { option: 'render' } });
  const named = inFlagWords(inFlagWords(refused));
  expect(named).toMatchObject({ message: 'one excludes the other\nThe flag is --render.' });
});

test.each([
  [{ redisCluster: true }, '--redis-cluster: no node of the cluster is named\nAdd --redis <url>.'],
  [{ workers: 0 }, '--workers: 0 leaves nobody to make visits\nAdd --redis <url>.'],
] satisfies readonly (readonly [Omit<CrawlOptions, 'seeds'>, string])[])(
  'a value that another option must go with names that flag: %j',
  (options, message) => {
    expect(() => checkOptions({ seeds: ['http://site.test/'], ...options })).toThrow(
      expect.objectContaining({ code: 'USAGE', message }),
    );
  },
);
