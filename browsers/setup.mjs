// Brings what a clone needs before it can crawl: packages, a build, a browser, a Redis server. npm runs it before `crawl`,
// `test` and `check`, so it runs in a bare clone (no dependency of its own) and has to be quick where nothing is missing.
// One line for each thing it does. It installs system packages only as root, only on Debian and Ubuntu, and only where
// apt removes nothing for it; elsewhere it prints the command.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserEnvironment, inPath, installedBrowsers, installedRedis } from './browser-places.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const environment = browserEnvironment(process.env, process.platform, homedir());

/** The version in package.json's `engines`. */
const OLDEST_NODE = [20, 19];
const APT_PACKAGES = { browser: ['chromium-headless-shell', 'fonts-liberation'], redis: ['redis-server'] };

/** Ends the set-up; `status` 2 is "could not start", as everywhere in the program. */
function give(up) {
  process.stderr.write(`orbweaver setup: ${up}\n`);
  process.exit(2);
}

function say(what) {
  process.stderr.write(`orbweaver setup: ${what}\n`);
}

/** Runs a command and keeps what it prints, which nobody wants to see while all goes well. */
function quietly(command, args, variables = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ok: status === 0, output: error ? String(error) : `${stdout}${stderr}`, stdout: stdout ?? '' };
}

function lastLines(output, count = 12) {
  const lines = output.trimEnd().split('\n').slice(-count);
  return lines.map((line) => `  | ${line}`).join('\n');
}

function firstLines(output, count = 8) {
  return lastLines(output.split('\n').slice(0, count).join('\n'));
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  give(
    `Node.js ${OLDEST_NODE.join('.')} or later is needed, and this is ${process.versions.node} (${process.execPath}).`,
  );
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return null; // not there, or cut off by an interrupted install
  }
}

/** Does node_modules hold the very versions of package-lock.json? npm keeps its own list of what it installed. */
function packagesAreInstalled() {
  const wanted = readLock('package-lock.json');
  const installed = readLock('node_modules/.package-lock.json');
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    if (path === '' || ((optional || peer) && installed[path] === undefined)) return true; // for another platform
    return installed[path]?.version === version;
  });
}

