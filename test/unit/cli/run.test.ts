import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { flagsOf } from '../../../src/cli/flags/flag-lookup.ts';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import type { CrawlForecast } from '../../../src/crawl/forecast/forecast.ts';
import { DEFAULT_URL_POLICY, storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { USER_AGENT_PRODUCT } from '../../../src/options/identity.ts';
import { OPTION_GROUPS } from '../../../src/options/option-row.ts';
import { fixedSlots } from '../../../src/core/capacity/slots.ts';
import { parseOptions, type CrawlOptions } from '../../../src/options/options.ts';
import { runFake, type FakeShellOptions } from './fake-shell.ts';

const SEED = 'https://example.org/';
let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-cli-')));
  mkdirSync(join(folder, 'site'));
  writeFileSync(join(folder, 'site', 'index.html'), '');
  writeFileSync(join(folder, 'page.html'), '<title>x</title>');
  writeFileSync(
    join(folder, 'list.txt'),
    '\ufeff# seeds\r\nhttps://a.example/\r\n\r\n  ./site  \nhttps://a.example/\n',
  );
  writeFileSync(join(folder, 'bad-list.txt'), 'https://a.example/\n\nftp://b.example/\n');
  writeFileSync(join(folder, 'c.yaml'), 'depth: 1\ndelay: 1s\nscope: domain\nexclude: [/a/, /b/]\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs `crawl` in the test's folder. */
const crawl = async (words: readonly string[], options: Partial<FakeShellOptions> = {}) =>
  runFake({ workingFolder: folder, ...options, words: ['crawl', ...words] });

/** Flags that `audit` lacks. */
const OF_COMPARISONS = ['audit', 'against', 'learn-noise', 'picture-threshold', 'picture-region'];

describe('without a crawl', () => {
  test('no words print a short help with an example', async () => {
    const { code, shell } = await runFake({ words: [] });
    expect(code).toBe(0);
    expect(shell.outputText).toContain('orbweaver crawl https://example.org/');
    expect(shell.outputText.split('\n').length).toBeLessThan(12);
  });

  test.each([['--version'], ['-V']])('%s prints the version', async (word) => {
    const { code, shell } = await runFake({ words: [word] });
    expect([code, shell.errorText]).toEqual([0, '']);
    expect(shell.outputText).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('version prints what it runs on, too', async () => {
    const { code, shell } = await runFake({ words: ['version'] });
    expect(code).toBe(0);
    expect(shell.outputText).toMatch(/^orbweaver \d.*\nNode\.js v\d/);
  });

  test.each([[['help']], [['help', 'help']]])('%j prints what --help prints', async (words) => {
    const { code, shell } = await runFake({ words });
    expect([code, shell.outputText]).toEqual([0, (await runFake({ words: ['--help'] })).shell.outputText]);
  });

  test('--help lists the commands that there are', async () => {
    const { code, shell } = await runFake({ words: ['--help'] });
    expect(code).toBe(0);
    for (const command of ['crawl', 'resume', 'explain', 'links', 'serve', 'worker', 'gather', 'doctor', 'version'])
      expect(shell.outputText).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(shell.outputText).toMatch(/audit/);
  });

  test.each([
    ['crawl', flagsOf('crawl')],
    ['audit', FLAGS.filter(({ name }) => !OF_COMPARISONS.includes(name))],
    ['diff', flagsOf('diff')],
  ])('%s --help shows every flag in its group, durations explained', async (command, flags) => {
    const { code, shell } = await runFake({ words: [command, '--help'] });
    expect(code).toBe(0);
    const groups = OPTION_GROUPS.filter((group) => flags.some((flag) => flag.group === group));
    const headings = groups.map((group) => shell.outputText.toLowerCase().indexOf(`\n${group}:\n`));
    expect(headings.every((position) => position > 0)).toBe(true);
    expect(headings).toEqual(headings.toSorted((one, other) => one - other));
    for (const { name } of flags) expect(shell.outputText).toMatch(new RegExp(`--${name}\\b`));
    if (command === 'crawl') expect(shell.outputText).toContain('a bare number is seconds');
    const lines = shell.outputText.split('\n').filter((line) => !line.startsWith('  orbweaver ')); // examples are copied
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  test('worker --help says what its flags do to a worker, not to a crawl', async () => {
    const { code, shell } = await runFake({ words: ['worker', '--help'] });
    expect(code).toBe(0);
    const text = shell.outputText.replace(/\s+/g, ' ');
    expect(text).toContain('--redis <url> The Redis server of the crawl; required. --redis-cluster');
    expect(text).toMatch(/--workers <n> [^-]*: 1 to 64; up to 1000 for crawls with --render never\. \(default: /);
  });

  test('help under npm shows what can be typed there', async () => {
    const { shell } = await runFake({
      words: ['crawl', '--help'],
      variables: { npm_lifecycle_event: 'crawl', npm_package_name: 'orbweaver' },
    });
    expect(shell.outputText).toContain('npm run crawl -- https://example.org/');
  });
});

describe('what is wrong stops the program before anything is started, with exit code 2', () => {
  test.each<[readonly string[], RegExp]>([
    [['crawl'], /nothing to crawl.*\[USAGE\]\n.*orbweaver crawl https:\/\/example\.org\//s],
    [['crawl', SEED, '--depht', '3'], /unknown option '--depht'.*Did you mean --depth\?/s],
    [
      ['crawl', SEED, '--maxPages=3'],
      /unknown option '--maxPages=3' \[USAGE\]\n {7}Did you mean --limit\? Ends the crawl after this many pages\.\n$/,
    ],
    [['audit', SEED, '--max-depth', '3'], /unknown option '--max-depth' \[USAGE\]\n {7}Did you mean --depth\? /],
    [
      ['resume', 'crawl', '--concurrency', '3'],
      /unknown option '--concurrency' \[USAGE\]\n {7}Did you mean --workers\? /,
    ],
    [['crawl', SEED, '--max-pagez', '3'], /'--max-pagez' \[USAGE\]\n {7}Did you mean --limit\? /],
    [['crawl', SEED, '--hlep'], /'--hlep' \[USAGE\]\n {7}Did you mean --help\?\n$/],
    [['crawl', SEED, '--no-render'], /'--no-render' \[USAGE\]\n {7}Did you mean --render\? /],
    [['crawl', SEED, '--no-color'], /'--no-color' \[USAGE\]\n {7}NO_COLOR=1 and FORCE_COLOR=1 in the environment /],
    [['links', 'x', '--orphanz'], /'--orphanz' \[USAGE\]\n {7}Did you mean --orphans\? Pages that a sitemap names /],
    [
      ['links', 'x', '--to'],
      /^error {2}--to: a value is missing\. \[USAGE\]\n {7}orbweaver help links lists the flags\.\n$/,
    ],
    [['diff', 'x', 'y', '--json'], /'--json' \[USAGE\]\n {7}--reporter json=- prints JSON\.\n$/],
    [['site'], /unknown command "site" \[USAGE\]\n {7}Did you mean: orbweaver crawl site\n$/],
    [['crawl', SEED, '--sitemaps'], /unknown option '--sitemaps'/],
    [['crawl', SEED, '--sitemap', 'ftp://h/'], /--sitemap: "ftp:\/\/h\/" is not accepted/],
    [['crawl', '--sitemap', SEED], /nothing to crawl.*--sitemap took .* write the seeds before it/s],
    [['crawl', SEED, '--sitemap', '--no-robots', '--config', 'no-such-file'], /no-such-file/],
    [['crawl', SEED, '--dashboard', '80'], /unknown option '--dashboard'/],
    [['crawl', SEED, '-x'], /unknown option '-x'/],
    [
      ['crawl', SEED, '--baseline', 'x'],
      /unknown option '--baseline' \[USAGE\]\n {7}--baseline is a flag of audit\.\n$/,
    ],
    [
      ['crawl', SEED, '--no-audit'],
      /'--no-audit' \[USAGE\]\n {7}--audit is off unless it is given; ORBWEAVER_AUDIT=false overrules a config/,
    ],
    [['explain', 'somewhere'], /missing required argument 'url'.*orbweaver help explain lists the flags/s],
    [['resume', 'x', '--reporter', 'json'], /resume takes no --reporter.*orbweaver audit <folder>, or diff/s],
    [['--depth'], /unknown option '--depth'.*orbweaver help <command> lists the flags/s],
    [['crawl', SEED, '--depth'], /--depth: a value is missing.*Accepted: a whole number/s],
    [['crawl', SEED, '--allow-private', '-o', 'out'], /--allow-private: a value is missing before -o\..*Accepted: /s],
    [['crawl', SEED, '-d', 'x'], /--depth: "x" is not accepted/],
    [['crawl', SEED, '--depth=-1'], /--depth: "-1" is not accepted/],
    [['crawl', SEED, '--full-page=yes'], /full-page/],
    [['crawl', SEED, '-o', '--resume'], /--output: a value is missing before --resume/],
    [
      ['crawl', SEED, '-o=out'],
      /^error {2}behind -o stands its value, without = \[USAGE\]\n {7}Write -o <folder>, or --output=<folder>\.\n$/,
    ],
    [['crawl', SEED, '-H=X-Key: sesame'], /behind -H stands its value, without =/],
    [['crawl', SEED, '--resume', '--overwrite', '-o', 'x'], /--resume and --overwrite exclude each other/],
    [['crawl', SEED, '--resume'], /--resume needs the folder/],
    [['crawl', SEED, '-q', '-v'], /--quiet and --verbose exclude each other/],
    [['crawl', SEED, '-q', '--log-json'], /--quiet and --log-json exclude each other/],
    [['crawl', SEED, '--full-page'], /--full-page has no effect without screenshots/],
    [['crawl', 'ftp://example.org/'], /seed "ftp:\/\/example\.org\/".*\[SEED_INVALID\]/],
    [['crawl', 'mailto:a@example.org'], /seed "mailto:a@example\.org"/],
    [['crawl', 'javascript:alert(1)'], /seed "javascript:/],
    [['crawl', 'http://'], /seed "http:\/\/" is no URL/],
    [['crawl', 'http://exa mple/'], /is no URL/],
    [['crawl', `https://example.org/${'x'.repeat(3000)}`], /longer than 2,048/],
    [['crawl', 'example.org'], /https:\/\/example\.org/],
    [['crawl', '//example.org/a'], /For the web site write https:\/\/example\.org\/a\n/],
    [['crawl', '127.0.0.1/a'], /For the web site write http:\/\/127\.0\.0\.1\/a\n/],
    [['crawl', '192.168.0.2:8080'], /For the web site write http:\/\/192\.168\.0\.2:8080\n/],
    [['crawl', 'localhost:3000'], /http:\/\/localhost:3000/],
    [['crawl', './no-such-folder'], /no-such-folder/],
    [['crawl', 'page.html'], /"page\.html" is a file/],
    [['crawl', 'page.html/below'], /page\.html\/below/],
    [['crawl', '-'], /--url-list -/],
    [['crawl', ''], /SEED_INVALID/],
    [['crawl', 'a\0b'], /SEED_INVALID/],
    [
      ['crawl', 'https://user:sesame@example.org:8443/'],
      /user name or password.*\n.* ORBWEAVER_HTTP_AUTH=<user>:<password>@example\.org:8443 /,
    ],
    [['crawl', '--url', 'ftp://x/'], /ftp:/],
    [
      ['crawl', '--url-list', 'none.txt'],
      /--url-list: "none\.txt" cannot be read: there is no such file\. \[USAGE\]\n {7}Accepted: the path of a text file/,
    ],
    [['crawl', '--url-list', '.'], /--url-list: "\." cannot be read: it is a folder\./],
    [['crawl', '--url-list', '-'], /standard input: the list holds no seed\. \[USAGE\]/],
    [['crawl', '--url-list', 'bad-list.txt'], /bad-list\.txt, line 3: seed "ftp:\/\/b\.example\/"/],
    [['crawl', SEED, '-c', 'none.yaml'], /none\.yaml: the config file cannot be read.*\[CONFIG_INVALID\]/],
    [['resume'], /missing required argument 'folder'/],
    [['resume', 'x', '--depth', '3'], /resume takes no --depth: .*stands in its folder/],
    [
      ['resume', 'x', '--verbose=true'],
      /^error {2}--verbose is a switch, and takes no value \[USAGE\]\n {7}Give --verbose alone/,
    ],
    [['resume', 'x', '--no-robots=true'], /resume takes no --no-robots: /],
    [['crawl', SEED, '--no-robots=true'], /--no-robots is a switch, and takes no value/],
    [['crawl', SEED, '--dry-runs=true'], /unknown option '--dry-runs=true'/],
    [['resume', 'x', 'y'], /too many arguments/],
    [['serve', 'site', '--port', '70000'], /70000.*Accepted: a port/s],
    [
      ['crawl', SEED, '--keep-state', '--discard-state'],
      /^error {2}--keep-state and --discard-state exclude each other: give one of them \[USAGE\]\n$/,
    ],
    [
      ['crawl', SEED, '--workers', '100'],
      /^error {2}100 workers are too many .*at most 64, or render never \[USAGE\]\n {7}The flag is --workers\.\n$/,
    ],
    [['crawl', SEED, '--header', 'Host: x'], /^error {2}--header: .*\n {7}Accepted: a header line .*\n$/],
    [['frobnicate'], /unknown command "frobnicate".*Accepted: crawl, resume/s],
    [['crwal', SEED], /unknown command "crwal".*Did you mean: orbweaver crawl\n/s],
    [['help', 'crwal'], /unknown command "crwal".*Did you mean: orbweaver crawl\n/s],
    [['diff', 'x'], /missing required argument 'new'/],
    [['diff', 'none', 'none'], /none holds no crawl: there is no crawl\.json in it/],
    [['diff', 'none', 'none', '--fail-on', 'changed:txt'], /none holds no crawl/],
    [['approve', 'none'], /none holds no crawl/],
    [['test', '.'], /there is no .*expected\.json that says what is expected.*--update/s],
    [['test', '.', '--reporter', 'junit'], /junit would be written into the crawl folder, which is not kept/],
    [
      ['crawl', SEED, '-o', 'none', '--overwrite', '--against', './none'],
      /--against: \.\/none is the folder that the crawl is written to.*\n.*--output/,
    ],
    [['crawl', SEED, '--against', 'none'], /none holds no crawl/],
    [['crawl', SEED, '--audit', '--picture-threshold', '0.1'], /--picture-threshold has no effect without --against/],
    [['crawl', SEED, '--picture-region', '9'], /--picture-region has no effect without --against/],
    [['crawl', SEED, '--fail-on', 'error'], /--fail-on has no effect without --audit or --against/],
    [['audit', 'https://example.org/', '--rules', 'brokn-link'], /there is no rule "brokn-link".*\n.*broken-link/],
    [['audit', 'https://a/', '--map', 'https://a'], /--map: "https:\/\/a" is not accepted/],
    [['crawl', 'https://a/', '--rules', 'broken-link'], /--rules/],
    [[SEED], /Did you mean: orbweaver crawl https:\/\/example\.org\//],
    [['--frobnicate'], /unknown option '--frobnicate'/],
  ])('%j', async (words, message) => {
    const { code, shell } = await runFake({ words, workingFolder: folder });
    expect(shell.errorText).toMatch(message);
    expect(shell.errorText).toMatch(/^error {2}/);
    expect(shell.errorText).not.toContain('sesame');
    expect([code, shell.outputText, shell.started, shell.resumed]).toEqual([2, '', [], []]);
  });

  test('a word that is no command is answered with every command of the help', async () => {
    const { shell: helped } = await runFake({ words: ['help'], workingFolder: folder });
    const commands = [...helped.outputText.matchAll(/^ {2}([a-z]+)(?: [[<]| {2})/gm)].map(([, name = '']) => name);
    expect(commands).toContain('verify');
    const { shell } = await runFake({ words: ['frobnicate'], workingFolder: folder });
    const [, accepted = ''] = /Accepted: (.*)\./.exec(shell.errorText) ?? [];
    expect(accepted.split(', ').toSorted()).toEqual(commands.toSorted());
  });

  test.each([
    [{ npm_config_delay: 'true' }, '--delay'],
    [{ npm_config_robots: '' }, '--no-robots'],
    [{ npm_config_dry_run: 'true' }, '--dry-run'],
  ])('and so does a flag that npm kept for itself: %j', async (kept, flag) => {
    const { code, shell } = await crawl([SEED, '3s'], { variables: { npm_lifecycle_event: 'crawl', ...kept } });
    expect([code, shell.started]).toEqual([2, []]);
    expect(shell.errorText).toContain(`npm kept ${flag} for itself`);
    expect(shell.errorText).toContain('npm run crawl -- <url>');
  });

  test('but settings that are of npm are no lost flags', async () => {
    const npm = {
      npm_lifecycle_event: 'crawl',
      npm_config_user_agent: 'npm/11',
      npm_config_scope: '@us',
      npm_config_noproxy: '',
      npm_config_progress: '',
      npm_config_audit: '',
      npm_config_proxy: 'http://proxy.example:3128/',
    };
    expect((await crawl([SEED], { variables: npm })).code).toBe(0);
    expect((await crawl([SEED], { variables: { npm_config_delay: 'true' } })).code).toBe(0);
  });

  test('and messages cannot be forged by what was typed', async () => {
    const { shell } = await crawl(['./\u001b[2J\u202e\nerror  faked']);
    expect(shell.errorText).not.toMatch(/[^\P{C}\n]|^error {2}faked/mu);
  });
});

describe('settings', () => {
  test('hand the crawl the options that were given, and no others', async () => {
    const { code, shell } = await crawl([
      SEED,
      './site',
      '-d',
      '2',
      '-H',
      'A: 1',
      '-H',
      'B: 2',
      '--no-robots',
      '--no-progress',
    ]);
    expect(code).toBe(0);
    expect(shell.started.map(({ options }) => options)).toEqual([
      { seeds: [SEED, './site'], depth: 2, headers: ['A: 1', 'B: 2'], robots: false },
    ]);
    expect(shell.started[0]?.environment.workingFolder).toBe(folder);
  });

  test('rank flag over environment over config file', async () => {
    const words = [SEED, '-c', 'c.yaml', '--depth', '3', '--exclude', '/c/'];
    const { shell } = await crawl(words, { variables: { ORBWEAVER_DEPTH: '2', ORBWEAVER_DELAY: '2s' } });
    expect(shell.started[0]?.options).toEqual({
      seeds: [SEED],
      depth: 3,
      delay: 2000,
      scope: 'domain',
      exclude: ['/c/'],
    });
  });

  test.each([
    ['audit', 'audit: true', 'audit is a flag of crawl'],
    ['audit', 'against: old', 'against is a flag of crawl'],
    ['crawl', 'baseline: base.yaml', 'baseline is a flag of audit'],
    ['crawl', 'rules: [broken-link]', 'rules is a flag of audit'],
  ])('of a config file for %s that are those of another command are named so: %s', async (command, yaml, words) => {
    writeFileSync(join(folder, 'other.yaml'), yaml);
    const { code, shell } = await runFake({ words: [command, SEED, '-c', 'other.yaml'], workingFolder: folder });
    expect([code, shell.started]).toEqual([2, []]);
    expect(shell.errorText).toContain(`other.yaml: ${words}, and not of this command. [CONFIG_INVALID]\n`);
    expect(shell.errorText).not.toContain('unknown key');
  });

  test('take the config file from the environment', async () => {
    const { shell } = await crawl([SEED], { variables: { ORBWEAVER_CONFIG: 'c.yaml' } });
    expect(shell.started[0]?.options.depth).toBe(1);
  });

  test('take each seed once, from arguments, flags and a list', async () => {
    const { shell } = await crawl([SEED, '--url', 'https://b.example/', '--url-list', 'list.txt', '--url', SEED]);
    expect(shell.started[0]?.options.seeds).toEqual([SEED, 'https://b.example/', 'https://a.example/', './site']);
  });

  test.each([
    ['lines that a carriage return alone ends', Buffer.from('https://a.example/\rhttps://b.example/\r')],
    [
      'UTF-16, as a shell of Windows writes it',
      Buffer.from('\ufeffhttps://a.example/\r\nhttps://b.example/\r\n', 'utf16le'),
    ],
  ])('take seeds from a list with %s', async (_title, list) => {
    writeFileSync(join(folder, 'foreign.txt'), list);
    const { shell } = await crawl(['--url-list', 'foreign.txt']);
    expect(shell.started[0]?.options.seeds).toEqual(['https://a.example/', 'https://b.example/']);
  });

  test.each([
    ['a column', 'https://a.example/\nhttps://b.example/p\t42\n', 2],
    ['a comment', 'https://a.example/  # home\n', 1],
  ])('take none from a list with %s behind a URL, which would lead to another address', async (_what, list, line) => {
    writeFileSync(join(folder, 'columns.txt'), list);
    const { code, shell } = await crawl(['--url-list', 'columns.txt']);
    expect([code, shell.started]).toEqual([2, []]);
    expect(shell.errorText).toMatch(new RegExp(`columns\\.txt, line ${line}: seed .* holds more than a URL`));
  });

  test('take several addresses of the environment from lines of their own alone', async () => {
    const variables = { ORBWEAVER_URL: 'https://a.example/ https://b.example/' };
    const { code, shell } = await crawl([], { variables });
    expect([code, shell.started]).toEqual([2, []]);
    expect(shell.errorText).toContain('holds more than a URL');
  });

  test('take none from a list in another encoding, whose letters would lead to other addresses', async () => {
    writeFileSync(join(folder, 'latin-1.txt'), Buffer.from('https://a.example/caf\u00e9\n', 'latin1'));
    const { code, shell } = await crawl(['--url-list', 'latin-1.txt']);
    expect([code, shell.started]).toEqual([2, []]);
    expect(shell.errorText).toContain('latin-1.txt: the list of seeds is not UTF-8');
  });

  test('take seeds from standard input', async () => {
    const { shell } = await crawl(['--url-list', '-'], { input: 'https://a.example/\nhttps://b.example/' });
    expect(shell.started[0]?.options.seeds).toEqual(['https://a.example/', 'https://b.example/']);
  });

  test('name standard input where a seed of it is refused', async () => {
    const { code, shell } = await crawl(['--url-list', '-'], { input: 'https://a.example/\nb.example' });
    expect(code).toBe(2);
    expect(shell.errorText).toContain('standard input, line 2: seed "b.example"');
  });

  test('take a URL that was copied with blanks around it', async () => {
    const { code } = await crawl([` ${SEED}\u00a0`]);
    expect(code).toBe(0);
  });

  test('go on with a crawl by crawl --resume, seeds or not', async () => {
    const bare = await crawl(['--resume', '-o', 'out']);
    expect(bare.shell.resumed).toEqual([{ folder: join(folder, 'out'), changes: { output: 'out', resume: true } }]);
    const seeded = await crawl([SEED, '--resume', '-o', 'out']);
    expect(seeded.shell.started[0]?.options).toEqual({ seeds: [SEED], resume: true, output: 'out' });
  });

  test('of resume are the folder and what is given anew, and nothing undefined that would hide what is stored', async () => {
    const { code, shell } = await runFake({
      words: ['resume', 'out', '--redis', 'redis://h', '-v'],
      workingFolder: folder,
    });
    expect(code).toBe(0);
    expect(shell.resumed).toStrictEqual([{ folder: join(folder, 'out'), changes: { redis: 'redis://h' } }]);
  });

  test('after -- are seeds, whatever they look like', async () => {
    const { shell } = await crawl(['--', SEED]);
    expect(shell.started[0]?.options.seeds).toEqual([SEED]);
  });
});

describe('other commands', () => {
  test('doctor prints findings with their cures, and exits with 2 where something is missing', async () => {
    const findings = [
      { name: 'browser', ok: true, detail: 'Chromium 156', cure: null },
      { name: 'Redis', ok: false, detail: 'no redis-server in PATH', cure: 'apt-get install redis-server' },
    ];
    const { code, shell } = await runFake({ words: ['doctor'], engine: { diagnoseMachine: async () => findings } });
    expect(code).toBe(2);
    expect(shell.outputText).toBe(
      'ok      browser  Chromium 156\nnot ok  Redis    no redis-server in PATH\n                 apt-get install redis-server\n',
    );
    const well = await runFake({ words: ['doctor'], engine: { diagnoseMachine: async () => findings.slice(0, 1) } });
    expect(well.code).toBe(0);
  });

  test('doctor shows no token of an endpoint', async () => {
    const finding = {
      name: 'browser',
      ok: true,
      detail: 'wss://browsers.example/?token=qzw8 (playwright)',
      cure: null,
    };
    const { shell } = await runFake({ words: ['doctor'], engine: { diagnoseMachine: async () => [finding] } });
    expect(shell.outputText).toMatch(/wss:\/\/browsers\.example\/\?token=REDACTED \(playwright\)/);
  });

  test('doctor looks at the browser that it is told to', async () => {
    const asked: (string | null)[] = [];
    const diagnoseMachine = async (_environment: unknown, browser: string | null): Promise<[]> => {
      asked.push(browser);
      return [];
    };
    await runFake({ words: ['doctor', '--browser', 'ws://127.0.0.1:9/'], engine: { diagnoseMachine } });
    await runFake({ words: ['doctor'], engine: { diagnoseMachine } });
    expect(asked).toEqual(['ws://127.0.0.1:9/', null]);
  });

  describe('--dry-run', () => {
    const words = ['./site', 'https://b.example/', '--dry-run', '-o', 'out', '--depth', '2', '--exclude', '/x/'];
    const variables = { ORBWEAVER_REDIS_URL: 'redis://user:sesame@h/' };
    const forecastCrawl = async (options: CrawlOptions): Promise<CrawlForecast> => ({
      plan: {
        options: parseOptions(options),
        folder: join(folder, 'out'),
        intent: 'new',
        resumed: null,
        seeds: [
          { kind: 'folder', folder: join(folder, 'site') },
          { kind: 'url', url: storedCanonicalUrl('https://b.example/') },
        ],
        urlPolicy: DEFAULT_URL_POLICY,
        limitCountsRedirects: false,
        workers: 2,
        slots: fixedSlots(2),
        hostConcurrency: 1,
        grants: [],
        browser: { kind: 'endpoint', url: 'ws://127.0.0.1:1/', protocol: 'playwright' },
        consent: null,
        axe: null,
      },
      seeds: [
        { url: 'http://127.0.0.1:1/', allowed: true, robots: 'no rule matches', crawlDelay: null, delay: 0 },
        { url: 'https://b.example/', allowed: false, robots: 'Disallow: / (line 2)', crawlDelay: 5000, delay: 5000 },
      ],
      sitemaps: { files: 2, named: 1200, pages: 1000, truncated: false },
      sample: { visited: 9, failed: 1, cause: null, complete: false, known: 240, visitTime: 800, pageBytes: 20_480 },
      pages: { count: 1000, basis: 'sitemap', atLeast: true, limited: false, limitedBy: null },
      duration: { time: 1_800_000, boundBy: 'delay' },
      disk: 20_480_000,
      notes: ['a note'],
    });

    test('says in the plan that every page is rendered for a check of accessibility, and when paint is measured', async () => {
      const withAxe = async (options: CrawlOptions): Promise<CrawlForecast> => {
        const forecast = await forecastCrawl(options);
        return { ...forecast, plan: { ...forecast.plan, axe: { version: '4.14.1', script: '', rules: [] } } };
      };
      const asked = [...words, '--audit', '--axe=template', '--measure'];
      const { shell } = await crawl(asked, { engine: { forecastCrawl: withAxe } });
      expect(shell.outputText).toMatch(
        /^Accessibility +axe-core 4\.14\.1 on one page of each template; every page is rendered$/m,
      );
      expect(shell.outputText).toMatch(/^Paint +measured when the crawl has ended/m);
    });

    test('prints the plan and the forecast, and starts nothing', async () => {
      const { code, shell } = await crawl(words, { engine: { forecastCrawl }, variables });
      expect([code, shell.started, shell.errorText]).toEqual([0, [], '']);
      expect(shell.outputText).toBe(`Dry run: 10 pages visited as a sample, no crawl folder written.

Seeds       ./site (served on loopback)
            https://b.example/
Scope       host
            no URLs that match /x/
            at most 2 links from a seed
Delay       1 s (none on loopback) between visits of a host, 1 at a time
Robots      robots.txt is obeyed, as Orbweaver
Workers     2
User-Agent  the browser's, with ${USER_AGENT_PRODUCT}
Browser     ws://127.0.0.1:1/ (playwright)
Redis       redis://h/
Snapshot    html, text
Folder      ./out

robots.txt  allows http://127.0.0.1:1/ (no rule matches)
            forbids https://b.example/ (Disallow: / (line 2)); Crawl-delay 5 s, 5 s in force
Sitemaps    1,000 pages in scope, of 1,200 that they name; 2 files read
Sample      9 visited, 1 failed; 800 ms and 20 kB each
Pages       at least 1,000: named by sitemaps; links may lead to more
Duration    at least 30 min, by the pauses between visits of a host
Disk        at least 20 MB

note  a note
`);
    });

    test('--json prints the same as one object, without passwords', async () => {
      const { code, shell } = await crawl([...words, '--json'], { engine: { forecastCrawl }, variables });
      expect(code).toBe(0);
      expect(JSON.parse(shell.outputText)).toMatchObject({ pages: { count: 1000 }, disk: 20_480_000, workers: 2 });
      expect(shell.outputText).not.toContain('sesame');
    });

    test('ends with code 3 and the cause where no seed could be visited', async () => {
      const unreachable = async (options: CrawlOptions): Promise<CrawlForecast> => ({
        ...(await forecastCrawl(options)),
        sample: {
          visited: 0,
          failed: 1,
          cause: 'connection refused',
          complete: false,
          known: 1,
          visitTime: 0,
          pageBytes: 0,
        },
        pages: { count: 0, basis: 'nothing', atLeast: false, limited: false, limitedBy: null },
      });
      const { code, shell } = await crawl(words, { engine: { forecastCrawl: unreachable }, variables });
      expect(code).toBe(3);
      expect(shell.outputText).toContain(
        'Pages       none: no page could be visited\n            connection refused\n',
      );
      expect(shell.outputText).not.toMatch(/Duration|Disk/);
    });

    test('--json without it is refused', async () => {
      const { code, shell } = await crawl(['https://b.example/', '--json']);
      expect(code).toBe(2);
      expect(shell.errorText).toMatch(/--json has no effect without --dry-run.*--reporter json=-\./s);
    });
  });
});

test('a worker whose Redis does not answer is not told to do without one', async () => {
  const cause = new CrawlError('REDIS_UNREACHABLE', 'The server does not answer.\nStart it, or leave --redis away.');
  const startWorker = (): Promise<void> => Promise.reject(cause);
  const words = ['worker', '--redis', 'redis://127.0.0.1:1', '--crawl', '*'];
  const { code, shell } = await runFake({ words, engine: { startWorker } });
  expect(code).toBe(2);
  expect(shell.errorText).toMatch(/does not answer\. \[REDIS_UNREACHABLE\]\n +Check the address/);
  expect(shell.errorText).not.toContain('leave --redis away');
});

test('a worker whose Redis refuses is told what it wants', async () => {
  const words = ['worker', '--redis', 'redis://127.0.0.1:1', '--crawl', '*'];
  const cause = new CrawlError('REDIS_UNREACHABLE', 'It asks for a password.\nGive it.', { data: { isRefusal: true } });
  const { shell } = await runFake({ words, engine: { startWorker: () => Promise.reject(cause) } });
  expect(shell.errorText).toMatch(/asks for a password\. \[REDIS_UNREACHABLE\]\n +Give it\./);
});
