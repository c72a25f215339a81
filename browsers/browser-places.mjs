// Where Chromium is looked for: data and plain file look-ups, without dependencies, because setup.mjs reads it in a bare
// clone, too. Headless shells come before full browsers: they cost a third of the CPU for the same page.
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names looked for in every folder of PATH. */
const NAMES = [
  { flavour: 'headless-shell', names: ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'] },
  {
    flavour: 'chromium',
    names: [
      'google-chrome-stable',
      'google-chrome',
      'chromium',
      'chromium-browser',
      'microsoft-edge-stable',
      'microsoft-edge',
    ],
  },
];

/**
 * The program behind a distribution's shell script of that name. The scripts add flags of their own, and what they print
 * would be taken for the browser's.
 */
const BEHIND_SCRIPT = {
  'chromium-headless-shell': [
    '/usr/lib/chromium/chromium-headless-shell',
    '/usr/lib64/chromium-browser/headless_shell',
  ],
  headless_shell: ['/usr/lib64/chromium-browser/headless_shell'],
  chromium: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium/chromium'],
  'chromium-browser': [
    '/usr/lib64/chromium-browser/chromium-browser',
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
  ],
  'google-chrome-stable': ['/opt/google/chrome/chrome'],
  'google-chrome': ['/opt/google/chrome/chrome'],
  'microsoft-edge-stable': ['/opt/microsoft/msedge/msedge'],
  'microsoft-edge': ['/opt/microsoft/msedge/msedge'],
};

/** Below /Applications and ~/Applications. */
const MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Below ProgramFiles, ProgramFiles(x86) and LocalAppData. */
const WINDOWS_APPS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Folders of Playwright's cache, and the program inside, for every layout it has had. */
const PLAYWRIGHT_BUILDS = [
  {
    flavour: 'headless-shell',
    folder: /^chromium_headless_shell-(\d+)$/,
    programs: [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-headless-shell-linux-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
      'chrome-headless-shell-win64/chrome-headless-shell.exe',
      'chrome-linux/headless_shell',
      'chrome-mac/headless_shell',
      'chrome-win/headless_shell.exe',
    ],
  },
  {
    flavour: 'chromium',
    folder: /^chromium-(\d+)$/,
    programs: [
      'chrome-linux64/chrome',
      'chrome-linux-arm64/chrome',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-win64/chrome.exe',
      'chrome-linux/chrome',
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
      'chrome-win/chrome.exe',
    ],
  },
];

/** What a browser needs of our environment. The rest stays here: it holds secrets, and a page may break out. */
const PASSED_ON =
  /^(PATH|Path|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|HOME|USERPROFILE|SystemRoot|LOCALAPPDATA|LD_LIBRARY_PATH|FONTCONFIG_.*|XDG_.*|CHROME_DEVEL_SANDBOX)$/;

/** What the search and the browser depend on, out of the environment of a process. */
export function browserEnvironment(variables, platform, home) {
  const caches = {
    darwin: join(home, 'Library/Caches/ms-playwright'),
    win32: join(variables['LOCALAPPDATA'] ?? join(home, 'AppData/Local'), 'ms-playwright'),
  };
  const own = variables['PLAYWRIGHT_BROWSERS_PATH'];
  return {
    platform,
    home,
    path: variables['PATH'] ?? variables['Path'] ?? '',
    browser: variables['ORBWEAVER_BROWSER'] || null,
    // "0" means inside node_modules, which is not worth a special way
    playwrightCache:
      own && own !== '0'
        ? own
        : (caches[platform] ?? join(variables['XDG_CACHE_HOME'] || join(home, '.cache'), 'ms-playwright')),
    variables: Object.fromEntries(
      Object.entries(variables).filter(([name, value]) => PASSED_ON.test(name) && value !== undefined),
    ),
    programFolders: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA']
      .map((name) => variables[name])
      .filter(Boolean),
  };
}

/** Is it a file that may be started? */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isScript(path) {
  const head = Buffer.alloc(2);
  const file = openSync(path, 'r');
  try {
    return readSync(file, head, 0, 2, 0) === 2 && head.toString('latin1') === '#!';
  } finally {
    closeSync(file);
  }
}

/**
 * The program itself where the path is a distribution's script; null where the script has no program behind it (Ubuntu's
 * `chromium-browser` only prints advice to install a snap).
 */
export function behindScript(path, name) {
  if (!isScript(path)) return path;
  const behind = BEHIND_SCRIPT[name];
  if (behind === undefined) return path;
  return behind.find(isProgram) ?? null;
}

/** The program of a name in PATH, scripts seen through; null where there is none. */
export function inPath(path, name) {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const found = join(folder, name);
    if (!isProgram(found)) continue;
    const program = behindScript(found, name);
    if (program !== null) return program;
  }
  return null;
}

function playwrightBuilds(cache, build) {
  let names = [];
  try {
    names = readdirSync(cache);
  } catch {
    return []; // no such folder: nothing was ever downloaded
  }
  return names
    .map((name) => ({ name, revision: Number(build.folder.exec(name)?.[1] ?? -1) }))
    .filter(({ revision }) => revision >= 0)
    .sort((a, b) => b.revision - a.revision)
    .flatMap(({ name }) => build.programs.map((program) => join(cache, name, program)))
    .filter(isProgram)
    .map((path) => ({ path, flavour: build.flavour, source: `Playwright's cache ${cache}` }));
}

function appPaths({ platform, home, programFolders }) {
  if (platform === 'darwin')
    return ['/Applications', join(home, 'Applications')].flatMap((folder) => MAC_APPS.map((app) => join(folder, app)));
  if (platform === 'win32') return programFolders.flatMap((folder) => WINDOWS_APPS.map((app) => join(folder, app)));
  return [];
}

/** Every browser of this machine, the one to take first. Nothing is started for it. */
export function installedBrowsers(environment) {
  const found = [];
  for (const build of PLAYWRIGHT_BUILDS) {
    if (environment.playwrightCache !== null) found.push(...playwrightBuilds(environment.playwrightCache, build));
    for (const { names } of NAMES.filter(({ flavour }) => flavour === build.flavour)) {
      for (const name of names) {
        const path = inPath(environment.path, name);
        if (path !== null) found.push({ path, flavour: build.flavour, source: `${name} in PATH` });
      }
    }
  }
  for (const path of appPaths(environment).filter(isProgram))
    found.push({ path, flavour: 'chromium', source: 'installed application' });
  return found;
}

/** The first Redis server in PATH, or null. */
export function installedRedis(path) {
  return inPath(path, 'redis-server') ?? inPath(path, 'valkey-server');
}