function npm(args) {
  const program = process.env['npm_execpath']; // the npm that runs this script, where one does
  const all = [...args, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (program) return quietly(process.execPath, [program, ...all]);
  return quietly(process.platform === 'win32' ? 'npm.cmd' : 'npm', all);
}

function installPackages() {
  if (packagesAreInstalled()) return;
  say('npm ci');
  const { ok, output } = npm(['ci']);
  if (ok) return;
  // `npm ci` refuses a lock file where a registry lacks the packages of other platforms; the versions stay those of the file
  say('npm ci refused, trying npm install --no-save');
  const second = npm(['install', '--no-save']);
  if (!second.ok) give(`npm ci failed:\n${firstLines(output)}\nand npm install failed:\n${firstLines(second.output)}`);
}

async function build() {
  const { sourcesStamp, STAMP_FILE } = await import('../scripts/sources-stamp.mjs');
  const file = join(root, STAMP_FILE);
  if (existsSync(file) && readFileSync(file, 'utf8') === sourcesStamp(root)) return;
  say('building dist/');
  const { ok, output } = quietly(process.execPath, ['scripts/build.mjs']);
  if (!ok) give(`node scripts/build.mjs failed:\n${lastLines(output, 30)}`);
}

function browserIsThere() {
  return (
    environment.browser !== null ||
    installedBrowsers(environment).length > 0 ||
    existsSync(join(root, 'node_modules/@sparticuz/chromium'))
  );
}

function redisIsThere() {
  return Boolean(process.env['ORBWEAVER_REDIS_URL']) || installedRedis(environment.path) !== null;
}

function isDebianLike() {
  if (process.platform !== 'linux' || inPath(environment.path, 'apt-get') === null) return false;
  return existsSync('/etc/debian_version');
}

const isRoot = process.getuid?.() === 0;

let listsAreFresh = false;
function refreshAptLists() {
  if (listsAreFresh) return;
  say('apt-get update');
  const { ok, output } = quietly('apt-get', ['update', '-q'], { DEBIAN_FRONTEND: 'noninteractive' });
  if (!ok) say(`apt-get update failed, going on with the lists that are there:\n${lastLines(output, 4)}`);
  listsAreFresh = true;
}

/** Can apt install it? A name without a candidate (Ubuntu has no chromium-headless-shell) is "(none)". */
function aptKnows(name) {
  return /Candidate: (?!\(none\))/.test(quietly('apt-cache', ['policy', name], { LC_ALL: 'C' }).stdout);
}

/** Installs Debian packages where nothing else has to go for them; false where apt does not have them all. */
function aptInstall(names) {
  refreshAptLists(); // old lists would give an old browser, with holes that are known by now
  if (!names.every(aptKnows)) return false;
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  const args = ['install', '-y', '--no-install-recommends', ...names];
  const variables = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const plan = quietly('apt-get', ['-s', ...args], variables);
  const removed = [...plan.stdout.matchAll(/^Remv (\S+)/gm)].map((match) => match[1]);
  if (removed.length > 0) {
    give(
      `apt would remove ${removed.join(', ')}, so nothing was installed. Look at it, and if you want it, type:\n  ${command}`,
    );
  }
  say(command);
  const { ok, output } = withoutService('redis-server', names, () => quietly('apt-get', ['-q', ...args], variables));
  if (!ok) give(`${command} failed:\n${lastLines(output)}`);
  return true;
}

/** Debian starts a service when its package is installed; a crawl starts a Redis of its own and wants none beside it. */
function withoutService(service, names, install) {
  if (!names.includes(service) || !existsSync('/run/systemd/system')) return install();
  quietly('systemctl', ['mask', '--runtime', service]);
  const result = install();
  quietly('systemctl', ['unmask', '--runtime', service]);
  quietly('systemctl', ['disable', service]);
  return result;
}

/** Playwright's own build, into the user's cache: needs no root, but its libraries do. */
function downloadBrowser() {
  const playwright = join(root, 'node_modules/playwright-core/cli.js');
  say('npx playwright-core install --only-shell chromium-headless-shell');
  const { ok, output } = quietly(process.execPath, [playwright, 'install', '--only-shell', 'chromium-headless-shell']);
  if (!ok) {
    say(`the download failed:\n${lastLines(output, 4)}`);
    return;
  }
  if (!isRoot || !isDebianLike()) return;
  const plan = quietly(process.execPath, [playwright, 'install-deps', '--dry-run', 'chromium-headless-shell']).stdout;
  const libraries = /--no-install-recommends ([^"&;\n]+)/.exec(plan)?.[1]?.trim().split(/\s+/) ?? [];
  if (libraries.length > 0) aptInstall(libraries);
}

/** One command that brings all that is missing, for people who have to type it themselves. */
function commandFor(missing) {
  if (isDebianLike()) {
    const byApt = missing.filter((what) => APT_PACKAGES[what].every(aptKnows));
    const packages = byApt.flatMap((what) => APT_PACKAGES[what]);
    return [
      ...(packages.length > 0 ? [`sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`] : []),
      ...(byApt.length < missing.length
        ? ['npx playwright-core install --with-deps --only-shell chromium-headless-shell']
        : []),
    ].join(' && ');
  }
  if (process.platform === 'darwin') {
    return missing.map((what) => `brew install ${what === 'redis' ? 'redis' : '--cask google-chrome'}`).join(' && ');
  }
  const names = missing.map((what) => (what === 'redis' ? 'redis (or valkey)' : 'chromium'));
  return `install ${names.join(' and ')} with your system's package manager`;
}

const PRESENT = { browser: browserIsThere, redis: redisIsThere };
const INSTEAD = {
  browser: 'or name a browser you have: ORBWEAVER_BROWSER=<path>; or: npm i --no-save @sparticuz/chromium',
  redis: 'or name a Redis server you have: ORBWEAVER_REDIS_URL=redis://…',
};

function bringPrograms() {
  const missing = () => ['browser', 'redis'].filter((what) => !PRESENT[what]());
  const first = missing();
  if (first.length === 0) return;
  if (isRoot && isDebianLike()) {
    const together = aptInstall(first.flatMap((what) => APT_PACKAGES[what]));
    if (!together) for (const what of missing()) aptInstall(APT_PACKAGES[what]);
  }
  if (!browserIsThere()) downloadBrowser();
  const left = missing();
  if (left.length === 0) return;
  const names = left.map((what) => (what === 'redis' ? 'redis-server' : 'Chromium')).join(' and ');
  give([`${names} not found. Type:`, `  ${commandFor(left)}`, ...left.map((what) => `  ${INSTEAD[what]}`)].join('\n'));
}

/** A display that nobody looks at, and a browser with windows: for the test of `orbweaver login`, which says so where they are missing. */
function bringTestPrograms() {
  const hasWindows = installedBrowsers(environment).some(({ flavour }) => flavour === 'chromium');
  const hasDisplay = inPath(environment.path, 'Xvfb') !== null;
  const missing = [...(hasDisplay ? [] : ['xvfb']), ...(hasWindows ? [] : ['chromium'])];
  if (missing.length > 0 && isRoot && isDebianLike()) aptInstall(missing);
}

checkNode();
installPackages();
bringPrograms();
if (process.argv.includes('--test')) bringTestPrograms();
await build();
