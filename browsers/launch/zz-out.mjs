var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __knownSymbol = (name, symbol) => ((symbol = Symbol[name]) ? symbol : /* @__PURE__ */ Symbol.for('Symbol.' + name));
var __typeError = (msg) => {
  throw TypeError(msg);
};
var __esm = (fn, res, err) =>
  function __init() {
    if (err) throw err[0];
    try {
      return (fn && (res = (0, fn[__getOwnPropNames(fn)[0]])((fn = 0))), res);
    } catch (e) {
      throw ((err = [e]), e);
    }
  };
var __export = (target, all) => {
  for (var name in all) __defProp(target, name, { get: all[name], enumerable: true });
};
var __using = (stack, value, async) => {
  if (value != null) {
    if (typeof value !== 'object' && typeof value !== 'function') __typeError('Object expected');
    var dispose, inner;
    if (async) dispose = value[__knownSymbol('asyncDispose')];
    if (dispose === void 0) {
      dispose = value[__knownSymbol('dispose')];
      if (async) inner = dispose;
    }
    if (typeof dispose !== 'function') __typeError('Object not disposable');
    if (inner)
      dispose = function () {
        try {
          inner.call(this);
        } catch (e) {
          return Promise.reject(e);
        }
      };
    stack.push([async, dispose, value]);
  } else if (async) {
    stack.push([async]);
  }
  return value;
};
var __callDispose = (stack, error, hasError) => {
  var E =
    typeof SuppressedError === 'function'
      ? SuppressedError
      : function (e, s, m, _) {
          return ((_ = Error(m)), (_.name = 'SuppressedError'), (_.error = e), (_.suppressed = s), _);
        };
  var fail = (e) =>
    (error = hasError ? new E(e, error, 'An error was suppressed during disposal') : ((hasError = true), e));
  var next = (it) => {
    while ((it = stack.pop())) {
      try {
        var result = it[1] && it[1].call(it[2]);
        if (it[0]) return Promise.resolve(result).then(next, (e) => (fail(e), next()));
      } catch (e) {
        fail(e);
      }
    }
    if (hasError) throw error;
  };
  return next();
};

// browsers/playwright/context-options.ts
function contextOptions({ userAgent, viewport }, state) {
  return {
    userAgent,
    viewport,
    locale: 'en-US',
    serviceWorkers: 'block',
    acceptDownloads: false,
    ignoreHTTPSErrors: false,
    permissions: [],
    ...(state === null ? {} : { storageState: writable(state) }),
  };
}
function writable({ cookies, origins }) {
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    origins: origins.map(({ origin, localStorage }) => ({ origin, localStorage: [...localStorage] })),
  };
}
var init_context_options = __esm({
  'browsers/playwright/context-options.ts'() {
    'use strict';
  },
});

// browsers/playwright/own-requests.ts
function withoutOwnRequests({ request }) {
  const refuse = async () => {
    throw new Error('requests leave through pages alone: use page.evaluate(() => fetch(\u2026))');
  };
  for (const method of METHODS) Object.defineProperty(request, method, { value: refuse });
}
var METHODS;
var init_own_requests = __esm({
  'browsers/playwright/own-requests.ts'() {
    'use strict';
    METHODS = ['fetch', '_innerFetch'];
  },
});

// src/base/mutex.ts
var Mutex;
var init_mutex = __esm({
  'src/base/mutex.ts'() {
    'use strict';
    Mutex = class {
      #last = Promise.resolve();
      /** Runs the work when all work before it has ended, well or badly. */
      run(work) {
        const turn = this.#last.then(work);
        this.#last = turn.catch(() => {});
        return turn;
      }
    };
  },
});

// browsers/playwright/pipe-transport.ts
var BLANK, TUNING, ANSWERS_DIALOG, NO_TARGETS, NO_PAGES, PipeTransport;
var init_pipe_transport = __esm({
  'browsers/playwright/pipe-transport.ts'() {
    'use strict';
    BLANK = 'about:blank';
    TUNING =
      /^(?:Emulation|Security|Browser)\.|^Fetch\.enable$|^Page\.(?:addScript|setBypassCSP)|^Runtime\.addBinding$|^Network\.(?:emulate|override|set(?!Cookie))/;
    ANSWERS_DIALOG = 'Page.handleJavaScriptDialog';
    NO_TARGETS = [{ exclude: true }];
    NO_PAGES = 'no page is opened here: the crawl opens them';
    PipeTransport = class _PipeTransport {
      onmessage;
      onclose;
      #connection;
      /** What Playwright takes for the browser's own session. */
      #root;
      /** Messages for Playwright. */
      #queue = [];
      /** Messages that Playwright was given. */
      delivered = 0;
      #onContext = () => {};
      /** Contexts that we know; in others no page is opened. */
      #contexts = /* @__PURE__ */ new Set();
      /** Contexts in which none is opened for now, and who hears of it. */
      #refusals = /* @__PURE__ */ new Map();
      /** Sessions and contexts whose settings were changed. */
      #tuned = /* @__PURE__ */ new Set();
      constructor(connection, root) {
        this.#connection = connection;
        this.#root = root;
        connection.relay(root, (message2) => this.#relayed(message2));
        root.gone.addEventListener('abort', () => this.#end('the browser has ended'), { once: true });
      }
      /** @throws where the browser has ended */
      static async open(connection) {
        const { sessionId } = await connection.root.send('Target.attachToBrowserTarget');
        return new _PipeTransport(connection, connection.session(sessionId));
      }
      /** Calls back with the id of the next browser context that Playwright makes. */
      onceContextMade(listener) {
        this.#onContext = (contextId) => {
          this.#contexts.add(contextId);
          listener(contextId);
        };
      }
      /** Makes Playwright know a page. @returns the session that it has with the page; the page is let go by detaching it */
      async attach(targetId) {
        const { sessionId } = await this.#root.send('Target.attachToTarget', { targetId, flatten: true });
        return sessionId;
      }
      /** Refuses to open pages in a context. @returns undoes it */
      refusePages(contextId, refused) {
        this.#refusals.set(contextId, refused);
        return () => this.#refusals.delete(contextId);
      }
      /** Were settings changed, by calls in this session or about this context, since the last {@link untuned}? */
      isTuned(sessionOrContext) {
        return this.#tuned.has(sessionOrContext);
      }
      untuned(sessionOrContext) {
        this.#tuned.delete(sessionOrContext);
      }
      /** No more is heard of a context. */
      forget(contextId) {
        this.#contexts.delete(contextId);
        this.#tuned.delete(contextId);
      }
      /** Makes Playwright forget a page that it was attached to. The page stays. */
      async detach(sessionId) {
        await this.#root.send('Target.detachFromTarget', { sessionId });
      }
      send(message2) {
        const { id, method, params = {}, sessionId } = message2;
        this.#noteTuning(method, params, sessionId);
        if (sessionId !== void 0 && sessionId !== '') this.#call({ id, method, params, sessionId });
        else if (method === 'Target.createTarget') void this.#createTarget(id, params);
        else if (method === 'Target.setAutoAttach')
          this.#call({ id, method, params: { ...params, filter: NO_TARGETS } });
        else this.#call({ id, method, params });
      }
      /** Playwright lets the browser go: the pipe and the browser are not its own. */
      close() {
        this.#end('let go');
      }
      #end(reason) {
        this.#root.relay = null;
        this.#queue.length = 0;
        this.onclose?.(reason);
      }
      #noteTuning(method, params, sessionId = '') {
        if (!TUNING.test(method)) return;
        if (sessionId !== '') this.#tuned.add(sessionId);
        else if ('browserContextId' in params) this.#tuned.add(String(params.browserContextId));
      }
      #call({ id, method, params, sessionId }) {
        this.#connection.call(sessionId ?? this.#root.id, method, params, {
          answer: (text3) => {
            const answer = JSON.parse(text3);
            if (method === 'Target.createBrowserContext' && answer.error === void 0) this.#contextMade(answer.result);
            const answered = method === ANSWERS_DIALOG && answer.error !== void 0 ? { result: {} } : answer;
            this.#deliver({ ...answered, id, sessionId });
          },
          fail: (reason) => this.#deliver({ id, sessionId, error: { message: reason.message } }),
        });
      }
      #contextMade({ browserContextId }) {
        const listener = this.#onContext;
        this.#onContext = () => {};
        listener(browserContextId);
      }
      /** Playwright expects to know the target before it has the answer, which auto-attachment would see to. */
      async #createTarget(id, params) {
        const contextId = 'browserContextId' in params ? String(params.browserContextId) : '';
        const refused = this.#refusals.get(contextId);
        if (refused !== void 0 || !this.#contexts.has(contextId)) {
          refused?.();
          return this.#deliver({ id, error: { message: NO_PAGES } });
        }
        try {
          const result = await this.#root.send('Target.createTarget', { url: BLANK, ...params });
          await this.attach(result.targetId);
          this.#deliver({ id, result });
        } catch (error) {
          this.#deliver({ id, error: { message: error instanceof Error ? error.message : String(error) } });
        }
      }
      #relayed(text3) {
        const message2 = JSON.parse(text3);
        if (message2.method === 'Target.attachedToTarget') {
          const session = this.#connection.session(message2.params.sessionId);
          this.#connection.relay(session, (inner) => this.#relayed(inner));
        }
        this.#deliver(message2.sessionId === this.#root.id ? { ...message2, sessionId: void 0 } : message2);
      }
      /** One macrotask for each: Playwright goes on in microtasks between two messages, and relies on it. */
      #deliver(message2) {
        this.#queue.push(message2);
        if (this.#queue.length === 1) setImmediate(() => this.#next());
      }
      #next() {
        const [message2] = this.#queue;
        if (message2 === void 0) return;
        this.delivered += 1;
        try {
          this.onmessage?.(message2);
        } catch (error) {
          return this.#end(`Playwright could not take a message: ${String(error)}`);
        }
        this.#queue.shift();
        if (this.#queue.length > 0) setImmediate(() => this.#next());
      }
    };
  },
});

// browsers/playwright/playwright-contexts.ts
var playwright_contexts_exports = {};
__export(playwright_contexts_exports, {
  PlaywrightContexts: () => PlaywrightContexts,
});
import { chromium } from 'playwright-core';
async function adopt({ context, contextId, transport }, targetId, { refusesPages }) {
  const reported = context.waitForEvent('page', { timeout: ADOPT_LIMIT });
  reported.catch(() => {});
  const session = await transport.attach(targetId);
  const page = await reported;
  transport.untuned(session);
  const allow = refusesPages === void 0 ? () => {} : transport.refusePages(contextId, refusesPages);
  return {
    page,
    get tuned() {
      return transport.isTuned(session) || transport.isTuned(contextId);
    },
    // messages keep their order: the answer to a question about nothing comes behind what the page has done
    caughtUp: async () => void (await context.cookies('http://nowhere.invalid/')),
    letGo: async () => {
      allow();
      if (page.isClosed()) return;
      const forgotten = new Promise((resolve2) => page.once('close', resolve2));
      await transport.detach(session);
      await forgotten;
    },
  };
}
var ADOPT_LIMIT, PlaywrightContexts;
var init_playwright_contexts = __esm({
  'browsers/playwright/playwright-contexts.ts'() {
    'use strict';
    init_mutex();
    init_own_requests();
    init_context_options();
    init_pipe_transport();
    ADOPT_LIMIT = 1e4;
    PlaywrightContexts = class _PlaywrightContexts {
      #browser;
      #transport;
      #lost = new AbortController();
      /** Contexts are made one at a time: that is how the id of each is known. */
      #making = new Mutex();
      constructor(browser2, transport) {
        this.#browser = browser2;
        this.#transport = transport;
        browser2.on('disconnected', () => this.#lost.abort(new Error('Playwright has let the browser go')));
      }
      /**
       * Lets Playwright ride on the pipe.
       * @param folder for what Playwright may write; the caller removes it with the browser
       * @throws where it cannot
       */
      static async open(connection, folder) {
        const transport = await PipeTransport.open(connection);
        const browser2 = await chromium.connectOverCDP(transport, { artifactsDir: folder, noDefaults: true });
        return new _PlaywrightContexts(browser2, transport);
      }
      get lost() {
        return this.#lost.signal;
      }
      get playwright() {
        return { contexts: this.#browser.contexts().length, messages: this.#transport.delivered };
      }
      make(manner, state) {
        return this.#making.run(async () => {
          const made2 = [];
          this.#transport.onceContextMade((contextId) => void made2.push(contextId));
          const context = await this.#browser.newContext(contextOptions(manner, state));
          const [id] = made2;
          if (id === void 0) throw new Error('Playwright made a context without asking the browser');
          withoutOwnRequests(context);
          this.#transport.untuned(id);
          const adopting = new Mutex();
          const known = { context, contextId: id, transport: this.#transport };
          return {
            id,
            dispose: async () => {
              await context.close();
              this.#transport.forget(known.contextId);
            },
            storageState: () => context.storageState(),
            adopt: (targetId, options = {}) => adopting.run(() => adopt(known, targetId, options)),
          };
        });
      }
    };
  },
});

// test/zz-experiment.mts
import { homedir } from 'node:os';
import { createServer } from 'node:http';

// browsers/launch/find-browser.ts
import { chmod } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';

// src/base/errors.ts
var CrawlError = class extends Error {
  code;
  data;
  /** @param message a whole sentence that names the value and, after a line feed, the cure. */
  constructor(code, message2, options = {}) {
    super(message2, 'cause' in options ? { cause: options.cause } : {});
    this.name = 'CrawlError';
    this.code = code;
    this.data = options.data ?? {};
  }
};

// browsers/browser-places.mjs
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
var NAMES = [
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
var BEHIND_SCRIPT = {
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
var MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
var WINDOWS_APPS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
var PLAYWRIGHT_BUILDS = [
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
var PASSED_ON =
  /^(PATH|Path|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|HOME|USERPROFILE|SystemRoot|LOCALAPPDATA|LD_LIBRARY_PATH|FONTCONFIG_.*|XDG_.*|CHROME_DEVEL_SANDBOX)$/;
function browserEnvironment(variables, platform, home) {
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
      Object.entries(variables).filter(([name, value]) => PASSED_ON.test(name) && value !== void 0),
    ),
    programFolders: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA']
      .map((name) => variables[name])
      .filter(Boolean),
  };
}
function isProgram(path) {
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
function behindScript(path, name) {
  if (!isScript(path)) return path;
  const behind = BEHIND_SCRIPT[name];
  if (behind === void 0) return path;
  return behind.find(isProgram) ?? null;
}
function inPath(path, name) {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const found2 = join(folder, name);
    if (!isProgram(found2)) continue;
    const program = behindScript(found2, name);
    if (program !== null) return program;
  }
  return null;
}
function playwrightBuilds(cache, build) {
  let names = [];
  try {
    names = readdirSync(cache);
  } catch {
    return [];
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
function installedBrowsers(environment) {
  const found2 = [];
  for (const build of PLAYWRIGHT_BUILDS) {
    if (environment.playwrightCache !== null) found2.push(...playwrightBuilds(environment.playwrightCache, build));
    for (const { names } of NAMES.filter(({ flavour }) => flavour === build.flavour)) {
      for (const name of names) {
        const path = inPath(environment.path, name);
        if (path !== null) found2.push({ path, flavour: build.flavour, source: `${name} in PATH` });
      }
    }
  }
  for (const path of appPaths(environment).filter(isProgram))
    found2.push({ path, flavour: 'chromium', source: 'installed application' });
  return found2;
}

// browsers/launch/find-browser.ts
var BROWSER_CURE =
  'Install one with: apt-get install chromium-headless-shell   (Debian)\n              or: npx playwright-core install --with-deps --only-shell chromium-headless-shell\n              or: npm i @sparticuz/chromium';
var CHANNELS = {
  chrome: ['google-chrome-stable', 'google-chrome'],
  msedge: ['microsoft-edge-stable', 'microsoft-edge'],
  chromium: ['chromium', 'chromium-browser'],
  'chromium-headless-shell': ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'],
};
var SPARTICUZ = '@sparticuz/chromium';
async function findBrowser(request, signal2) {
  const { asked, environment } = request;
  if (asked !== null) return askedBrowser(asked, '--browser', environment);
  if (environment.browser !== null) return askedBrowser(environment.browser, 'ORBWEAVER_BROWSER', environment);
  const { variables } = environment;
  const installed = installedBrowsers(environment)[0];
  if (installed !== void 0) return { kind: 'executable', ...installed, variables };
  const packaged = await sparticuzBrowser(variables);
  signal2.throwIfAborted();
  if (packaged !== null) return packaged;
  throw new CrawlError(
    'BROWSER_MISSING',
    `no Chromium was found on this machine.
${BROWSER_CURE}`,
  );
}
function askedBrowser(asked, by, environment) {
  if (/^(https?|wss?):\/\//.test(asked)) return endpointOf(asked, by);
  const names = CHANNELS[asked] ?? [asked];
  if (!asked.includes('/') && !asked.includes('\\')) {
    for (const name of names) {
      const path2 = inPath(environment.path, name);
      if (path2 !== null) return executable(path2, `${by}: ${name} in PATH`, environment);
    }
    const installed = installedBrowsers(environment).find(({ path: path2 }) => channelOf(path2) === asked);
    if (installed !== void 0) return { kind: 'executable', ...installed, variables: environment.variables };
  }
  const path = isAbsolute(asked) ? asked : resolve(asked);
  if (!isProgram(path)) {
    throw new CrawlError(
      'BROWSER_MISSING',
      `${by} "${asked}" is no program that could be started.
${BROWSER_CURE}`,
      {
        data: { browser: asked },
      },
    );
  }
  return executable(behindScript(path, basename(path)) ?? path, by, environment);
}
function channelOf(path) {
  const name = basename(path, '.exe').toLowerCase();
  if (name.includes('edge')) return 'msedge';
  if (name.includes('chromium')) return 'chromium';
  return name.includes('headless') ? 'chromium-headless-shell' : 'chrome';
}
function executable(path, source, { variables }) {
  const flavour = /headless[-_]shell/.test(basename(path)) ? 'headless-shell' : 'chromium';
  return { kind: 'executable', path, flavour, source, variables };
}
function endpointOf(url, by) {
  if (!URL.canParse(url))
    throw new CrawlError('BROWSER_MISSING', `${by} "${url}" is no URL.`, { data: { browser: url } });
  const { protocol, pathname } = new URL(url);
  const cdp = protocol.startsWith('http') || pathname.startsWith('/devtools/');
  return { kind: 'endpoint', url, protocol: cdp ? 'cdp' : 'playwright' };
}
async function sparticuzBrowser(variables) {
  const module = await import(SPARTICUZ).catch(() => null);
  const wrapper = typeof module === 'object' && module !== null && 'default' in module ? module.default : null;
  if (!hasExecutablePath(wrapper)) return null;
  const path = await wrapper.executablePath();
  await chmod(path, 493);
  return { kind: 'executable', path, flavour: 'headless-shell', source: `the package ${SPARTICUZ}`, variables };
}
function hasExecutablePath(value) {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'executablePath' in value &&
    typeof value.executablePath === 'function'
  );
}

// browsers/launch/launch-browser.ts
import { access as access2, chmod as chmod4, constants as constants3 } from 'node:fs/promises';
import { fileURLToPath as fileURLToPath2 } from 'node:url';

// src/base/deadline.ts
var DeadlineExceeded = class extends Error {
  what;
  constructor(what, limit) {
    super(`${what} did not answer within ${limit} ms`);
    this.name = 'DeadlineExceeded';
    this.what = what;
  }
};
function withDeadline(call, what, limit, signal2) {
  return new Promise((resolve2, reject) => {
    const patience = typeof limit === 'number' ? null : limit;
    const end = () => {
      clearTimeout(timer);
      patience?.end();
      signal2.removeEventListener('abort', stop);
    };
    const stop = () => {
      end();
      reject(signal2.reason);
    };
    const ring = () => {
      const left = patience?.left() ?? 0;
      if (left > 0) {
        timer = setTimeout(ring, left);
        return;
      }
      end();
      reject(new DeadlineExceeded(what, typeof limit === 'number' ? limit : limit.limit));
    };
    let timer = setTimeout(ring, typeof limit === 'number' ? limit : limit.left());
    signal2.addEventListener('abort', stop, { once: true });
    call.then(
      (result) => {
        end();
        resolve2(result);
      },
      (error) => {
        end();
        reject(error);
      },
    );
    if (signal2.aborted) stop();
  });
}

// src/base/units.ts
var TOTAL_CREDIT = 2 ** 52;
function milliseconds(value) {
  if (!(value >= 0)) throw new RangeError(`a duration cannot be ${value} ms`);
  return value;
}
function seconds(value) {
  return milliseconds(value * 1e3);
}
function minutes(value) {
  return seconds(value * 60);
}
function hours(value) {
  return minutes(value * 60);
}
function epochMs(value) {
  if (!Number.isFinite(value)) throw new RangeError(`a point in time cannot be ${value}`);
  return value;
}
function bytes(value) {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a size cannot be ${value} bytes`);
  return value;
}
function kibibytes(value) {
  return bytes(value * 1024);
}
function mebibytes(value) {
  return kibibytes(value * 1024);
}

// browsers/protocol/pipe-session.ts
import { EventEmitter } from 'node:events';
var PipeSession = class {
  id;
  #connection;
  #events = new EventEmitter();
  #gone = new AbortController();
  #whole = /* @__PURE__ */ new Map();
  eventSize = 0;
  /** Set by the connection. */
  relay = null;
  constructor(id, connection) {
    this.id = id;
    this.#connection = connection;
    this.#events.setMaxListeners(0);
  }
  /** Aborted when its target has gone. */
  get gone() {
    return this.#gone.signal;
  }
  send(method, params) {
    return new Promise((resolve2, reject) => {
      this.#connection.call(this.id, method, params, {
        answer: (text3) => {
          const { result, error } = JSON.parse(text3);
          if (error === void 0) resolve2(result);
          else reject(new Error(`${method}: ${String(error.message)}`));
        },
        fail: reject,
      });
    });
  }
  on(event, listener) {
    this.#events.on(event, listener);
    return this;
  }
  once(event, listener) {
    this.#events.once(event, listener);
    return this;
  }
  off(event, listener) {
    this.#events.off(event, listener);
    return this;
  }
  readWhole(events2, most) {
    for (const event of events2) this.#whole.set(event, most);
    this.#connection.readsWhole(most);
  }
  /** Bytes up to which an event is read whole. */
  wholeUpTo(event) {
    return this.#whole.get(event) ?? 0;
  }
  listensTo(event) {
    return this.#events.listenerCount(event) > 0;
  }
  emit(event, payload, size3) {
    this.eventSize = size3;
    this.#events.emit(event, payload);
  }
  end(reason) {
    this.#gone.abort(reason);
  }
};

// browsers/protocol/pipe.ts
var HEAD = 160;
var TAIL = 64;
var PIECE = 64 * 1024;
var NOTHING = Buffer.alloc(0);
var DevToolsPipe = class {
  #out;
  #listener;
  /** Of a message whose end has not come yet. */
  #parts = [];
  #size = 0;
  #head = NOTHING;
  #tail = NOTHING;
  /** Bytes to hold of it; null while its kind is not known. */
  #most = null;
  #ended = false;
  constructor(ends, listener) {
    this.#out = ends.out;
    this.#listener = listener;
    const end = (reason) => {
      if (this.#ended) return;
      this.#ended = true;
      this.#parts = [];
      listener.ended(reason);
    };
    ends.in.on('data', (chunk) => this.#take(chunk));
    ends.in.on('close', () => end(new Error('the browser has closed its pipe')));
    ends.in.on('error', end);
    ends.out.on('error', end);
  }
  write(text3) {
    if (!this.#ended) this.#out.write(`${text3}\0`);
  }
  #take(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }
  /** The piece ends a message. */
  #finish(piece) {
    if (this.#size === 0 && piece.length <= PIECE) return this.#listener.message(piece);
    this.#keep(piece);
    const [parts2, size3, head, tail] = [this.#parts, this.#size, this.#head, this.#tail];
    const skipped = this.#most !== null && size3 > this.#most;
    this.#parts = [];
    this.#size = 0;
    this.#head = NOTHING;
    this.#tail = NOTHING;
    this.#most = null;
    if (skipped) this.#listener.skipped(head, tail, size3);
    else this.#listener.message(Buffer.concat(parts2, size3));
  }
  #keep(piece) {
    this.#size += piece.length;
    this.#tail = piece.length >= TAIL ? piece.subarray(-TAIL) : Buffer.concat([this.#tail, piece]).subarray(-TAIL);
    if (this.#most === null) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD - this.#head.length)]);
      if (this.#head.length >= HEAD) this.#most = this.#listener.most(this.#head);
    }
    if (this.#most !== null && this.#size > this.#most) this.#parts = [];
    else this.#parts.push(piece);
  }
};

// browsers/protocol/connection.ts
var EVENT_BYTES = 4 * 1024 * 1024;
var ANSWER_BYTES = 128 * 1024 * 1024;
var EVENT = '{"method":"';
var ANSWER = '{"id":';
var DETACHED = 'Target.detachedFromTarget';
var NOTHING2 = 0;
var RELAYED_ROOT = 1;
var BRIEF = {
  'Runtime.consoleAPICalled': (head) => ({ type: /"params":\{"type":"(\w+)"/.exec(head)?.[1] ?? 'log' }),
  'Runtime.exceptionThrown': () => ({}),
};
var BRIEF_WHERE_LARGE = { ...BRIEF, 'Page.javascriptDialogOpening': () => ({}) };
var AnswerTooLarge = class extends Error {
  constructor(method) {
    super(`${method}: the answer is larger than ${ANSWER_BYTES} bytes`);
    this.name = 'AnswerTooLarge';
  }
};
var DevToolsConnection = class {
  #pipe;
  #sessions = /* @__PURE__ */ new Map();
  #calls = /* @__PURE__ */ new Map();
  #gone = new AbortController();
  #onFault;
  /** The browser itself. */
  root;
  #last = 0;
  /** Sessions whose events go to a second client. */
  #relayed = 0;
  /** Messages received, those without a listener included. */
  received = 0;
  /** Bytes of brief events that some session wants whole. */
  #mostWhole = NOTHING2;
  constructor(ends, onFault = () => {}) {
    this.#onFault = onFault;
    this.root = this.session('');
    this.#pipe = new DevToolsPipe(ends, {
      most: (head) => this.#mostOf(head.toString('latin1')),
      message: (message2) => this.#take(message2),
      skipped: (head, tail, size3) => this.#skipped(head.toString('latin1'), tail, size3),
      ended: (reason) => this.#lose(reason),
    });
  }
  /** Aborted when the browser can be reached no more. */
  get gone() {
    return this.#gone.signal;
  }
  /** Calls that have been sent; for measurements. */
  get sent() {
    return this.#last;
  }
  /** The session of an attached target. */
  session(id) {
    const known = this.#sessions.get(id);
    if (known !== void 0) return known;
    const session = new PipeSession(id, this);
    this.#sessions.set(id, session);
    return session;
  }
  /**
   * Hands the events of a session to a second client of the pipe, whole, and those of the targets that it attaches to.
   * @throws where the session has ended
   */
  relay(session, to) {
    if (session.gone.aborted) throw new Error('the target has gone');
    if (session.relay !== null) return;
    session.relay = to;
    this.#relayed += 1;
    session.gone.addEventListener('abort', () => (this.#relayed -= 1), { once: true });
  }
  /** Keeps brief events up to this size until it is known whose they are. */
  readsWhole(most) {
    this.#mostWhole = Math.max(this.#mostWhole, most);
  }
  call(sessionId, method, params, waiting) {
    if (this.#gone.signal.aborted) return waiting.fail(this.#gone.signal.reason);
    if (!this.#sessions.has(sessionId)) return waiting.fail(new Error(`${method}: the target has gone`));
    const id = ++this.#last;
    this.#calls.set(id, { method, sessionId, ...waiting });
    const target = sessionId === '' ? void 0 : sessionId;
    this.#pipe.write(JSON.stringify({ id, method, params, sessionId: target }));
  }
  #take(message2) {
    try {
      this.#receive(message2);
    } catch (error) {
      const reason = new Error('a message of the browser could not be dealt with', { cause: error });
      const sessionId = sessionOf(message2);
      this.#onFault({
        head: message2.toString('latin1', 0, HEAD),
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      if (this.#sessions.get(sessionId) === this.root) this.#lose(reason);
      else this.#end(sessionId, reason);
    }
  }
  /** Bytes to read of a message with this beginning. */
  #mostOf(head) {
    const name = eventNameOf(head);
    if (name === null) return ANSWER_BYTES;
    if (this.#relayed > RELAYED_ROOT || name === DETACHED) return EVENT_BYTES;
    if (name in BRIEF) return this.#mostWhole;
    return [...this.#sessions.values()].some((session) => session.listensTo(name)) ? EVENT_BYTES : NOTHING2;
  }
  #receive(message2) {
    this.received += 1;
    const head = message2.toString('latin1', 0, HEAD);
    const name = eventNameOf(head);
    if (name !== null) {
      const session = this.#sessions.get(sessionOf(message2));
      const ends = name === DETACHED;
      if (session === void 0) return;
      session.relay?.(message2.toString());
      if (!(ends || session.listensTo(name))) return;
      const brief = session.wholeUpTo(name) < message2.length ? BRIEF[name]?.(head) : void 0;
      const params = brief ?? JSON.parse(message2.toString()).params;
      session.emit(name, params, message2.length);
      if (ends) this.#end(String(params.sessionId));
    } else if (head.startsWith(ANSWER)) {
      const id = numberOf(head);
      this.#calls.get(id)?.answer(message2.toString());
      this.#calls.delete(id);
    }
  }
  /** Handles a message that was too large: the call that waits for it fails, and so does a paused request; a dialog is reported. */
  #skipped(head, tail, size3) {
    this.received += 1;
    const name = eventNameOf(head);
    if (name === null) {
      const call = this.#callOf(head);
      return call?.fail(new AnswerTooLarge(call.method));
    }
    const session = this.#sessions.get(sessionOf(tail));
    if (session === void 0 || !session.listensTo(name)) return;
    const params = BRIEF_WHERE_LARGE[name]?.(head);
    if (params !== void 0) session.emit(name, params, size3);
    const requestId = name === 'Fetch.requestPaused' ? /"requestId":"([\w.-]+)"/.exec(head)?.[1] : void 0;
    if (requestId === void 0) return;
    session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
  }
  /** Removes and returns the call that an answer is for. */
  #callOf(head) {
    const id = numberOf(head);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
  /** Ends the session of a target that has gone. */
  #end(sessionId, reason = new Error('the target has gone')) {
    const session = this.#sessions.get(sessionId);
    if (session === void 0 || session === this.root) return;
    this.#sessions.delete(sessionId);
    for (const [id, call] of this.#calls) {
      if (call.sessionId !== sessionId) continue;
      this.#calls.delete(id);
      call.fail(reason);
    }
    session.end(reason);
  }
  #lose(reason) {
    this.#gone.abort(reason);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.fail(reason);
    for (const session of this.#sessions.values()) session.end(reason);
    this.#sessions.clear();
  }
};
function eventNameOf(head) {
  return head.startsWith(EVENT) ? head.slice(EVENT.length, head.indexOf('"', EVENT.length)) : null;
}
function numberOf(head) {
  return Number.parseInt(head.slice(ANSWER.length), 10);
}
function sessionOf(message2) {
  const tail = message2.toString('latin1', Math.max(0, message2.length - TAIL));
  return /"sessionId":"(\w+)"\}$/.exec(tail)?.[1] ?? '';
}

// browsers/protocol/context-maker.ts
var NOT_PLAYWRIGHTS = "the contexts of this browser are not Playwright's";
function ownContexts({ root }) {
  return {
    lost: new AbortController().signal,
    playwright: null,
    make: async (_manner, state) => {
      if (state !== null) throw new Error(NOT_PLAYWRIGHTS);
      const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
      return {
        id: browserContextId,
        storageState: () => Promise.reject(new Error(NOT_PLAYWRIGHTS)),
        adopt: () => Promise.reject(new Error(NOT_PLAYWRIGHTS)),
        dispose: async () => void (await root.send('Target.disposeBrowserContext', { browserContextId })),
      };
    },
  };
}

// browsers/protocol/introduce-proxy.ts
var CANCELLED = { response: 'CancelAuth' };
var NO_DOCUMENT = 'net::ERR_ABORTED';
async function introduceProxy(session, { username, password }, greeting) {
  const asked = /* @__PURE__ */ new Set();
  const letGo = ({ requestId }) => {
    session.send('Fetch.continueRequest', { requestId }).catch(() => {});
  };
  const answer = ({ requestId, authChallenge }) => {
    const again = asked.has(requestId);
    asked.add(requestId);
    const known = authChallenge.source === 'Proxy' && !again;
    const reply = known ? { response: 'ProvideCredentials', username, password } : CANCELLED;
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: reply }).catch(() => {});
  };
  session.on('Fetch.requestPaused', letGo);
  session.on('Fetch.authRequired', answer);
  const [, { errorText = 'not refused' }] = await Promise.all([
    session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: greeting }] }),
    session.send('Page.navigate', { url: greeting }),
  ]);
  await session.send('Fetch.disable');
  session.off('Fetch.requestPaused', letGo);
  session.off('Fetch.authRequired', answer);
  if (errorText !== NO_DOCUMENT) throw new Error(`the proxy did not take the credential: ${errorText}`);
}

// browsers/protocol/pipe-page.ts
var LANGUAGE = 'en-US';
var ONLINE = {
  offline: false,
  latency: 50,
  downloadThroughput: 125e4,
  uploadThroughput: 125e4,
  connectionType: 'ethernet',
};
var PipePage = class {
  session;
  frameId;
  frameControl;
  adopt;
  close;
  #connection;
  #frames = /* @__PURE__ */ new Set();
  #events = null;
  constructor({ session, connection, frameId, frameControl, adopt: adopt2, close }) {
    this.session = session;
    this.frameId = frameId;
    this.frameControl = frameControl;
    this.adopt = adopt2;
    this.close = close;
    this.#connection = connection;
  }
  listen(events2) {
    this.#events = events2;
    const { session } = this;
    session.on('Inspector.targetCrashed', () => events2.ended('crashed'));
    if (session.gone.aborted) events2.ended('closed');
    else session.gone.addEventListener('abort', () => events2.ended('closed'), { once: true });
  }
  async remoteFrames() {
    return [...this.#frames];
  }
  async prepare({ userAgent, viewport }, ownNetwork) {
    const { session } = this;
    const metrics = { ...viewport, deviceScaleFactor: 1, mobile: false };
    await Promise.all([
      session.send('Inspector.enable'),
      this.#attachBelow(session),
      session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: LANGUAGE }),
      session.send('Emulation.setLocaleOverride', { locale: LANGUAGE }),
      // a page that thinks itself in the background does less than it would for a reader
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      // without an interface that leads anywhere the browser would report to pages that they are offline
      ownNetwork ? session.send('Network.overrideNetworkState', ONLINE) : void 0,
      // a window of a frame-controlled page has the size that its target was made with
      this.frameControl ? void 0 : session.send('Emulation.setDeviceMetricsOverride', metrics),
    ]);
  }
  /** Workers and frames of other processes, and theirs, each with a session of its own from its first moment. */
  async #attachBelow(above) {
    above.on('Target.attachedToTarget', (attached) => this.#attached(attached));
    await above.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  }
  #attached({ sessionId, targetInfo: { type, url } }) {
    const ignore2 = () => {};
    if (type === 'service_worker') return;
    const session = this.#connection.session(sessionId);
    if (type === 'worker') {
      this.#events?.workerStarted(url, session);
      session.gone.addEventListener('abort', () => this.#events?.workerEnded(), { once: true });
    } else if (type === 'iframe') {
      this.#frames.add(session);
      session.gone.addEventListener('abort', () => this.#frames.delete(session), { once: true });
      this.#events?.frameStarted(session);
    }
    this.#attachBelow(session).catch(ignore2);
    session.send('Runtime.runIfWaitingForDebugger').catch(ignore2);
  }
};

// browsers/protocol/unwanted-targets.ts
function refuseServiceWorkers(connection, contexts) {
  connection.root.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, type, browserContextId } }) => {
    if (type !== 'service_worker') return;
    const ended = browserContextId !== void 0 && contexts.has(browserContextId);
    const asked = ended
      ? connection.root.send('Target.closeTarget', { targetId })
      : connection.session(sessionId).send('Runtime.runIfWaitingForDebugger');
    asked.catch(() => {});
  });
}
function refuseWindows(connection) {
  const { root } = connection;
  root.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger, targetInfo: { targetId, type, openerId } }) => {
    if (type !== 'page' || !waitingForDebugger) return;
    const session = connection.session(sessionId);
    const close = async () => {
      await session.send('Fetch.enable');
      await session.send('Runtime.runIfWaitingForDebugger');
      await root.send('Target.closeTarget', { targetId });
    };
    const letGo = async () => {
      await session.send('Runtime.runIfWaitingForDebugger');
      await root.send('Target.detachFromTarget', { sessionId });
    };
    (openerId === void 0 ? letGo() : close()).catch(() => {});
  });
}

// browsers/protocol/pipe-browser.ts
var PipeBrowser = class _PipeBrowser {
  #program;
  #connection;
  #start;
  #version;
  #maker;
  /** Ids of the contexts of our pages. */
  #contexts;
  constructor(program, connection, about) {
    this.#program = program;
    this.#connection = connection;
    this.#version = about.version;
    this.#contexts = about.ids;
    this.#maker = about.maker;
    this.#start = about;
  }
  /**
   * Resolves when it answers.
   * @throws where it ends before
   */
  static async greet(program, start) {
    const connection = new DevToolsConnection(program.pipe, start.onFault);
    const { gone } = connection;
    const leave2 = () => {
      if (gone.reason instanceof Error && gone.reason.cause !== void 0) program.kill();
    };
    gone.addEventListener('abort', leave2, { once: true });
    const { root } = connection;
    const ids = /* @__PURE__ */ new Set();
    refuseServiceWorkers(connection, ids);
    refuseWindows(connection);
    const [{ product }, maker] = await Promise.all([
      root.send('Browser.getVersion'),
      start.contexts?.(connection) ?? ownContexts(connection),
      root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'service_worker' }, ...(start.frameControl ? [] : [{ type: 'page' }])],
      }),
    ]);
    maker.lost.addEventListener('abort', () => program.kill(), { once: true });
    return new _PipeBrowser(program, connection, { ...start, version: product.replace(/^.*\//, ''), ids, maker });
  }
  version() {
    return this.#version;
  }
  get pid() {
    return this.#program.pid;
  }
  get memory() {
    return this.#program.memory;
  }
  heapOverflows = () => this.#program.heapOverflows();
  get playwright() {
    return this.#maker.playwright;
  }
  get gone() {
    return this.#connection.gone;
  }
  /** Messages both ways; for measurements. */
  get messages() {
    return { sent: this.#connection.sent, received: this.#connection.received };
  }
  async processes() {
    const { processInfo } = await this.#connection.root.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id }) => id);
  }
  async openContext(manner, state = null) {
    const { root } = this.#connection;
    const { id: browserContextId, dispose, adopt: adopt2, storageState } = await this.#maker.make(manner, state);
    this.#contexts.add(browserContextId);
    const close = async () => {
      await dispose();
      this.#contexts.delete(browserContextId);
    };
    const prepared = Promise.all([
      root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      // none granted: all refused
      root.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ]);
    prepared.catch(() => {});
    let introduced = null;
    const introduce = (session) => (introduced ??= this.#introduce(session));
    return {
      close,
      storageState,
      openPage: async () => {
        await prepared;
        return this.#openPage(browserContextId, manner, { introduce, adopt: adopt2 });
      },
    };
  }
  async #openPage(browserContextId, manner, { introduce, adopt: adopt2 }) {
    const { root } = this.#connection;
    const { frameControl, ownNetwork } = this.#start;
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...manner.viewport,
      ...(frameControl ? { enableBeginFrameControl: true } : {}),
    });
    const close = async () => void (await root.send('Target.closeTarget', { targetId }));
    try {
      const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
      const session = this.#connection.session(sessionId);
      const calls = { close, adopt: (options) => adopt2(targetId, options) };
      const page = new PipePage({ session, connection: this.#connection, frameId: targetId, frameControl, ...calls });
      await Promise.all([page.prepare(manner, ownNetwork), introduce(session)]);
      return page;
    } catch (error) {
      close().catch(() => {});
      throw error;
    }
  }
  async #introduce(session) {
    const { proxyCredential } = this.#start;
    if (proxyCredential !== null) await introduceProxy(session, proxyCredential, proxyCredential.greeting);
  }
  async close() {
    this.#connection.root.send('Browser.close').catch(() => {});
    await this.#program.ended;
  }
  kill() {
    this.#program.kill();
  }
};

// src/base/loopback-name.ts
function isLoopbackName(name) {
  return name === 'localhost' || name.endsWith('.localhost') || /^127\./.test(name) || name === '[::1]';
}

// src/base/parsed-url.ts
function parsedUrl(text3, base) {
  try {
    return new URL(text3, base);
  } catch {
    return null;
  }
}

// browsers/playwright/playwright-browser.ts
init_context_options();
init_own_requests();
var WITHOUT_WEBRTC =
  'for(const name of ["RTCPeerConnection","webkitRTCPeerConnection","RTCIceTransport","RTCDataChannel"])delete globalThis[name]';
var PlaywrightBrowser = class {
  #browser;
  #gate;
  #gone = new AbortController();
  /** Its processes may be those of another machine. */
  pid = null;
  memory = null;
  heapOverflows = () => 0;
  /** @param gate null: its pages reach the network by themselves */
  constructor(browser2, gate) {
    this.#browser = browser2;
    this.#gate = gate;
    browser2.on('disconnected', () => this.#gone.abort(new Error('the browser has ended')));
  }
  version() {
    return this.#browser.version();
  }
  /** Of the messages nothing is known. */
  get playwright() {
    return { contexts: this.#browser.contexts().length, messages: 0 };
  }
  get gone() {
    return this.#gone.signal;
  }
  async processes() {
    return [];
  }
  async openContext(manner, state = null) {
    const gate = this.#gate;
    const context = await this.#browser.newContext({ ...contextOptions(manner, state), ...gateOptions(gate) });
    withoutOwnRequests(context);
    if (gate !== null) await context.addInitScript(WITHOUT_WEBRTC);
    let introduced = null;
    const introduce = async (session) => {
      if (gate !== null) await (introduced ??= proveGate(session, gate.credential));
    };
    const ours = /* @__PURE__ */ new Set();
    context.on('page', (page) => {
      setImmediate(() => {
        if (!ours.has(page)) page.close().catch(() => {});
      });
    });
    return {
      openPage: () => openPage(context, ours, introduce),
      storageState: () => context.storageState(),
      close: () => context.close(),
    };
  }
  close() {
    return this.#browser.close();
  }
  /** The browser's owner ends it; this only closes the connection. */
  kill() {
    this.#gone.abort(new Error('the browser was given up'));
    this.#browser.close().catch(() => {});
  }
};
function gateOptions(gate) {
  if (gate === null) return {};
  return { proxy: { server: gate.proxyUrl, bypass: '<-loopback>' }, ignoreHTTPSErrors: gate.endsTls };
}
async function proveGate(session, credential) {
  var _stack = [];
  try {
    const probe = __using(_stack, credential.probe());
    await introduceProxy(session, credential, probe.url);
    if (!probe.arrived()) throw new Error('what it asks for does not arrive at the proxy');
  } catch (_) {
    var _error = _,
      _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
async function openPage(context, ours, introduce) {
  const page = await context.newPage();
  ours.add(page);
  page.on('close', () => ours.delete(page));
  try {
    const session = await context.newCDPSession(page);
    await introduce(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    return {
      session,
      frameId: frameTree.frame.id,
      frameControl: false,
      listen: (events2) => listen(page, events2),
      remoteFrames: remoteFramesOf(context, page),
      // what it opens is closed (openContext); whatever was set stays set
      adopt: async () => ({ page, tuned: true, caughtUp: async () => {}, letGo: async () => {} }),
      close: () => page.close(),
    };
  } catch (error) {
    page.close().catch(() => {});
    throw error;
  }
}
function listen(page, events2) {
  page.on('crash', () => events2.ended('crashed'));
  page.on('close', () => events2.ended('closed'));
  page.on('worker', (worker) => {
    events2.workerStarted(worker.url(), null);
    worker.on('close', () => events2.workerEnded());
  });
}
function remoteFramesOf(context, page) {
  const known = /* @__PURE__ */ new WeakMap();
  const sessionOf2 = async (frame2) => {
    const before = known.get(frame2);
    if (before !== void 0) return before;
    const session = await context.newCDPSession(frame2).catch(() => null);
    if (session === null) return null;
    known.set(frame2, session);
    session.on('close', () => known.delete(frame2));
    return session;
  };
  return async () => {
    const sessions = await Promise.all(page.frames().slice(1, FRAMES).map(sessionOf2));
    return sessions.filter((session) => session !== null);
  };
}
var FRAMES = 100;

// browsers/launch/launch-failure.ts
import { stripVTControlCharacters } from 'node:util';
var QUOTED_LINES = 6;
var CAUSES = [
  {
    says: /sandboxing failed|No usable sandbox|zygote_host_impl|sandbox_linux|credentials\.cc|namespace|chroot|crbug\.com\/(357670|638180)/i,
    cause: 'its sandbox is not allowed here: user namespaces are switched off or forbidden',
    cure: 'In a container: --security-opt seccomp=browsers/seccomp.json (in the repository), or seccomp=unconfined.\nOn Ubuntu 23.10 or later: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (as root)\nOn Debian: sysctl -w kernel.unprivileged_userns_clone=1   (as root), or apt-get install chromium-sandbox',
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
function launchFailure(found2, error) {
  const words2 = error instanceof Error ? error.message : String(error);
  const known = CAUSES.find(({ says }) => says.test(words2));
  const name = found2.kind === 'executable' ? found2.path : found2.url;
  const cause = known?.cause ?? 'it ended at once';
  const cure = known?.cure ?? 'See what is missing with: orbweaver doctor';
  const quoted = ownWords(words2);
  return new CrawlError(
    'BROWSER_UNUSABLE',
    [`the browser ${name} does not start: ${cause}.`, ...quoted.map((line) => `  | ${line}`), cure].join('\n'),
    { cause: error, data: { browser: name } },
  );
}
function ownWords(message2) {
  const lines = message2.split('\n').map((line) => stripVTControlCharacters(line).trim());
  const printed = lines.filter((line) => line.includes('[err]')).map((line) => line.replace(/^.*?\[err\]\s*/, ''));
  const plain = lines.filter((line) => line !== '' && !line.includes('<launching>') && !/^[=\-╔╚║]/.test(line));
  return [...new Set(printed.length > 0 ? printed : plain)].slice(0, QUOTED_LINES).map((line) => line.slice(0, 200));
}

// browsers/launch/connect-endpoint.ts
var CONNECT_LIMIT = seconds(20);
var CONNECT_MARGIN = seconds(5);
var PROOF_LIMIT = seconds(20);
var TRIAL = { userAgent: 'Orbweaver', viewport: { width: 800, height: 600 } };
async function connectEndpoint(found2, options, signal2) {
  const { proxyUrl, proxyCredential: credential = null, trustedKey = null } = options;
  const gate = proxyUrl === null || credential === null ? null : { proxyUrl, credential, endsTls: trustedKey !== null };
  if (gate !== null) requireNear(found2);
  const browser2 = await connect(found2, gate, signal2);
  if (gate === null) return browser2;
  try {
    await withDeadline(provedContext(browser2), 'the browser', PROOF_LIMIT, signal2);
    return browser2;
  } catch (error) {
    browser2.kill();
    signal2.throwIfAborted();
    throw unreachedProxy(found2, error);
  }
}
function requireNear({ url }) {
  const name = parsedUrl(url)?.hostname ?? '';
  if (isLoopbackName(name)) return;
  throw new CrawlError(
    'BROWSER_UNUSABLE',
    `the browser ${name} is on another machine, and cannot reach the proxy of the crawl, which listens on 127.0.0.1 of this one.
Start one on this machine. --ungated-browser lets that one go past the proxy: no rule for addresses holds for it
then, and nothing is archived.`,
    { data: { browser: url } },
  );
}
async function connect({ url, protocol, ...rest }, gate, signal2) {
  const limits = { timeout: CONNECT_LIMIT };
  const { chromium: chromium2 } = await import('playwright-core');
  signal2.throwIfAborted();
  const parts2 = protocol === 'playwright' ? chromium2.connect(url, limits) : chromium2.connectOverCDP(url, limits);
  try {
    const limit = milliseconds(CONNECT_LIMIT + CONNECT_MARGIN);
    return new PlaywrightBrowser(await withDeadline(parts2, 'the browser', limit, signal2), gate);
  } catch (error) {
    parts2.then((late) => late.close()).catch(() => {});
    signal2.throwIfAborted();
    throw launchFailure({ url, protocol, ...rest }, error);
  }
}
async function provedContext(browser2) {
  const context = await browser2.openContext(TRIAL);
  try {
    await context.openPage();
  } finally {
    await context.close();
  }
}
function unreachedProxy({ url }, cause) {
  const words2 = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
  return new CrawlError(
    'BROWSER_UNUSABLE',
    [
      `the pages of the browser ${url} do not reach the proxy of this crawl, which is their only way to the network.`,
      `  | ${words2.slice(0, 200)}`,
      'The proxy listens on 127.0.0.1 of this machine: start the browser here, in the same network (docker: --network host), or',
      'leave --browser out to use one that is started here. --ungated-browser lets it go past the proxy.',
    ].join('\n'),
    { cause, data: { browser: url } },
  );
}

// browsers/launch/launch-profile.ts
var UNATTENDED = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--disable-breakpad',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  // windows are blocked all the same; without it `Page.windowOpen` does not report those that no click opened
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--disable-infobars',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--force-color-profile=srgb',
  // shared memory of containers is often 64 MB
  '--disable-dev-shm-usage',
];
var WITHOUT_WEBGL = ['--disable-software-rasterizer', '--disable-3d-apis'];
var WITH_WEBGL = ['--enable-unsafe-swiftshader'];
var FILTERED_SOUND = '--enable-features=AudioServiceSandbox';
var BLINK_SETTINGS = 'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';
var QUIET = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];
var CONTAINED = ['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'];
var HEAP_LIMIT = '--js-flags=--max-old-space-size=512';
var DISABLED_FEATURES = [
  'BackForwardCache',
  'RenderDocument',
  'PaintHolding',
  'SpareRendererForSitePerProcess',
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];
var FRAME_CONTROL = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
];
function launchProfile(options) {
  const { flavour, proxyUrl, trustedKey = null, frameControl, webgl = false, sandbox, extraFlags } = options;
  const proxy = proxyUrl === null ? [] : [`--proxy-server=${proxyUrl}`, '--proxy-bypass-list=<-loopback>'];
  const trust = trustedKey === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedKey}`];
  const frames = frameControl && flavour === 'headless-shell' ? FRAME_CONTROL : [];
  return {
    flags: withSettings([
      ...UNATTENDED,
      ...QUIET,
      ...(webgl ? WITH_WEBGL : WITHOUT_WEBGL),
      ...CONTAINED,
      HEAP_LIMIT,
      FILTERED_SOUND,
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ...proxy,
      ...trust,
      ...frames,
      ...extraFlags,
    ]),
    sandbox: sandbox === 'on',
  };
}
function withSettings(flags) {
  const name = '--blink-settings=';
  const settings = flags.filter((flag) => flag.startsWith(name)).map((flag) => flag.slice(name.length));
  const others = flags.filter((flag) => !flag.startsWith(name));
  return [`${name}${[BLINK_SETTINGS, ...settings].join(',')}`, ...others];
}

// browsers/launch/limit-memory.ts
import { access, chmod as chmod2, constants as constants2 } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// browsers/launch/memory-cgroup.ts
import { readFileSync, rmdirSync } from 'node:fs';
import { mkdir, readdir, readFile as readFile2, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join as join2 } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

// src/base/process/process-identity.ts
import { readFile, readlink } from 'node:fs/promises';
async function processIdentity(pid) {
  return { pid, started: await startOf(pid) };
}
async function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isErrorWithCode(error, 'EPERM')) return false;
  }
  if (await isZombie(pid)) return false;
  const now = await startOf(pid);
  return started === '' || now === '' || now === started;
}
function isErrorWithCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
async function statOf(pid) {
  const text3 = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text3.slice(text3.lastIndexOf(')') + 2).split(' ');
}
async function startOf(pid) {
  return (await statOf(pid))[19] ?? '';
}
async function isZombie(pid) {
  return (await statOf(pid))[0] === 'Z';
}

// browsers/launch/memory-cgroup.ts
var NAME = /^orbweaver-(\d+)-(\d*)-\d+$/;
var REMOVALS = 20;
var REMOVAL_PAUSE = 50;
var PROGRAM_FILES = mebibytes(256);
var made = 0;
async function openMemoryCgroup(limit, sources2) {
  if (process.platform !== 'linux') return null;
  const place = await placeFor(sources2 ?? (await ownSources()));
  if (place === null) return null;
  await removeLeft(place.folder);
  const { pid, started } = await processIdentity(process.pid);
  const folder = join2(place.folder, `orbweaver-${pid}-${started}-${++made}`);
  try {
    await mkdir(folder);
  } catch {
    return null;
  }
  const group = new Cgroup(place.version, folder);
  try {
    await group.limit(limit);
    return group;
  } catch {
    await group.remove();
    return null;
  }
}
var Cgroup = class {
  #version;
  #folder;
  entrance;
  constructor(version, folder) {
    this.#version = version;
    this.#folder = folder;
    this.entrance = join2(folder, 'cgroup.procs');
  }
  async limit(limit) {
    const [memory, swap, swapLimit] =
      this.#version === 2
        ? ['memory.max', 'memory.swap.max', 0]
        : ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', limit];
    await writeFile(join2(this.#folder, memory), String(limit), { flag: 'r+' });
    await writeFile(join2(this.#folder, swap), String(swapLimit), { flag: 'r+' }).catch(() => {});
  }
  used() {
    const stat = this.#read('memory.stat');
    if (stat === null || this.processes().length === 0) return null;
    const field = (name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
    const [own, shared, mapped] =
      this.#version === 2
        ? [field('anon'), field('shmem'), field('file_mapped')]
        : [field('total_rss'), field('total_shmem'), field('total_mapped_file')];
    return bytes(own + Math.max(shared, mapped - PROGRAM_FILES));
  }
  kills() {
    const text3 = this.#read(this.#version === 2 ? 'memory.events' : 'memory.oom_control') ?? '';
    return Number(/^oom_kill (\d+)$/m.exec(text3)?.[1] ?? 0);
  }
  processes() {
    return (this.#read('cgroup.procs') ?? '').split('\n').filter(Boolean).map(Number);
  }
  async remove() {
    for (let turn = 0; turn < REMOVALS; turn++) {
      try {
        await rmdir(this.#folder);
        return;
      } catch {
        await wait(REMOVAL_PAUSE);
      }
    }
  }
  removeNow() {
    try {
      rmdirSync(this.#folder);
    } catch {}
  }
  /** The kernel answers from memory: such a file is read at once. */
  #read(name) {
    try {
      return readFileSync(join2(this.#folder, name), 'utf8');
    } catch {
      return null;
    }
  }
};
async function ownSources() {
  const read = (path) => readFile2(path, 'utf8').catch(() => '');
  return { own: await read('/proc/self/cgroup'), mounts: await read('/proc/self/mountinfo') };
}
async function placeFor({ own, mounts }) {
  const first = folderIn(own, mounts, 1);
  if (first !== null) return { version: 1, folder: first };
  const second = folderIn(own, mounts, 2);
  const folder = second === null ? null : await dividable(second);
  return folder === null ? null : { version: 2, folder };
}
function folderIn(own, mounts, version) {
  const group = own
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((match) => (version === 2 ? match?.[1] === '' : match?.[1]?.split(',').includes('memory')))?.[2];
  if (group === void 0 || group.startsWith('/..')) return null;
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    const fits = version === 2 ? type === 'cgroup2' : type === 'cgroup' && options.split(',').includes('memory');
    if (!fits) continue;
    if (group === root || root === '/') return join2(point, root === '/' ? group : '');
    if (group.startsWith(`${root}/`)) return join2(point, group.slice(root.length));
  }
  return null;
}
async function dividable(own) {
  const holds2 = async (folder) =>
    (await readFile2(join2(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '')).split(/\s/).includes('memory');
  if (await holds2(own)) return own;
  await writeFile(join2(own, 'cgroup.subtree_control'), '+memory', { flag: 'r+' }).catch(() => {});
  if (await holds2(own)) return own;
  const limit = await readFile2(join2(own, 'memory.max'), 'utf8').catch(() => '');
  return limit.trim() === 'max' && (await holds2(dirname(own))) ? dirname(own) : null;
}
async function removeLeft(folder) {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, started = ''] = NAME.exec(name) ?? [];
    if (pid === void 0 || (await isAlive({ pid: Number(pid), started }))) continue;
    await rmdir(join2(folder, name)).catch(() => {});
  }
}

// browsers/launch/limit-memory.ts
var LIMIT_MEMORY = fileURLToPath(new URL('./limit-memory.sh', import.meta.url));
var UNUSED = mebibytes(768);
var STACK = mebibytes(8);
async function underMemoryLimit(start, hold) {
  if (hold === null || process.platform !== 'linux') return start;
  await access(LIMIT_MEMORY, constants2.X_OK).catch(() => chmod2(LIMIT_MEMORY, 493));
  const group = hold.by === 'process' ? null : await openMemoryCgroup(hold.tree);
  const data = hold.page + UNUSED + STACK * availableParallelism();
  return {
    ...start,
    path: LIMIT_MEMORY,
    group,
    environment: {
      ...start.environment,
      ORBWEAVER_LIMITED_PROGRAM: start.path,
      ORBWEAVER_MEMORY_GROUP: group?.entrance ?? '',
      ORBWEAVER_DATA_KIB: String(Math.floor(data / 1024)),
    },
  };
}

// browsers/launch/profile-folder.ts
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync as readFileSync2, readlinkSync, rmSync, lstatSync, rmdirSync as rmdirSync2 } from 'node:fs';
import {
  chmod as chmod3,
  lstat,
  mkdir as mkdir2,
  mkdtemp,
  readdir as readdir2,
  rm,
  rmdir as rmdir2,
} from 'node:fs/promises';
import { join as join3 } from 'node:path';
import { promisify } from 'node:util';
var run = promisify(execFile);
var NAME2 = /^orbweaver-browser-(?<kernel>[0-9a-f]{12})-(?<pid>\d+)-(?<started>\d*)-\w+$/;
async function makeProfile(parent) {
  const { pid, started } = await processIdentity(process.pid);
  const folder = await mkdtemp(join3(parent, `orbweaver-browser-${kernel()}-${pid}-${started}-`));
  const path = join3(folder, PROFILE);
  const artifacts = join3(folder, ARTIFACTS);
  await Promise.all([mkdir2(path, { mode: 448 }), mkdir2(artifacts, { mode: 448 })]);
  if (process.getuid?.() === 0) await chmod3(folder, 457);
  return { path, artifacts, remove: () => remove(folder), removeAtOnce: () => removeAtOnce(folder) };
}
async function removeLeftProfiles(parent) {
  const own = kernel();
  let removed = 0;
  for (const name of await readdir2(parent).catch(() => [])) {
    const owner = NAME2.exec(name)?.groups;
    if (owner === void 0 || owner['kernel'] !== own) continue;
    const folder = join3(parent, name);
    if (!(await isOurs(folder))) continue;
    if (await isAlive({ pid: Number(owner['pid']), started: owner['started'] ?? '' })) continue;
    await remove(folder);
    removed += 1;
  }
  return removed;
}
var PROFILE = 'profile';
var ARTIFACTS = 'artifacts';
async function isOurs(folder) {
  const found2 = await lstat(folder).catch(() => null);
  return found2 !== null && found2.isDirectory() && found2.uid === (process.getuid?.() ?? found2.uid);
}
function kernel() {
  const boot = orEmpty(() => readFileSync2('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = orEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256')
    .update(`${boot}
${namespace}`)
    .digest('hex')
    .slice(0, 12);
}
function orEmpty(read) {
  try {
    return read();
  } catch {
    return '';
  }
}
var PERSISTENT = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };
async function remove(folder) {
  const path = join3(folder, PROFILE);
  const profile = await lstat(path).catch(() => null);
  const owner = profile === null ? null : otherOwner(profile);
  if (owner !== null) {
    await run('rm', ['-rf', '--', path], { cwd: '/', ...owner }).catch(() => {});
    await rmdir2(path).catch(() => {});
    await rm(join3(folder, ARTIFACTS), PERSISTENT).catch(() => {});
    await rmdir2(folder).catch(() => {});
    return;
  }
  await rm(folder, PERSISTENT).catch(() => {});
}
function removeAtOnce(folder) {
  const path = join3(folder, PROFILE);
  try {
    const owner = otherOwner(lstatSync(path));
    if (owner === null) {
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    try {
      execFileSync('rm', ['-rf', '--', path], { cwd: '/', stdio: 'ignore', ...owner });
    } catch {}
    rmdirSync2(path);
    rmSync(join3(folder, ARTIFACTS), { recursive: true, force: true });
    rmdirSync2(folder);
  } catch {}
}
function otherOwner({ uid, gid }) {
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null;
}

// browsers/launch/start-program.ts
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join as join4 } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait2 } from 'node:timers/promises';
var WORDS = 16 * 1024;
var LAST_WORDS = 1e3;
var HEAP_OVERFLOW = '<--- Last few GCs --->';
function temporaryFolder(environment) {
  return environment['TMPDIR'] ?? tmpdir();
}
async function startProgram({ path, flags, environment, group = null }) {
  const profile = await makeProfile(temporaryFolder(environment));
  const child = spawn(
    path,
    [...flags, `--user-data-dir=${profile.path}`, '--remote-debugging-pipe', '--no-startup-window'],
    {
      // a page that asks for the microphone has libpulse make a folder, which is to go with the profile
      env: { ...environment, PULSE_RUNTIME_PATH: join4(profile.path, 'pulse') },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // a group of its own: a signal to ours is not for it, and it can be ended as a whole
      detached: process.platform !== 'win32',
    },
  );
  const kill = () => killGroup(child);
  const atExit = () => {
    kill();
    profile.removeAtOnce();
    group?.removeNow();
  };
  process.once('exit', atExit);
  const started = new Promise((resolve2, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve2(child.pid ?? 0));
  });
  const over = new Promise((resolve2) => {
    child.once('exit', () => resolve2());
    child.once('error', () => resolve2());
  });
  const closed = new Promise((resolve2) => child.once('close', () => resolve2()));
  const ended = over.then(async () => {
    killRest(child);
    await Promise.race([closed, wait2(LAST_WORDS, void 0, { ref: false })]);
    await profile.remove();
    await group?.remove();
    process.off('exit', atExit);
  });
  const words2 = wordsOf(child);
  const heapOverflows = overflowsOf(child);
  const pid = await started;
  const { artifacts } = profile;
  return { pid, pipe: pipeOf(child), artifacts, memory: group, heapOverflows, ended, kill, words: words2 };
}
function overflowsOf({ stderr }) {
  let count3 = 0;
  let rest = '';
  stderr?.on('data', (text3) => {
    const pieces = `${rest}${text3}`.split(HEAP_OVERFLOW);
    count3 += pieces.length - 1;
    rest = pieces.at(-1)?.slice(-HEAP_OVERFLOW.length) ?? '';
  });
  return () => count3;
}
function wordsOf({ stderr }) {
  let words2 = '';
  stderr?.setEncoding('utf8').on('data', (text3) => {
    if (words2.length < WORDS) words2 += text3.slice(0, WORDS);
  });
  return () =>
    new Promise((resolve2) => {
      const timer = setTimeout(() => resolve2(words2), LAST_WORDS);
      const say = () => {
        clearTimeout(timer);
        resolve2(words2);
      };
      if (stderr === null || stderr.closed) say();
      else stderr.once('close', say);
    });
}
function pipeOf({ stdio }) {
  const [, , , out, incoming] = stdio;
  if (!(out instanceof Writable) || !(incoming instanceof Readable)) throw new Error('the browser has no pipe');
  return { out, in: incoming };
}
function killGroup(child) {
  if (child.exitCode === null && child.signalCode === null) killRest(child);
}
function killRest({ pid }) {
  if (pid === void 0) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {}
}

// browsers/launch/launch-browser.ts
var LAUNCH_LIMIT = seconds(20);
var UNPRIVILEGED_UID = 65534;
var DROP_PRIVILEGES = fileURLToPath2(new URL('./drop-privileges.sh', import.meta.url));
async function launchBrowser(found2, options, signal2) {
  signal2.throwIfAborted();
  return found2.kind === 'executable' ? launch(found2, options, signal2) : connectEndpoint(found2, options, signal2);
}
async function launch(found2, options, signal2) {
  const sandbox = options.sandbox === 'off' ? 'off' : 'on';
  const { flavour } = found2;
  const { proxyUrl, frameControl, webgl = false, extraFlags, log } = options;
  const { trustedKey = null, proxyCredential = null, namespace = null } = options;
  const profile = launchProfile({ flavour, proxyUrl, trustedKey, frameControl, webgl, sandbox, extraFlags });
  const asRoot = sandbox === 'on' && process.platform === 'linux' && process.getuid?.() === 0;
  const { path, environment } = asRoot
    ? await droppingPrivileges(found2)
    : { path: found2.path, environment: found2.variables };
  const [first, ...rest] = [...(namespace?.enter ?? []), path];
  const flags = [...rest, ...profile.flags, ...(profile.sandbox ? [] : ['--no-sandbox'])];
  const riding =
    options.contexts === 'own'
      ? null
      : Promise.resolve().then(() => (init_playwright_contexts(), playwright_contexts_exports));
  riding?.catch(() => {});
  const removed = await removeLeftProfiles(temporaryFolder(found2.variables));
  if (removed > 0) log.info('profiles of ended crawls removed', { removed });
  log.debug('browser launch', { path: found2.path, flavour, sandbox, asRoot, ownNetwork: namespace !== null });
  let program = null;
  try {
    const start = { path: first ?? path, environment, flags };
    program = await startProgram(await underMemoryLimit(start, options.memory ?? null));
    const drawsOnDemand = frameControl && flavour === 'headless-shell';
    const onFault = (fault) => log.error('fault over a message of the browser', fault);
    const { artifacts } = program;
    const contexts =
      riding === null
        ? {}
        : {
            contexts: async (connection) => (await riding).PlaywrightContexts.open(connection, artifacts),
          };
    const how = { ...contexts, frameControl: drawsOnDemand, ownNetwork: namespace !== null, proxyCredential, onFault };
    return await withDeadline(PipeBrowser.greet(program, how), 'the browser', LAUNCH_LIMIT, signal2);
  } catch (error) {
    program?.kill();
    signal2.throwIfAborted();
    const words2 = program === null ? '' : await program.words();
    throw error instanceof CrawlError ? error : launchFailure(found2, words2 === '' ? error : new Error(words2));
  }
}
async function droppingPrivileges(found2) {
  if (inPath(found2.variables['PATH'] ?? '', 'setpriv') === null) {
    throw new CrawlError(
      'BROWSER_UNUSABLE',
      'as root the browser is started as an unprivileged user, and the program setpriv for it is not there.\nCrawl as another user, or install it with: apt-get install util-linux',
    );
  }
  await access2(DROP_PRIVILEGES, constants3.X_OK).catch(() => chmod4(DROP_PRIVILEGES, 493));
  return {
    path: DROP_PRIVILEGES,
    environment: {
      ...found2.variables,
      ORBWEAVER_BROWSER_PROGRAM: found2.path,
      ORBWEAVER_BROWSER_UID: String(UNPRIVILEGED_UID),
    },
  };
}

// src/base/log.ts
var silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

// src/render/generated/deterministic.ts
var SOURCE =
  '(input)=>{"use strict";var entry=(()=>{var u=Object.defineProperty;var f=Object.getOwnPropertyDescriptor;var m=Object.getOwnPropertyNames;var d=Object.prototype.hasOwnProperty;var l=(e,t)=>{for(var n in t)u(e,n,{get:t[n],enumerable:!0})},y=(e,t,n,i)=>{if(t&&typeof t=="object"||typeof t=="function")for(let r of m(t))!d.call(e,r)&&r!==n&&u(e,r,{get:()=>t[r],enumerable:!(i=f(t,r))||i.enumerable});return e};var h=e=>y(u({},"__esModule",{value:!0}),e);var R={};l(R,{run:()=>A});function p({start:e,worker:t}){let n=w(g(t??b()));D(n),Math.abs(Date.now()-e)>864e5&&U(e-Date.now()),x()}function b(){let{protocol:e,pathname:t,search:n,hash:i}=location;if(e==="blob:")return e;if(e!=="about:")return t+n+i;let r=new URL(document.baseURI);return`${t} ${r.pathname}${r.search}`}function g(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return t>>>0}function w(e){let t=e;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),(n^n>>>14)>>>0}}function c(e,t,n){let{configurable:i=!0,enumerable:r=!1,writable:o=!0}=Object.getOwnPropertyDescriptor(e,t)??{};Object.defineProperty(e,t,{configurable:i,enumerable:r,writable:o,value:n})}function D(e){let t=()=>e()/4294967296;if(c(Math,"random",()=>t()),typeof Crypto>"u")return;let{getRandomValues:n}=Crypto.prototype,i=o=>{for(let a=0;a<o.length;a++)o[a]=e()},r={getRandomValues(o){return Reflect.apply(n,this,[o]),i(new Uint8Array(o.buffer,o.byteOffset,o.byteLength)),o},randomUUID(){let o=new Uint8Array(16);return i(o),o[6]=(o[6]??0)&15|64,o[8]=(o[8]??0)&63|128,Array.from(o,s=>s.toString(16).padStart(2,"0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/,"$1-$2-$3-$4-$5")}};c(Crypto.prototype,"getRandomValues",r.getRandomValues),"randomUUID"in Crypto.prototype&&c(Crypto.prototype,"randomUUID",r.randomUUID)}function U(e){let t=Date,{now:n}=t,i=()=>n()+e,r=new Proxy(t,{apply:()=>new t(i()).toString(),construct:(o,a,s)=>Reflect.construct(o,a.length===0?[i()]:a,s)});c(t,"now",()=>i()),c(t.prototype,"constructor",r),c(globalThis,"Date",r)}function x(){let{now:e}=Performance.prototype,t={now(){return Math.round(Reflect.apply(e,this,[]))}};c(Performance.prototype,"now",t.now)}function A(e){p(e)}return h(R);})();return entry.run(input)}';

// src/render/page/deterministic-page.ts
var CLOCK_START = epochMs(Date.UTC(2026, 0, 14, 12));
var DETERMINISTIC_FLAGS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-partial-raster',
  '--blink-settings=imageAnimationPolicy=2',
];
var PROCESSORS = 4;
var SCRIPT = scriptFor({ start: CLOCK_START });
var ignore = () => {};
async function openDeterministic(session) {
  await Promise.all([
    session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
    session.send('Emulation.setScrollbarsHidden', { hidden: true }),
    session.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: PROCESSORS }).catch(ignore),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: SCRIPT, runImmediately: true }),
  ]);
}
function openDeterministicWorker(session, url) {
  const address = parsedUrl(url);
  const isBlob = address === null || address.protocol === 'blob:';
  const worker = isBlob ? 'blob:' : `${address.pathname}${address.search}`;
  session.send('Runtime.evaluate', { expression: scriptFor({ start: CLOCK_START, worker }) }).catch(ignore);
}
function scriptFor(input) {
  return `(${SOURCE})(${JSON.stringify(input)})`;
}

// src/model/url/host-key.ts
import { getDomain } from 'tldts';
function endOfHost(url) {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? url.length : slash;
}
function hostWithPortOf(url) {
  return url.slice(url.indexOf('://') + 3, endOfHost(url));
}
function storedHostKey(text3) {
  if (!/^https?:\/\/[^/]+$/.test(text3)) throw new TypeError(`not a stored host key: ${text3.slice(0, 256)}`);
  return text3;
}
function hostNameOf(url) {
  const host = hostWithPortOf(url);
  const colon = host.lastIndexOf(':');
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
}
function registrableDomainOf(url) {
  const name = hostNameOf(url);
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}

// src/model/url/url-shape.ts
var NAME_HYPHENS = 3;
var DIRECTORY_HYPHENS = NAME_HYPHENS + 1;

// src/core/memory/memory-verdict.ts
var TREE_LEAST = mebibytes(1536);
var TREE_ROOT = mebibytes(512);
var TREE_SHARE = mebibytes(256);
var PAGE_MOST = mebibytes(1024);
var BESIDE_BROWSER = mebibytes(320);
function memoryLimits(workers) {
  return { page: PAGE_MOST, tree: bytes(Math.max(TREE_LEAST, TREE_ROOT + workers * TREE_SHARE)) };
}

// src/offload/offload.ts
var SMALL_TEXT = kibibytes(64);

// src/render/live-browser.ts
init_mutex();

// src/core/starvation/time-given.ts
var LEAST_SHARE = 1 / 10;
var STOPPED_SHARE = 1 / 20;
var ENOUGH = 1 / 2;
var MOST_TIMES = ENOUGH / LEAST_SHARE;
var LONGEST_STRETCH = milliseconds(500);

// src/render/limits/browser-limits.ts
var STOP_TRIES = 100;
var STOP_PAUSE = milliseconds(10);
var PATIENT_STOP_TRIES = 40;
var PATIENT_STOP_PAUSE = milliseconds(100);
var STOP_TIME = milliseconds(STOP_TRIES * STOP_PAUSE + PATIENT_STOP_TRIES * PATIENT_STOP_PAUSE);
var MESSAGE_BYTES = kibibytes(8);
var LARGE_MESSAGE = mebibytes(1);
var COOKIE_LIMIT = kibibytes(4);
var STORED_LIMIT = kibibytes(8);
var PAGE_REST = milliseconds(250);
var MEMORY_INTERVAL = milliseconds(250);
var CLOSE_MEMORY_INTERVAL = milliseconds(50);
var RELIEF_TIME = milliseconds(500);
var RELIEF_GROWTH = mebibytes(64);
var CONSEQUENCE_TIME = milliseconds(1e4);
var HEAP_LIMIT2 = mebibytes(512);
var FIRST_LOOK = milliseconds(500);
var LOOK_INTERVAL = milliseconds(200);
var SCARCE_MEMORY = milliseconds(5e3);
var SIGN_IN_KEPT_EVERY = milliseconds(3e4);

// src/render/given-time.ts
var LEAST_INTERVAL = LOOK_INTERVAL / 2;
var NEVER = milliseconds(Number.POSITIVE_INFINITY);

// src/base/process/process-memory.ts
var PROGRAM_FILES2 = mebibytes(192);

// src/render/page-limits.ts
var HTML_LIMIT = mebibytes(15);
var TEXT_LIMIT = mebibytes(2);
var NAVIGATION_LIMIT = 50;
var REQUEST_LIMIT = 500;
var PROTOCOL_CALL_LIMIT = seconds(5);
var SCRIPT_LIMIT = seconds(5);
var FRAME_TIME_LIMIT = seconds(5);
var OPEN_LIMIT = seconds(10);
var SALVAGE_TIME = seconds(8);
var VIRTUAL_BUDGET = seconds(5);
var STALL_LIMIT = milliseconds(2500);
var SPIN_LIMIT = seconds(2);
var STREAM_QUIET = milliseconds(100);
var SOCKETS_UNTIL = REQUEST_LIMIT - 100;
var URL_LENGTH = 8192;
var ANSWER_MARGIN = milliseconds(1500);
var ANSWER_LIMIT = milliseconds(SCRIPT_LIMIT + ANSWER_MARGIN);
var FACT_LENGTH = 1e3;
var READING_TIME = milliseconds(3e3);
var LEAST_IDLE_TIME = milliseconds(500);
var PICTURE_TIME = milliseconds(500);
var LEAST_RETRY_TIME = milliseconds(READING_TIME + 2e3);

// src/model/url/url-parameters.ts
var SESSION_AND_TRACKING_PARAMETERS = [
  'jsessionid',
  'phpsessid',
  'sid',
  'sessionid',
  'session_id',
  's_id',
  'aspsessionid*',
  'cfid',
  'cftoken',
  'oscsid',
  'zenid',
  'utm_*',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'yclid',
  'dclid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  'igshid',
  'ref_src',
  'spm',
  'scm',
  'vero_id',
  'mkt_tok',
  'hsa_*',
  '_hsenc',
  '_hsmi',
];
function parameterRules({ remove: remove2, keep }, usual = SESSION_AND_TRACKING_PARAMETERS) {
  const isGeneral = (option) => !option.includes('@');
  const kept = namesIn(keep.filter(isGeneral));
  const dropped = namesIn([...usual, ...remove2.filter(isGeneral)]);
  const keptOn = byHost(keep);
  const droppedOn = byHost(remove2);
  const special = keptOn.size > 0 || droppedOn.size > 0;
  const dropsNothing = dropped.exact.size === 0 && dropped.beginnings.length === 0;
  return {
    keepsAll: () => dropsNothing && droppedOn.size === 0,
    drops: (name, host) => {
      if (special) {
        const places = placesOf(host);
        if (places.some((place) => holds(keptOn.get(place), name))) return false;
        if (places.some((place) => holds(droppedOn.get(place), name))) return true;
      }
      return !holds(kept, name) && holds(dropped, name);
    },
    keeps: (name, host) => holds(kept, name) || placesOf(host).some((place) => holds(keptOn.get(place), name)),
  };
}
function namesIn(options) {
  const names = options.map((option) => option.toLowerCase());
  return {
    exact: new Set(names.filter((name) => !name.endsWith('*'))),
    beginnings: names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  };
}
function byHost(options) {
  const found2 = /* @__PURE__ */ new Map();
  for (const option of options) {
    const at = option.lastIndexOf('@');
    if (at === -1) continue;
    const place = placeOf(option.slice(at + 1));
    found2.set(place, [...(found2.get(place) ?? []), option.slice(0, at)]);
  }
  return new Map([...found2].map(([place, names]) => [place, namesIn(names)]));
}
function placeOf(host) {
  const below = host.startsWith('*.');
  const address = `http://${below ? host.slice(2) : host}/`;
  const name = parsedUrl(address)?.hostname ?? host.toLowerCase();
  return below ? `*.${name}` : name;
}
function placesOf(host) {
  const places = [host, `*.${host}`];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) places.push(`*${host.slice(dot)}`);
  return places;
}
function holds(names, name) {
  if (names === void 0) return false;
  return names.exact.has(name) || names.beginnings.some((beginning) => name.startsWith(beginning));
}

// src/model/url/canonical-url.ts
var URL_LENGTH_LIMIT = 2048;
var DEFAULT_URL_POLICY = {
  keepHashRoutes: true,
  parameters: parameterRules({ remove: [], keep: [] }),
};
var ALL_PARAMETERS = parameterRules({ remove: [], keep: [] }, []);
var INPUT_LENGTH_LIMIT = URL_LENGTH_LIMIT * 4;

// src/base/cut-text.ts
function cutText(text3, most) {
  if (text3.length <= most) return text3;
  return Buffer.from(text3.slice(0, most), 'utf16le').toString('utf16le');
}

// src/render/limits/details-limits.ts
var FONTS = 30;
var READ_MESSAGE = kibibytes(32);
var RECEIVED_LIMIT = kibibytes(1024);

// src/core/links/markup/tag-reader.ts
var RAW = new Set('script style textarea title xmp iframe noembed noframes'.split(' '));

// src/core/links/markup/markup-text.ts
var MARKUP_ATTRIBUTES = new Set(
  'title alt value content placeholder label summary aria-label aria-description tooltip uk-tooltip template html text body message caption v-html x-html ng-bind-html'.split(
    ' ',
  ),
);

// src/core/links/markup/dropped-markup.ts
var LEADING = /* @__PURE__ */ new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['frame', 'src'],
  ['iframe', 'src'],
  ['form', 'action'],
  ['button', 'formaction'],
  ['input', 'formaction'],
]);
var LEADERS = new Set(LEADING.keys());

// src/model/link-sources.ts
var anchor = { kind: 'anchor', form: 'url' };
var frame = { kind: 'frame', form: 'url' };
var form = { kind: 'form', form: 'url' };
var part = { kind: 'resource', form: 'url' };
var parts = { kind: 'resource', form: 'urls' };
var partList = { kind: 'resource', form: 'comma-urls' };
var srcset = { kind: 'resource', form: 'srcset' };
var named = { kind: 'attribute', form: 'url' };
var guarded = { kind: 'attribute', form: 'url', guarded: true };
var routed = { kind: 'attribute', form: 'url', guarded: true, route: true };
var guardedPart = { kind: 'resource', form: 'url', guarded: true };
var speculative = { kind: 'attribute', form: 'url', confidence: 'low', guarded: true };
var HTML = [
  ['a', 'href', anchor],
  ['area', 'href', { kind: 'area', form: 'url' }],
  ['link', 'href', { kind: 'link-element', form: 'url' }],
  ['link', 'imagesrcset', srcset],
  ['base', 'href', part],
  ['iframe frame', 'src', frame],
  ['iframe', 'srcdoc', { kind: 'frame', form: 'html' }],
  ['img iframe frame', 'longdesc', named],
  ['embed', 'src', part],
  ['embed', 'pluginspage', named],
  ['object', 'data', part],
  ['object applet', 'codebase', part],
  ['object applet', 'archive', partList],
  ['object', 'classid', part],
  ['object img input', 'usemap', part],
  ['applet', 'code', part],
  ['applet', 'object', part],
  ['img audio video source track input script xml bgsound', 'src', part],
  ['img source', 'srcset', srcset],
  ['img input', 'lowsrc', part],
  ['img input', 'dynsrc', part],
  ['video', 'poster', part],
  ['script', 'for', { ...speculative, kind: 'resource' }],
  ['layer ilayer', 'src', frame],
  ['form', 'action', form],
  ['button input', 'formaction', form],
  ['isindex', 'action', form],
  ['a area', 'ping', parts],
  ['a', 'urn', part],
  ['a area link img script iframe', 'attributionsrc', parts],
  ['blockquote q ins del', 'cite', named],
  ['body table thead tbody tfoot tr td th', 'background', part],
  ['head', 'profile', parts],
  ['html', 'manifest', part],
  ['meta', 'content', { kind: 'meta-refresh', form: 'refresh' }],
  ['param', 'value', { kind: 'resource', form: 'parameter' }],
  ['menuitem command', 'icon', part],
  ['div span', 'datasrc', part],
  ['*', 'itemid', guarded],
  ['*', 'about', speculative],
  ['*', 'resource', speculative],
  ['*', 'style', { kind: 'css', form: 'css' }],
  // libraries: htmx, Turbo, Unpoly, Angular, Vue, Alpine AJAX, unobtrusive jQuery
  ['*', 'hx-get', named],
  ['*', 'data-hx-get', named],
  ['*', 'hx-push-url', guarded],
  ['*', 'data-hx-push-url', guarded],
  ['*', 'hx-replace-url', guarded],
  ['*', 'data-hx-replace-url', guarded],
  ['*', 'hx-post', part],
  ['*', 'data-hx-post', part],
  ['*', 'hx-put', part],
  ['*', 'data-hx-put', part],
  ['*', 'hx-patch', part],
  ['*', 'data-hx-patch', part],
  ['*', 'hx-delete', part],
  ['*', 'data-hx-delete', part],
  ['*', 'ws-connect', guardedPart],
  ['*', 'sse-connect', guardedPart],
  ['*', 'ic-get-from', named],
  ['*', 'ic-push-url', guarded],
  ['*', 'up-href', named],
  ['*', 'up-source', guarded],
  ['*', 'up-back', guarded],
  ['*', 'ng-href', guarded],
  ['*', 'ng-src', guardedPart],
  ['*', 'routerlink', routed],
  ['*', 'ng-reflect-router-link', routed],
  ['turbo-frame include-fragment auto-complete details-menu remote-input', 'src', guarded],
  ['amp-list amp-state', 'src', guardedPart],
  ['router-link nuxt-link nuxtlink b-link v-btn v-list-item inertia-link app-link', 'to', routed],
  ['-', 'href', guarded],
  ['-', 'xlink:href', guarded],
  ['-', 'url', guarded],
  ['-', 'to', routed],
  ['-', 'link', guarded],
  ['-', 'action', speculative],
  ['-', 'src', guardedPart],
  ['-', 'srcset', srcset],
  ['-', 'poster', guardedPart],
  ['-', 'image', guardedPart],
  // attributes that authors write on elements where they mean nothing
  ['*', 'href', guarded],
  ['*', 'xlink:href', guarded],
  ['*', 'src', guardedPart],
];
var SVG = [
  ['a', 'href', anchor],
  ['a', 'xlink:href', anchor],
  ['a', 'ping', parts],
  ['*', 'href', part],
  ['*', 'xlink:href', part],
  ['script audio video source iframe', 'src', part],
  ['*', 'xlink:role', speculative],
  ['*', 'style', { kind: 'css', form: 'css' }],
  // presentation attributes whose value may be url(…)
  ...[
    'fill',
    'stroke',
    'filter',
    'mask',
    'clip-path',
    'cursor',
    'marker',
    'marker-start',
    'marker-mid',
    'marker-end',
  ].map((name) => ['*', name, { kind: 'css', form: 'css' }]),
];
var MATH = [
  ['*', 'href', anchor],
  ['*', 'xlink:href', anchor],
  ['mglyph annotation annotation-xml semantics', 'src', part],
  ['math', 'altimg', part],
  ['*', 'definitionurl', part],
  ['*', 'style', { kind: 'css', form: 'css' }],
];
function byAttribute(rows) {
  const table = /* @__PURE__ */ new Map();
  for (const [elements, attribute, source] of rows) {
    const sources2 = table.get(attribute) ?? /* @__PURE__ */ new Map();
    table.set(attribute, sources2);
    for (const element of elements.split(' ')) if (!sources2.has(element)) sources2.set(element, source);
  }
  return table;
}
var TABLE = {
  html: byAttribute(HTML),
  svg: byAttribute(SVG),
  math: byAttribute(MATH),
};
var LINK_ATTRIBUTES = new Set(Object.values(TABLE).flatMap((table) => [...table.keys()]));

// src/core/links/scripts/script-scanner.ts
var OPERATORS = new Set('return typeof case in of delete void throw new else do instanceof yield await'.split(' '));
var LONG_STARTS = new Set([...'=!+-*/%&|^<>?.'].map((sign) => sign.charCodeAt(0)));

// src/core/links/markup/unknown-attributes.ts
var KNOWN = new Set(
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt em embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image img input ins isindex kbd keygen label layer legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes nolayer noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp'.split(
    ' ',
  ),
);

// src/base/markup-events.ts
import { Parser } from 'htmlparser2';

// src/core/links/scripts/script-words.ts
var MEANINGS = new Map([
  ...words('declares', 'const let var'),
  ...words('names', 'function class'),
  ...words('changes', 'typeof delete void new await'),
  ...words(
    'ends',
    'return case in of throw else do instanceof yield default export import from extends if while for switch with try finally catch break continue async static',
  ),
]);
function words(meaning, list) {
  return list.split(' ').map((word) => [word, meaning]);
}

// src/core/links/texts/written-paths.ts
var CLOSING = new Set('.,;:!?*_~]');
var NO_PROSE = new Set('code kbd samp pre tt var a button textarea title option'.split(' '));

// src/core/links/scripts/script-addresses.ts
var MODULE_WORDS = new Set(
  'from import require importScripts define resolve concat createElementNS setAttributeNS hasAttributeNS getAttributeNS'.split(
    ' ',
  ),
);
var TEXT_WORDS = new Set(
  'startsWith endsWith includes indexOf lastIndexOf split replace replaceAll match test RegExp Error TypeError RangeError warn error log debug invariant warning'.split(
    ' ',
  ),
);

// src/render/limits/reading-limits.ts
var BODIES_TIME = milliseconds(2e3);
var PICTURE_LIMIT = seconds(8);
var MISSING_LIMIT = seconds(3);
var MISSING_ROUND_TIME = milliseconds(50);
var GROWN_TIME = milliseconds(300);
var FILE_TIME = seconds(10);
var WHOLE_TIME = seconds(30);
var UNPACKED_LIMIT = mebibytes(50);
var BODY_PIECE = kibibytes(256);

// src/core/answers/judge-answer.ts
var DOCUMENT_LIMIT = mebibytes(15);
var HEADER_LIMIT = kibibytes(64);
var HEADER_FIELD_LIMIT = kibibytes(8);

// src/core/answers/notice.ts
var NOTICE_LIMIT = kibibytes(64);
var NOTICE_TIME = seconds(3);

// src/core/links/data/sitemap.ts
var SITEMAP_BYTE_LIMIT = mebibytes(50);

// src/core/links/texts/text-urls.ts
var LENGTH = 2048;
var CLOSING2 = new Set(`.,;:!?'"\xBB\u201D\u2019*_`);
var TARGET = new RegExp(`\\(\\s*<?([^\\s()<>]{1,${LENGTH}})|:[ \\t]*<?([^\\s<>]{1,${LENGTH}})`, 'y');

// src/core/links/catalogue.ts
var FILE_LIMIT = mebibytes(5);
var PDF_LIMIT = mebibytes(16);
var PICTURE_LIMIT2 = kibibytes(256);

// src/render/extract/read-body.ts
import { promisify as promisify2 } from 'node:util';
import { constants as constants4, gunzip } from 'node:zlib';
var gunzipped = promisify2(gunzip);

// src/render/limits/idle-limits.ts
var UNREAD_BODY_AFTER = milliseconds(500);
var UNKNOWN_BODY_AFTER = milliseconds(2500);
var AFTER_HELD_BACK = milliseconds(1e3);
var AFTER_ANSWERS = milliseconds(2500);
var REAL_TICK = milliseconds(100);
var REAL_QUIET = milliseconds(500);
var FRAME_INTERVAL = milliseconds(17);
var OWN_FRAME_LIMIT = milliseconds(1e3);
var IDLE_TIME = milliseconds(10);
var REAL_ROUND = milliseconds(50);
var REAL_ROUNDS_LIMIT = seconds(3);
var SOCKET_QUIET = milliseconds(800);
var WORKER_QUIET = milliseconds(1200);
var VIRTUAL_TICK = milliseconds(20);
var IDLE_TICK = milliseconds(60);
var GIVE_WAY_AFTER = milliseconds(150);
var REMOTE_ANSWER = milliseconds(500);
var REMOTE_PATIENCE = milliseconds(1500);
var REMOTE_ADVANCE = milliseconds(500);
var LOAD_STEP = milliseconds(50);
var LATE_TICK = milliseconds(8);
var ADVANCE_LIMIT = milliseconds(1500);
var AFTERMATH = milliseconds(300);
var LATE_AFTERMATH = milliseconds(1e3);
var SPIN_LOOK = milliseconds(500);
var DRAWN_STEP = milliseconds(1e3);
var MORE_STEP = milliseconds(250);
var ANIMATED_STEP = milliseconds(300);
var ANIMATED_TIME = milliseconds(120);
var FRAME_STEP = milliseconds(17);
var HANG_MEMORY = minutes(10);
var LEAST_HANG = milliseconds(2500);
var LEAST_OPENING = milliseconds(1200);
var CONTENT_STEP = milliseconds(2500);
var CONTENT_WAIT = seconds(8);
var HUNG_AFTER = milliseconds(600);
var UNREAD_AFTER = milliseconds(200);
var KNOWN_UNREAD_AFTER = milliseconds(60);
var SELECTOR_STEP = milliseconds(500);
var REAL_SELECTOR_STEP = milliseconds(100);

// src/render/page/page-watch.ts
var BUFFERS = {
  maxTotalBufferSize: mebibytes(8),
  maxResourceBufferSize: mebibytes(1),
  maxPostDataSize: kibibytes(16),
};

// src/render/generated/collect.ts
var SOURCE2 =
  '(input)=>{"use strict";var entry=(()=>{var Ae=Object.defineProperty;var Pr=Object.getOwnPropertyDescriptor;var Dr=Object.getOwnPropertyNames;var Ir=Object.prototype.hasOwnProperty;var $r=(t,e)=>{for(var n in e)Ae(t,n,{get:e[n],enumerable:!0})},Hr=(t,e,n,r)=>{if(e&&typeof e=="object"||typeof e=="function")for(let o of Dr(e))!Ir.call(t,o)&&o!==n&&Ae(t,o,{get:()=>e[o],enumerable:!(r=Pr(e,o))||r.enumerable});return t};var _r=t=>Hr(Ae({},"__esModule",{value:!0}),t);var Za={};$r(Za,{run:()=>Qa});var jr=/^(?:all|none|(?:no)?index|(?:no)?follow|(?:no)?archive|nocache|(?:no)?snippet|(?:no)?odp|noydir|notranslate|(?:no)?imageindex|indexifembedded|noai|noimageai|max-(?:snippet|image-preview|video-preview)\\s*:.*|unavailable_after\\s*:.*)$/;function Tt(t,e){let n=t.trim().toLowerCase(),r=n==="robots";if(!r&&!/^[a-z_-]{1,50}$/.test(n))return[];let o=e.toLowerCase().split(",").map(s=>s.trim()).filter(s=>s!=="");return r?o:o.length===0||!o.every(s=>jr.test(s))?[]:o.map(s=>`${n}: ${s}`)}function h(t,e){let n=Object.getOwnPropertyDescriptor(t,e)?.get;if(!n)throw new TypeError(`no accessor ${e}`);return r=>n.call(r)}var R=h(Element.prototype,"localName"),oe=h(Element.prototype,"namespaceURI"),Nt=h(Element.prototype,"shadowRoot"),se=h(Element.prototype,"outerHTML"),ie=h(Element.prototype,"scrollHeight"),k=h(Node.prototype,"textContent"),C=h(Node.prototype,"baseURI"),D=h(Document.prototype,"documentElement"),At=h(Document.prototype,"body"),Ot=h(Document.prototype,"title"),ae=h(Document.prototype,"doctype"),Ct=h(Document.prototype,"cookie"),Mt=h(Document.prototype,"contentType"),Pt=h(Document.prototype,"readyState"),Dt=h(Document.prototype,"characterSet"),Oe=h(HTMLAnchorElement.prototype,"href"),Ce=h(Document.prototype,"scrollingElement"),It=h(HTMLElement.prototype,"innerText"),$t=h(HTMLIFrameElement.prototype,"contentDocument"),Ht=h(HTMLMediaElement.prototype,"currentSrc"),_t=h(Node.prototype,"isConnected"),jt=h(HTMLTemplateElement.prototype,"content"),Ur=h(Document.prototype,"styleSheets"),Br=h(ShadowRoot.prototype,"styleSheets"),Fr=h(Document.prototype,"adoptedStyleSheets"),Gr=h(ShadowRoot.prototype,"adoptedStyleSheets"),{getAttribute:Wr}=Element.prototype,{setAttribute:zr,getAttributeNames:Kr,closest:qr,matches:Jr}=Element.prototype,{createElementNS:Vr,createNodeIterator:Xr,querySelectorAll:Yr}=Document.prototype,{querySelectorAll:Qr}=DocumentFragment.prototype,{querySelectorAll:Zr}=Element.prototype;function d(t,e){return Wr.call(t,e)}function Ut(t){return Kr.call(t)}function _(t,e){return qr.call(t,e)}function Me(t,e){return Jr.call(t,e)}function q(t,e){return Xr.call(document,t,e)}function Pe(t){return t instanceof Document?Ur(t):Br(t)}function De(t){return t instanceof Document?Fr(t):Gr(t)}function Bt(t){try{let e=Reflect.get(Document,"parseHTML"),n=typeof e=="function"?Reflect.apply(e,Document,[t,{sanitizer:{}}]):new DOMParser().parseFromString(t,"text/html");return n instanceof Document?n:null}catch{return null}}function Ft(){let t=Vr.call(document,"http://www.w3.org/1999/xhtml","a");if(t instanceof HTMLAnchorElement)return t;throw new TypeError("no anchor")}function Gt(t,e){zr.call(t,"href",e);let n=Oe(t);return URL.canParse(n)?n:null}function p(t,e){return t instanceof Document?Yr.call(t,e):t instanceof Element?Zr.call(t,e):Qr.call(t,e)}function M(t,e){return t.slice(0,e*8).replace(/\\s+/g," ").trim().slice(0,e)}var eo=200;function Wt(){let t=globalThis.orbweaverAsked??0;globalThis.orbweaverAsked=t+1;let e=requestAnimationFrame(()=>{});cancelAnimationFrame(e);let n=requestIdleCallback(()=>{});return cancelIdleCallback(n),{frames:Math.max(0,e-t-1-(globalThis.orbweaverFrames??0)),idles:Math.max(0,n-t-1-(globalThis.orbweaverIdle?.asked??0)),animations:Document.prototype.getAnimations.call(document).slice(0,eo).filter(to).length}}function to(t){if(t.playState!=="running")return!1;let e=t.effect?.getComputedTiming().endTime;return typeof e=="number"&&Number.isFinite(e)}var ll=new Set("audio embed feimage frame iframe image img input link object script source track use video".split(" ")),no="href src srcset imagesrcset data poster action background style xlink:href".split(" ");function ro(){return globalThis.orbweaverBases??={elements:new WeakMap,sheets:new WeakMap,read:new WeakSet,lately:[],changes:0,looked:0},globalThis.orbweaverBases}function zt(t){let e=ro();oo(e),e.lately=t}function oo(t){for(let e of t.lately)t.read.add(e);t.lately=[]}function B(t){let e=globalThis.orbweaverBases,n=e===void 0||e.changes===0?void 0:e.elements.get(t);return n===void 0||n.names!==so(t)?null:n.base}function Kt(t){return globalThis.orbweaverBases?.sheets.get(t)??null}function Ie(t,{href:e,context:n},r){if(n.endsWith("@poster"))return r;let o=_(t,"audio,video");return o===null||!(o instanceof HTMLMediaElement)||URL.canParse(e,r)&&new URL(e,r).href===Ht(o)?r:null}function I(t,e){return e===null||t.href===""||t.href.startsWith("#")?t:{...t,base:e}}function so(t){return no.map(e=>d(t,e)??"").join(`\n`)}var J=1e3,$e=8192,io=50,ao=50,lo=200,co="img,picture,svg,canvas,video,audio,iframe,frame,object,embed,input,button,select,textarea,form,area[href],a[href]";function Jt(){let t=D(document),e=performance.getEntriesByType("navigation")[0];return{url:location.href.slice(0,$e),title:M(Ot(document),J),description:go(\'meta[name="description" i]\'),canonical:ho(),lang:t===null?null:d(t,"lang")?.slice(0,100)??null,h1:qt("h1",io,n=>M(k(n)??"",J)).filter(n=>n!==""),robots:qt("meta[name][content]",lo,n=>Tt(d(n,"name")??"",(d(n,"content")??"").slice(0,J))).flat().slice(0,ao),contentType:Mt(document),bytes:e instanceof PerformanceNavigationTiming?e.decodedBodySize:0,pageClock:uo(),cookies:fo(),parsing:Pt(document)==="loading",scripted:mo(),shows:Document.prototype.querySelector.call(document,co)!==null,activity:Wt()}}function uo(){let{domLoading:t}=performance.timing;return performance.now()-Math.max(0,t-performance.timeOrigin)}function fo(){try{return Ct(document).length}catch{return 0}}function mo(){for(let t of p(document,"script")){let e=(d(t,"type")??"").trim().toLowerCase();if(e===""||e==="module"||/(?:java|ecma)script/.test(e))return!0}return p(document,\'[onload],[onscroll],[loading="lazy"]\').length>0}function qt(t,e,n){let r=p(document,t),o=[];for(let s=0;s<r.length&&s<e;s++){let i=r[s];i!==void 0&&o.push(n(i))}return o}function po(t,e,n){let r=p(document,t)[0];return r===void 0?null:d(r,e)?.trim().slice(0,n)??null}function ho(){let t=p(document,\'link[rel~="canonical" i][href]\')[0];if(t===void 0)return null;let e=d(t,"href")?.trim().slice(0,$e)??"",n=B(t);return n===null||!URL.canParse(e,n)?e:new URL(e,n).href.slice(0,$e)}function go(t){let e=po(t,"content",J*8);return e===null?null:M(e,J)}function V(t){try{return JSON.parse(t)}catch{return}}function*j(t){let e=[{value:t,key:"",above:"",depth:0}],n=0;for(let r=e.pop();r!==void 0&&n<1e5;r=e.pop(),n++){let{value:o,key:s,above:i,depth:a}=r;if(typeof o=="string"&&(yield{text:o,key:s,above:i}),typeof o!="object"||o===null||a>=100)continue;let l=Array.isArray(o)?o.map(c=>({value:c,key:s,above:i,depth:a+1})):Object.entries(o).map(([c,f])=>({value:f,key:c,above:s,depth:a+1}));for(let c of l.reverse())e.push(c)}}function u(t,e,n,r="high"){let o={href:t.slice(0,8192),kind:e,context:n.slice(0,100),text:"",rel:""};return r==="low"?{...o,confidence:r}:o}function v(t,e){try{return new URL(t,e)}catch{return null}}var He=2048,bo=/\\.(?:m?js|cjs|jsx|tsx?|vue|svelte|css|s[ac]ss|less|styl|map|json5?|wasm|png|jpe?g|jfif|gif|svgz?|webp|avif|bmp|ico|cur|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gav]|wav|flac|mov|avi|m3u8|mpd|vtt|glsl|frag|vert|gltf|glb|hdr|bin|dat|node|lock|ya?ml|toml|webmanifest)$/i,yo=/\\.(?:html?|xhtml|shtml|php\\d?|phtml|aspx?|jspx?|cfm|do|cgi|pl)$/i,ko=/^[\\w\\-.~%!@+,=&?#/:\\u0080-\\uffff]+$/,wo=/^\\/(?:_|@(?:vite|fs|id|react-refresh)\\b|sockjs-node|node_modules\\/|usr\\/|Users\\/|proc\\/|etc\\/|tmp\\/|mnt\\/|9j\\/)|\\/[:@]?:|\\/\\.\\.?(?:\\/|$)|\\.\\.\\.|\\/[^/]*@\\w+\\//,So=/^\\/(?:y{2,4}|Y{2,4}|M{1,4}|d{1,4}|D{1,4}|H{1,2}|h{1,2}|mm?|ss?|mo|month|wk|week|day|yr|year|hr|hour|sec|min)(?:\\/|$)/,Lo=/^https?:\\/\\/(?:www\\.w3\\.org\\/(?:\\d{4}|XML|TR|ns|Graphics)\\/|schemas\\.|ns\\.adobe\\.com|purl\\.org\\/|xmlns\\.|json-schema\\.org|schema\\.org\\/?|www\\.sitemaps\\.org\\/schemas|(?:react(?:js)?\\.(?:org|dev)|reactrouter\\.com|vuejs\\.org|angular\\.(?:io|dev)|g\\.co\\/ng|fb\\.me|nextjs\\.org|redux\\.js\\.org|mui\\.com|feross\\.org|mths\\.be)(?:\\/|$))/i;function Vt(t){if(t.length>He)return!1;let e=/^(?:https?:)?\\/\\/([^/?#\\s]+)((?:[/?#][^\\s]*)?)$/i.exec(t);if(e===null)return!1;let[,n="",r=""]=e;if(/[<>"\'`\\\\{}|^*$[\\];]/.test(r)||Yt(t)||Qt(r)||/\\/:[a-z]/i.test(r)||!/^[a-z\\d](?:[a-z\\d-]*[a-z\\d])?(?:\\.[a-z\\d](?:[a-z\\d-]*[a-z\\d])?)*\\.?(?::\\d{1,5})?$/i.test(n))return!1;let o=n.replace(/:\\d+$/,"").toLowerCase();return t.startsWith("//")&&!/\\.[a-z]{2,}$/.test(o)||!/\\.(?:[a-z]{2,}|xn--[a-z\\d-]+)$/.test(o)&&!/^(?:\\d+\\.){3}\\d+$/.test(o)&&o!=="localhost"?!1:!Lo.test(t)&&v(t,"http://base.invalid/")!==null}function P(t){return t.length>He||t.length<3?!1:/^#!?\\//.test(t)?P(t.replace(/^#!?/,"")):t[0]!=="/"||t[1]==="/"||!Xt(t)?!1:!wo.test(t)&&!So.test(t)}function T(t){if(t.length>He||!/^(?:\\.{0,2}\\/)*[\\p{L}\\d]/u.test(t)||!Xt(t))return!1;let e=_e(t);return/\\/\\/|:/.test(e)?!1:yo.test(e)||/^\\.{1,2}\\//.test(t)&&e.endsWith("/")&&!/node_modules/.test(e)}function g(t){return bo.test(_e(t))}function Xt(t){return!ko.test(t)||!new RegExp("\\\\p{L}","u").test(t)||Qt(t)||Yt(t)?!1:!_e(t).split("/").some(Eo)}function Eo(t){return t.length>60&&!/[-_.%\\u0080-\\uffff]/.test(t)&&/\\d/.test(t)&&/[A-Z]/.test(t)}function Yt(t){return/[=&?#+,:@!~]$|\\/\\.$/.test(t)}function Qt(t){return/%(?![\\da-f]{2})/i.test(t)}function _e(t){return t.split(/[?#]/,1)[0]??""}var xo=/^\\/(?:[^/]+\\/)?(?:api|apis|rest|graphql|gql|rpc|trpc|ajax|xmlrpc|wp-json|oauth2?|socket\\.io|signalr|v\\d{1,2})(?:[/?.]|$)/i,Ro=/(?:^|[/_\\-.=?&])(?:log-?_?(?:out|off)|sign-?_?(?:out|off)|delete|destroy|remove|erase|purge|unsubscribe|deactivate|revoke|cancel|buy|checkout|pay|purchase|order-?now|send|publish|vote|upvote|downvote|like|unlike|follow|unfollow|report-?abuse|add-?to-?cart|reset)(?:$|[/_\\-.=?&\\d])/i;function X(t){let e=t.replace(/^#!?/,"").replace(/^(?:https?:)?\\/\\/[^/?#]*/i,"");return xo.test(e)||Ro.test(e)}var je=2048,Ue=/[\\s<>{}|\\\\^`"\'$*]|\\[\\[|\\/:[a-z]|%(?![\\da-f]{2})/i,vo=/^https?:\\/\\/[^\\s/?#.:]/i,To=/^(?:https?:\\/\\/[^\\s/?#.:]|\\/\\/[^\\s/?#]+\\.[a-z]{2,}|\\/(?![/*])|\\.{1,2}\\/|\\?[\\w%.[\\]-]+(?:=|&|$)|#!?\\/)/i;function w(t){return t.length<=je&&To.test(t)&&!Ue.test(t)}function N(t){return w(t)||T(t)&&!Ue.test(t)}function A(t){return t.length<=je&&vo.test(t)&&!Ue.test(t)&&v(t)!==null}function $(t){return t.length<=je&&new RegExp(`^\\\\/\\\\p{L}[\\\\p{L}\\\\p{N}_-]*(?:[/.][\\\\p{L}\\\\p{N}_%-]+)*\\\\/?(?:\\\\?[^\\\\s#"\'<>(){}\\\\\\\\^|]+)?$`,"u").test(t)&&!No(t)}function b(t){return t===""||t.startsWith("#")||/^(?:data|blob|about|javascript|filesystem|cid):/i.test(t)}function O(t){return X(t)}function No(t){return/^\\/(?:text|image|audio|video|font|application)\\/[\\w.+-]+$/.test(t)}var Zt=4*1024*1024,Y=1e3,Ao=/^(?:url|@id|mainEntityOfPage|sameAs|item|target|urlTemplate|isPartOf|breadcrumb|significantLink|relatedLink|discussionUrl|archivedAt|license|codeRepository|citation|hasPart|itemListElement|subjectOf|installUrl|downloadUrl|trackingUrl|paymentUrl|acceptsReservations|hasMenu|menu|mainEntity|about|publishingPrinciples|usageInfo|acquireLicensePage|affiliation|author|creator|publisher|potentialAction|workExample|exampleOfWork|isBasedOn|map|hasMap|ticketToken|applyUrl|merchantReturnLink|parentOrganization|.*[Uu]rl|.*[Ll]ink)$/,Be=/^(?:image|images|logo|photo|photos|contentUrl|thumbnail|thumbnailUrl|embedUrl|screenshot|primaryImageOfPage|associatedMedia|audio|video|encoding|icon|track|image_url)$/,en=/^https?:\\/\\/(?:www\\.)?schema\\.org\\/?(?:[A-Za-z]*)$/;function tn(t,e){return t==="importmap"?Po(e):t==="speculationrules"?Do(e):/^application\\/(?:[\\w.-]+\\+)?ld\\+json$/.test(t)?Co(e):/[/+]json$/.test(t)||t==="application/json5"?Io(e,`script[${t}]`):null}function le(t){if(t.length>Zt||!/[/.]/.test(t))return;let e=t.trim().replace(/^(?:<!--|\\/\\*\\s*<!\\[CDATA\\[\\s*\\*\\/|\\/\\/\\s*<!\\[CDATA\\[|<!\\[CDATA\\[)/,"");return V(Oo(e))}function Oo(t){let e=t.trimEnd();if(e.endsWith(";")&&(e=e.slice(0,-1).trimEnd()),e.endsWith("-->"))return e.slice(0,-3);let n=e.endsWith("*/")?e.slice(0,-2).trimEnd():e;if(!n.endsWith("]]>"))return t;let r=n.slice(0,-3),o=r.trimEnd();return n!==e?o.endsWith("/*")?o.slice(0,-2):t:o.endsWith("//")?o.slice(0,-2):r}function Co(t){let e=le(t);if(e===void 0)return Mo(t);let n=new Map;for(let r of j(e)){let o=nn(r);if(o!==null&&!n.has(`${o.kind} ${o.href}`)&&n.set(`${o.kind} ${o.href}`,o),n.size>=Y)break}return[...n.values()]}function nn({text:t,key:e,above:n}){let r=t.trim();return e==="@context"||e==="@type"||e==="@vocab"||n==="@context"||en.test(r)||r.startsWith("#")||b(r)||!N(r)&&!(Be.test(e)&&g(r)&&!/\\s/.test(r))?null:Be.test(e)||Be.test(n)||g(r)?u(r,"resource","json-ld"):Ao.test(e)?u(r,"json","json-ld"):A(r)?u(r,"json","json-ld","low"):null}function Mo(t){if(t.length>Zt)return[];let e=new Map;for(let[,n="",r=""]of t.matchAll(/"([@\\w]{1,40})"\\s*:\\s*"([^"\\\\\\n]{1,2048})"/g)){let o=nn({text:r,key:n,above:""});if(o!==null&&e.set(`${o.kind} ${o.href}`,o),e.size>=Y)break}return[...e.values()]}function Po(t){let e=new Set;for(let{text:n,above:r}of j(le(t)))if(r!=="integrity"&&/^(?:https?:|\\.{0,2}\\/)/.test(n)&&!n.endsWith("/")&&e.add(n),e.size>=Y)break;return[...e].map(n=>u(n,"resource","importmap"))}function Do(t){let e=new Set;for(let{text:n,key:r}of j(le(t)))if(r==="urls"&&n.trim()!==""&&e.add(n.trim()),e.size>=Y)break;return[...e].map(n=>u(n,"script","speculationrules"))}function Io(t,e){let n=new Set;for(let{text:r}of j(le(t)))if((A(r)||$(r))&&!g(r)&&!en.test(r)&&n.add(r),n.size>=Y)break;return[...n].map(r=>u(r,O(r)?"resource":"json",e,"low"))}var $o=/^\\s*data:(text\\/html|application\\/xhtml\\+xml|image\\/svg\\+xml)((?:;[^,;]{1,100}){0,10}),/i;function rn(t){if(!/^\\s*data:/i.test(t.slice(0,100))||t.length>2e6)return null;let e=$o.exec(t.slice(0,2e3));if(e===null)return null;let n=t.slice(e[0].length);return/;\\s*base64\\s*$/i.test(e[2]??"")?Ho(n):on(n)}function on(t){try{return decodeURIComponent(t)}catch{return t}}function Ho(t){let e=on(t).replaceAll(/[\\s]/g,"");if(!/^[\\w+/-]*={0,2}$/.test(e))return null;try{let n=Uint8Array.from(atob(e),r=>r.charCodeAt(0));return new TextDecoder().decode(n)}catch{return null}}var _o=/^https?:\\/\\/(?:[\\w-]+\\.)*(?:w3\\.org|ietf\\.org|netscape\\.com|wapforum\\.org|openmobilealliance\\.org|oasis-open\\.org)\\//i;function sn(t){let e=t.trim();return!w(e)||_o.test(e)?null:u(e,"resource","doctype")}var Z={kind:"anchor",form:"url"},an={kind:"frame",form:"url"},Fe={kind:"form",form:"url"},m={kind:"resource",form:"url"},ue={kind:"resource",form:"urls"},jo={kind:"resource",form:"comma-urls"},Ge={kind:"resource",form:"srcset"},U={kind:"attribute",form:"url"},S={kind:"attribute",form:"url",guarded:!0},ce={kind:"attribute",form:"url",guarded:!0,route:!0},H={kind:"resource",form:"url",guarded:!0},Q={kind:"attribute",form:"url",confidence:"low",guarded:!0},Uo=[["a","href",Z],["area","href",{kind:"area",form:"url"}],["link","href",{kind:"link-element",form:"url"}],["link","imagesrcset",Ge],["base","href",m],["iframe frame","src",an],["iframe","srcdoc",{kind:"frame",form:"html"}],["img iframe frame","longdesc",U],["embed","src",m],["embed","pluginspage",U],["object","data",m],["object applet","codebase",m],["object applet","archive",jo],["object","classid",m],["object img input","usemap",m],["applet","code",m],["applet","object",m],["img audio video source track input script xml bgsound","src",m],["img source","srcset",Ge],["img input","lowsrc",m],["img input","dynsrc",m],["video","poster",m],["script","for",{...Q,kind:"resource"}],["layer ilayer","src",an],["form","action",Fe],["button input","formaction",Fe],["isindex","action",Fe],["a area","ping",ue],["a","urn",m],["a area link img script iframe","attributionsrc",ue],["blockquote q ins del","cite",U],["body table thead tbody tfoot tr td th","background",m],["head","profile",ue],["html","manifest",m],["meta","content",{kind:"meta-refresh",form:"refresh"}],["param","value",{kind:"resource",form:"parameter"}],["menuitem command","icon",m],["div span","datasrc",m],["*","itemid",S],["*","about",Q],["*","resource",Q],["*","style",{kind:"css",form:"css"}],["*","hx-get",U],["*","data-hx-get",U],["*","hx-push-url",S],["*","data-hx-push-url",S],["*","hx-replace-url",S],["*","data-hx-replace-url",S],["*","hx-post",m],["*","data-hx-post",m],["*","hx-put",m],["*","data-hx-put",m],["*","hx-patch",m],["*","data-hx-patch",m],["*","hx-delete",m],["*","data-hx-delete",m],["*","ws-connect",H],["*","sse-connect",H],["*","ic-get-from",U],["*","ic-push-url",S],["*","up-href",U],["*","up-source",S],["*","up-back",S],["*","ng-href",S],["*","ng-src",H],["*","routerlink",ce],["*","ng-reflect-router-link",ce],["turbo-frame include-fragment auto-complete details-menu remote-input","src",S],["amp-list amp-state","src",H],["router-link nuxt-link nuxtlink b-link v-btn v-list-item inertia-link app-link","to",ce],["-","href",S],["-","xlink:href",S],["-","url",S],["-","to",ce],["-","link",S],["-","action",Q],["-","src",H],["-","srcset",Ge],["-","poster",H],["-","image",H],["*","href",S],["*","xlink:href",S],["*","src",H]],Bo=[["a","href",Z],["a","xlink:href",Z],["a","ping",ue],["*","href",m],["*","xlink:href",m],["script audio video source iframe","src",m],["*","xlink:role",Q],["*","style",{kind:"css",form:"css"}],...["fill","stroke","filter","mask","clip-path","cursor","marker","marker-start","marker-mid","marker-end"].map(t=>["*",t,{kind:"css",form:"css"}])],Fo=[["*","href",Z],["*","xlink:href",Z],["mglyph annotation annotation-xml semantics","src",m],["math","altimg",m],["*","definitionurl",m],["*","style",{kind:"css",form:"css"}]];function We(t){let e=new Map;for(let[n,r,o]of t){let s=e.get(r)??new Map;e.set(r,s);for(let i of n.split(" "))s.has(i)||s.set(i,o)}return e}var ln={html:We(Uo),svg:We(Bo),math:We(Fo)};function cn(t,e,n){let r=ln[t].get(n);if(r===void 0)return null;let o=r.get(e);if(o!==void 0)return o;if(t==="html"&&e.includes("-")){let s=r.get("-");if(s!==void 0)return s}return r.get("*")??null}var un=new Set(Object.values(ln).flatMap(t=>[...t.keys()]));function fe(t,e,n){return`${t==="html"?"":`${t}:`}${e}/@${n}`.slice(0,100)}var Go=new Map([["http://www.w3.org/2000/svg","svg"],["http://www.w3.org/1998/Math/MathML","math"]]);function fn(t){return Go.get(t)??"html"}function de(t,e,n){if(t[0]!=="/"||t[1]==="/")return[t];let r=Wo(e);if(r!==null)return[dn(r,t)];let o=Ke(e);return o==="/"||n?[t]:[dn(o,t),t]}function Wo({base:t,isBaseSaid:e,router:n}){return n!==null?n.endsWith("/")?n:`${n}/`:e?ze(t):null}function Ke({base:t,script:e}){let[n,r]=[v(t),e===null?null:v(e)];if(n===null||r===null||n.origin!==r.origin)return"/";let[o,s]=[ze(t).split("/"),ze(r.href).split("/")],i=0;for(;i<o.length-1&&o[i]===s[i];)i+=1;return`${o.slice(0,i).join("/")}/`}function ze(t){let{pathname:e="/"}=v(t)??{};return e.slice(0,e.lastIndexOf("/")+1)}function dn(t,e){return e.startsWith(t)||`${e}/`===t?e:t+e.slice(1)}function qe(t,e,n){let{kind:r,context:o,confidence:s="high",text:i="",rel:a=[]}=n;return{href:t,base:e,resolved:null,kind:r,confidence:s,context:o,stage:"load",frame:null,text:i,rel:a}}var zo=1e3,Ko=4096,qo=/\\/\\*|["\']|@import(?=\\s)|\\b(?:url|src)\\(/gi,Je=/(?:url|src)\\(/iy,Ve=/[\\da-f]{1,6}\\s?/iy,Xe=/\\s*/y;function mn(t,e){let n=new Map;for(let{written:r,context:o}of Jo(t)){let s=Qo(r).trim();if(s===""||s.startsWith("#")||s.length>Ko||/^(?:data|about|blob|javascript):/i.test(s))continue;let i=`${o} ${s}`;if(n.has(i)||n.set(i,qe(s,e,{kind:"css",context:o})),n.size>=zo)break}return[...n.values()]}function*Jo(t){let e=new RegExp(qo),n=new Qe(t);for(let r=e.exec(t);r!==null;r=e.exec(t)){let[o]=r,s=e.lastIndex;if(o==="/*")s=Vo(t,s);else if(o===\'"\'||o==="\'")s=n.end(r.index)??s;else{let i=o.startsWith("@"),a=i?Ye(t,s):r.index,l=i?n.end(a):null,c=l===null?Xo(t,a,n):{from:a+1,to:l-1,end:l};if(c!==null){let f=i?"@import":"url()";yield{written:t.slice(c.from,c.to),context:f},s=c.end}}if(s===null)return;e.lastIndex=s}}function Vo(t,e){let n=t.indexOf("*/",e);return n===-1?null:n+2}function Xo(t,e,n){if(Je.lastIndex=e,!Je.test(t))return null;let r=Ye(t,Je.lastIndex),o=n.end(r),s=o??Yo(t,r),i=Ye(t,s);return t[i]!==")"?null:{...o===null?{from:r,to:s}:{from:r+1,to:s-1},end:i+1}}function Yo(t,e){let n=e;for(;n<t.length;){let r=t[n]??"";if(r==="\\\\"){if(n+1>=t.length)break;Ve.lastIndex=n+1,n=Ve.test(t)?Ve.lastIndex:n+2}else{if(/[\\s"\'()]/.test(r))break;n+=1}}return n}function Ye(t,e){return Xe.lastIndex=e,Xe.test(t),Xe.lastIndex}var Qe=class{#t;#n=new Map;constructor(e){this.#t=e}end(e){let n=this.#t,r=n[e];if(r!==\'"\'&&r!=="\'"||e<(this.#n.get(r)??0))return null;let o=e+1;for(;o<n.length;o+=1){let s=n[o];if(s==="\\\\")o+=1;else{if(s===r)return o+1;if(s===`\n`)break}}return this.#n.set(r,o),null}};function Qo(t){return t.includes("\\\\")?t.replaceAll(/\\\\(?:([\\da-f]{1,6})\\s?|\\r?\\n|([\\s\\S]))/gi,(e,n,r)=>{if(n===void 0)return r??"";let o=Number.parseInt(n,16);return o>0&&o<=1114111&&!(o>=55296&&o<=57343)?String.fromCodePoint(o):"\\uFFFD"}):t}function me(t){let e=[],n=0;for(;e.length<200;){for(;n<t.length&&(pn(t.charCodeAt(n))||t[n]===",");)n+=1;if(n>=t.length)break;let r=n;for(;n<t.length&&!pn(t.charCodeAt(n));)n+=1;let o=n;for(;o>r&&t[o-1]===",";)o-=1;o>r&&e.push(t.slice(r,o)),o===n&&(n=Zo(t,n))}return e}function Zo(t,e){let n=!1;for(let r=e;r<t.length;r+=1){let o=t[r];if(o==="(")n=!0;else if(o===")")n=!1;else if(o===","&&!n)return r+1}return t.length}function pn(t){return t===32||t===9||t===10||t===12||t===13}var es=2e5,ts=200,ns=/(?:^|[-_.:])(?:src|srcset|lazy|lazysrc|lazyload|bg|background|poster|img|image|images|thumb|thumbnail|icon|photo|picture|original|hires|retina|zoom|video|audio|mp4|webm|media|sprite|avatar|logo|echo|parallax|flickity)(?:$|[-_.:\\d])|(?:src|srcset|image|img|poster|thumb|background)$/,rs=/(?:^|[-_.:])(?:href|hrefs|url|urls|link|links|to|permalink|route|path|pathname|uri|page|goto|go|location|redirect|next|prev|previous|target|remote|pjax|load|fetch|visit|ajax|navigate|destination|dest|share|canonical|clickthrough|click)$|(?:href|url|uri|permalink|link)$/,os=/(?:^|[-_.:])(?:post|delete|destroy|remove|logout|signout|vote|like|unlike|follow|unfollow|buy|cart|save|update|create|submit|upload|track|tracking|beacon|ping|csrf|api|endpoint|action|ws|websocket|socket|stream)(?:$|[-_.:])/;function gn(t,e,n){let r=n.trim();if(r.length<2&&r!=="/")return[];let o=r[0],s=e.slice(5),i=`${t}/@${e}`;return o==="{"||o==="["?ls(r,i):/[/.?#]/.test(r)?ns.test(s)?is(s,r,i):b(r)&&!/^#!?\\//.test(r)?[]:os.test(s)&&w(r)?[u(r,"resource",i,"low")]:rs.test(s)&&N(r)?[ss(s,r,i)]:!A(r)&&!$(r)?[]:[u(r,g(r)||O(r)?"resource":"attribute",i,"low")]:[]}function ss(t,e,n){return g(e)?u(e,"resource",n):O(e)&&!/(?:href|link|page)$/.test(t)?u(e,"resource",n,"low"):u(e,"attribute",n)}function is(t,e,n){if(/srcset/.test(t))return me(e).filter(hn).map(o=>u(o,"resource",n));let r=as(e)??e;return hn(r)?[u(r,"resource",n)]:[]}function as(t){if(!/^url\\(/i.test(t))return null;let e=t.slice(4).trimStart(),n=e[0]===\'"\'||e[0]==="\'"?1:0,r=e.slice(n).search(/["\')]/)+n;return r<=n?null:(e[r]===")"?e.slice(r):e.slice(r+1).trimStart()).startsWith(")")?e.slice(n,r):null}function hn(t){return!b(t)&&(w(t)||g(t)&&!/\\s/.test(t))}function ls(t,e){if(t.length>es||!t.includes("/"))return[];let n=V(t);if(n===void 0)return[];let r=new Set;for(let{text:o}of j(n))if((A(o)||$(o))&&!g(o)&&r.add(o),r.size>=ts)break;return[...r].map(o=>u(o,O(o)?"resource":"attribute",e,"low"))}var cs=new Set("return typeof case in of delete void throw new else do instanceof yield await".split(" ")),bn=/=>|===?|!==?|[+\\-*/%&|^<>]=|\\+\\+|--|&&=?|\\|\\|=?|\\?\\?=?|\\?\\.(?!\\d)|\\.\\.\\.|\\*\\*=?/y,F=class{text="";newLine=!1;#t;#n=0;#r="";#e="";#o;#s=[];constructor(e){this.#t=e,this.#o=Math.min(4e6,4096+e.length*8)}get before(){return this.#r}get word(){return this.#e}following(e){return this.#t.slice(this.#n,this.#n+e).trimStart()}next(){let e=this.#t;for(this.newLine=!1;this.#n<e.length;){let n=e.charCodeAt(this.#n);if(us(n)){this.newLine||=n===10||n===13,this.#n+=1;continue}return yn(n)?this.#i():n===34||n===39?this.#u(n):n===96?this.#l("string","opened"):n===47?this.#d():n===125&&this.#s.at(-1)===0?(this.#s.pop(),this.#l("closed","between")):this.#a(n)}return"end"}#i(){let e=this.#n;do this.#n+=1;while(this.#n<this.#t.length&&yn(this.#t.charCodeAt(this.#n)));return this.text=this.#t.slice(e,Math.min(this.#n,e+40)),this.#e=this.text,this.#r=this.text,"word"}#a(e){let n=this.#s.length-1;n>=0&&(e===123||e===125)&&(this.#s[n]=(this.#s[n]??0)+(e===123?1:-1)),bn.lastIndex=this.#n;let r=ds(e)?bn.exec(this.#t):null;return this.text=r===null?this.#t[this.#n]??"":r[0],(this.#r!==this.#e||this.text.length>1)&&(this.#e=""),this.#r=this.text.at(-1)??"",this.#n+=this.text.length,"sign"}#u(e){let n=this.#n+1,r=n;for(;r<this.#t.length;r++){let o=this.#t.charCodeAt(r);if(o===92)r+=1;else{if(o===e)break;if(o===10||o===13)return this.#n=r,this.#f("value","")}}return this.#n=r+1,this.#c("string",n,r)}#l(e,n){let r=this.#n+1,o=r;for(;o<this.#t.length;o++){let s=this.#t.charCodeAt(o);if(s===92)o+=1;else{if(s===96)break;if(s===36&&this.#t.charCodeAt(o+1)===123)return this.#s.push(0),this.#n=o+2,this.text=o-r>2048?" ":kn(this.#t.slice(r,o)),this.#r="{",n}}return this.#n=o+1,this.#c(e,r,o)}#c(e,n,r){let o=r<=n;return r-n>2048||r>=this.#t.length?this.#f(e==="closed"?"closed":"value"," "):this.#f(e,o?"":kn(this.#t.slice(n,r)))}#f(e,n){return this.text=n,this.#r=e==="closed"?"`":\'"\',this.#e="",e}#d(){let e=this.#t,n=e.charCodeAt(this.#n+1);if(n===47||n===42){let r=e.indexOf(n===47?`\n`:"*/",this.#n+2),o=r===-1?e.length:r;return this.text=e.slice(this.#n+2,Math.min(o,this.#n+2+2e4)),this.#n=n===47?o:Math.min(e.length,o+2),"comment"}return this.#p()&&this.#h()?"value":this.#a(47)}#p(){return this.#r===""?!0:this.#r===this.#e?cs.has(this.#e):!/[)\\]"`]/.test(this.#r)}#h(){let e=!1,n=Math.min(this.#t.length,this.#n+2048,this.#n+this.#o);for(let r=this.#n+1;r<n;r++){let o=this.#t.charCodeAt(r);if(o===10||o===13)break;if(o===92)r+=1;else if(o===91)e=!0;else if(o===93)e=!1;else if(o===47&&!e)return this.#n=r+1,this.text="",this.#r=")",this.#e="",!0}return this.#o-=n-this.#n,!1}};function us(t){return t<=32||t===160||t===8232||t===8233}function yn(t){return t>=97&&t<=122||t>=65&&t<=90||t>=48&&t<=57||t===95||t===36||t>127}var fs=new Set([..."=!+-*/%&|^<>?."].map(t=>t.charCodeAt(0)));function ds(t){return fs.has(t)}function kn(t){return t.includes("\\\\")?ps(t):t}var ms={n:`\n`,t:"	",r:"\\r",b:"\\b",f:"\\f",v:"\\v",0:"\\0"};function ps(t){return t.replaceAll(/\\\\(?:u\\{[\\da-f]{1,6}\\}|u[\\da-f]{4}|x[\\da-f]{2}|\\r\\n|[\\s\\S])/gi,e=>{let n=e[1]??"";if((n==="u"||n==="x")&&e.length>2){let r=Number.parseInt(e.replaceAll(/[^\\da-f]/gi,""),16);return r<=1114111?String.fromCodePoint(r):""}return n===`\n`||n==="\\r"?"":ms[n]??n})}var et=24;function*wn(t){let e=new F(t),n=new Ze;for(;;){let{before:r,word:o}=e,s=e.next();if(s==="end")return;s==="sign"&&n.sign(e.text,r),!(s!=="string"||e.text==="")&&(yield{value:e.text,before:r,word:n.inside?"concat":o,after:e.following(et)})}}var Ze=class{#t=0;#n=null;get inside(){return this.#n!==null}sign(e,n){e==="("?(this.#t+=1,n==="concat"&&(this.#n??=this.#t)):e===")"&&(this.#t===this.#n&&(this.#n=null),this.#t-=1)}};var hs=2e4,gs=20,bs=new Set(["location","href"]),ys=/^(?:assign|open|openwindow|openpage|openurl|openlink|navigate|navigateto|goto|gotopage|gotourl|go|visit|redirect|redirectto|loadpage|loadurl|linkto|locate|jump|jumpto)$/i,ks=/^(?:replace|push|load|get|show)$/i;function pe(t){let e=t.charCodeAt(0);return e===111?t.charCodeAt(1)===110&&t.length>3:e===64?!0:t.startsWith("v-on:")||t.startsWith("x-on:")||t==="ng-click"||t==="data-ng-click"}function tt(t,e){if(t.length>hs||!/["\'`]/.test(t))return[];let n=new Map,r=Es(()=>Ls(t));for(let o of wn(t)){let s=ws(o,r),i=o.value.trim();if(s===null||n.has(i))continue;let a=s==="low"&&O(i)?"resource":"script";if(n.set(i,u(i,a,e,s)),n.size>=gs)break}return[...n.values()]}function ws({value:t,before:e,word:n,after:r},o){let s=t.trim();if(b(s)||r.startsWith("+")||e==="+"||/^(?:mailto|tel|sms):/i.test(s))return null;if(e==="="&&bs.has(n))return Sn(s)?"high":null;if(e==="("&&ys.test(n)&&Sn(s))return"high";let i=N(s)&&!g(s);return i&&e==="("&&Ss(n,o)?O(s)?"low":"high":i&&s.length>2&&(w(s)||P(s))?"low":null}function Ss(t,e){return ks.test(t)&&(t!=="replace"||e())}function Ls(t){for(let[,e=""]of t.matchAll(/(?<!\\w)(\\w+)\\s*\\??\\.\\s*replace/gi))if(/location|router|history|navigate/i.test(e))return!0;return!1}function Es(t){let e=null;return()=>e??=t()}function Sn(t){return N(t)||/^[\\w-]+(?:\\/[\\w.-]+)*\\/?(?:[?#]\\S*)?$/.test(t)}function Ln(t){let e=[],n=/image-set\\(/gi;for(let r=n.exec(t);r!==null;r=n.exec(t)){let{end:o,strings:s}=xs(t,n.lastIndex);for(let i of s)e.push(i);n.lastIndex=o}return e}function xs(t,e){let n=[];for(let r=e;r<t.length;r+=1){let o=t[r];if(o===")")return{end:r+1,strings:n};if(o==="("){let s=Rs(t,r);if(t[s]!==")")return{end:s,strings:[]};if(!/[\\w-]/.test(t[r-1]??""))for(let i of Ts(t.slice(r,s)))n.push(i);r=s}else if(o===\'"\'||o==="\'"){let s=vs(t,r);if(t[s]!==o)return{end:s,strings:[]};s>r+1&&n.push(t.slice(r+1,s)),r=s}}return{end:t.length,strings:[]}}function Rs(t,e){for(let n=e+1;n<t.length;n+=1)if(t[n]==="("||t[n]===")")return n;return t.length}function vs(t,e){let n=t[e];for(let r=e+1;r<t.length;r+=1)if(t[r]===n||t[r]===`\n`)return r;return t.length}function Ts(t){return[...t.matchAll(/"([^"\\n]+)"|\'([^\'\\n]+)\'/g)].map(([,e,n])=>e??n??"")}var Ns=new Set("script style textarea title xmp iframe noembed noframes".split(" "));function*xn(t,e=null){let n=new nt(t,e);for(let r=n.next();r!==null;r=n.next())yield r}var nt=class{#t;#n;#r=0;#e=!0;constructor(e,n){this.#t=e,this.#n=n}next(){let e=this.#t;for(;;){let n=e.indexOf("<",this.#r);if(n<0)return this.#o();let r=e.charCodeAt(n+1),o=r===47;if(r===33||r===63)this.#s(n);else{if(As(o?e.charCodeAt(n+2):r))return this.#i(n+(o?2:1),o);this.#r=n+1}if(this.#r>=e.length)return this.#o()}}#o(){return this.#r=this.#t.length,null}#s(e){let n=this.#t.startsWith("<!--",e),r=this.#t.indexOf(n?"-->":">",e+2);this.#r=r<0?this.#t.length:r+(n?3:1)}#i(e,n){let r=this.#t,o=e;for(;o<r.length&&!vn(r.charCodeAt(o));)o+=1;let s=r.slice(e,Math.min(o,e+100)).toLowerCase();this.#r=o,this.#e=this.#n===null||this.#n.has(s);let i=this.#a();return!n&&Ns.has(s)&&this.#c(s),{name:s,isEnd:n,attributes:i}}#a(){let e=this.#t,n=[];for(;;){for(;this.#r<e.length&&Rn(e.charCodeAt(this.#r));)this.#r+=1;if(this.#r>=e.length)return n;if(e.charCodeAt(this.#r)===62)return this.#r+=1,n;let r=this.#r;for(this.#r+=1;this.#r<e.length&&!Os(e.charCodeAt(this.#r));)this.#r+=1;let o=Math.min(this.#r,r+100),s=this.#u();this.#e&&n.length<200&&n.push([e.slice(r,o).toLowerCase(),s])}}#u(){let e=this.#t;if(this.#l(),e.charCodeAt(this.#r)!==61)return"";this.#r+=1,this.#l();let n=e.charCodeAt(this.#r);if(n===34||n===39){let o=this.#r+1,s=e.indexOf(n===34?\'"\':"\'",o);if(this.#r=s<0?e.length:s+1,!this.#e)return"";let i=e.slice(o,Math.min(s<0?e.length:s,o+8192));return En(s<0?/^[^\\s<>"\']*/.exec(i)?.[0]??"":i)}let r=this.#r;for(;this.#r<e.length&&!Cs(e.charCodeAt(this.#r));)this.#r+=1;return this.#e?En(e.slice(r,Math.min(this.#r,r+8192))):""}#l(){for(;this.#r<this.#t.length&&rt(this.#t.charCodeAt(this.#r));)this.#r+=1}#c(e){let n=new RegExp(`</${e}(?=[\\\\s/>])`,"gi");n.lastIndex=this.#r,this.#r=n.exec(this.#t)?.index??this.#t.length}};function As(t){return t>=97&&t<=122||t>=65&&t<=90}function rt(t){return t===32||t===9||t===10||t===12||t===13}function Rn(t){return rt(t)||t===47}function vn(t){return Rn(t)||t===62}function Os(t){return vn(t)||t===61}function Cs(t){return rt(t)||t===62}var Ms={amp:"&",quot:\'"\',apos:"\'",lt:"<",gt:">",nbsp:"\\xA0"};function En(t){return t.includes("&")?t.replaceAll(/&(?:#(\\d{1,7})|#x([\\da-f]{1,6})|(amp|quot|apos|lt|gt|nbsp));/gi,(e,n,r,o)=>{if(typeof o=="string")return Ms[o.toLowerCase()]??e;let s=typeof n=="string"?Number(n):Number.parseInt(String(r),16);return s>0&&s<=1114111&&!(s>=55296&&s<=57343)?String.fromCodePoint(s):e}):t}var Ps=1e5,Ds=500,Is=100,$s=/<[a-z][^<>]*?\\s(?:href|src|action|data|content)\\s*=/i,ot=/\\{\\{|\\$\\{|<%|\\[\\[|%7B%7B|\\{%/i,he=new Set("title alt value content placeholder label summary aria-label aria-description tooltip uk-tooltip template html text body message caption v-html x-html ng-bind-html".split(" "));function ge(t,e,n){if(t.length>Ps||!t.includes("<")||!$s.test(t))return[];let r=[],o=0;for(let s of xn(t)){if(o+=1,o>Ds||r.length>=Is)break;if(!s.isEnd)for(let i of n(Hs(s))){let{href:a}=i;/^(?:#|javascript:|data:)/i.test(a.trim())||a.trim()===""||ot.test(a)||r.push({...i,context:`${e} ${i.context}`.slice(0,100),text:"",confidence:"low"})}}return r}function Hs({name:t,attributes:e}){let n=new Map;for(let[r,o]of e)n.has(r)||n.set(r,o);return{namespace:"html",name:t,attributes:[...n.keys()],attribute:r=>n.get(r.toLowerCase())??null,words:()=>"",formMethod:()=>"get"}}var _s=/(?:^|[:._-])(?:image|images|img|logo|icon|thumbnail|thumbnailurl|photo|picture|video|audio|tileimage|square\\d+x\\d+logo|wide\\d+x\\d+logo|config|badge|contenturl|embedurl)(?:$|[:._-])|image$|:stream$/,js=/(?:^|[:._-])(?:url|uri|link|href|see_also|permalink|canonical|identifier-url|starturl|player|sameas|mainentityofpage|item|discussionurl|target)$|(?:_url|[a-z]url)$|^article:(?:author|publisher)$/;function Nn(t,e){if(t===""||!/[/.]/.test(e))return[];let n=e.trim(),r=`meta[${t.slice(0,80)}]/@content`;return/^msapplication-(?:task|notification|badge)$/.test(t)?Us(n,r):_s.test(t)?Tn(n)?[u(n,"resource",r)]:[]:js.test(t)?Tn(n)?[u(n,g(n)?"resource":"attribute",r)]:[]:A(n)?[u(n,g(n)?"resource":"attribute",r,"low")]:[]}function Tn(t){return N(t)||g(t)&&!/[\\s,;]/.test(t)}function Us(t,e){return[...t.matchAll(/(?:^|;)\\s*([\\w-]+-uri\\d*)\\s*=\\s*([^;]+)/g)].flatMap(([,n="",r=""])=>{let o=r.trim();return w(o)?[u(o,n==="action-uri"?"attribute":"resource",e)]:[]})}function An(t){let e=/^\\s*[\\d.]*\\s*[;,\\s]\\s*(?:url\\s*=\\s*)?(.*)$/is.exec(t)?.[1]?.trim()??"",n=e[0]===\'"\'||e[0]==="\'"?e[0]:null,r=n===null?e:e.slice(1).split(n,1)[0]??"";return r===""?null:r}var Bs=50,Fs=16384;function On(t){let e=[];for(let n of t.slice(0,Fs).split(/[;,]/)){let[r="",...o]=n.trim().split(/\\s+/);r.toLowerCase()==="report-uri"&&e.push(...o.filter(Gs))}return e.slice(0,Bs)}function Gs(t){return t.length<=2048&&/^(?:https?:\\/\\/[^\\s/]|\\.{0,2}\\/)[^\\s<>"]*$/i.test(t)}var Ws=new Set("a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt em embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image img input ins isindex kbd keygen label layer legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes nolayer noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp".split(" ")),zs=/^(?:class|id|style|slot|part|is|name|lang|dir|key|ref|type|role|xmlns.*|aria-.*)$|^[:@#*.[(]|^(?:v|x|ng|on|bind|let)[-:]/;function be(t){return t.includes("-")||!Ws.has(t)}function Cn(t,e,n){let r=e.trim();if(!/[/.]/.test(r)||zs.test(t)||b(r))return[];let o=g(r);return!((A(r)||$(r)||T(r)||/^\\.{1,2}\\/[\\w-]+\\/[\\w-]/.test(r))&&(w(r)||T(r)))&&!(o&&!/[\\s,;]/.test(r))?[]:[u(r,o||O(r)?"resource":"attribute",n,"low")]}var Ks=/^(?:movie|src|data|url|uri|href|link|file|filename|code|codebase|archive|base|image|video|audio|media|source|poster|config|playlist|homepage|baseurl)$/;function Mn(t,e){let n=e.trim();return b(n)?[]:!(w(n)||T(n)||g(n)&&!/[\\s,;]/.test(n))||!n.includes("/")&&!n.includes(".")?[]:Ks.test(t.trim().toLowerCase())?[u(n,"resource","param/@value")]:A(n)||$(n)?[u(n,"resource","param/@value","low")]:[]}var qs=200,x=[],Js=1e5,Vs=2048;function ee(t){let e=null;for(let n of t.attributes)for(let r of Xs(t,n))(e??=[]).push(r);return e??x}function Xs(t,e){let{namespace:n,name:r}=t,o=Qs(e),s=cn(n,r,o);if(s!==null){let y=t.attribute(e);return y===null?x:Zs(t,{attribute:o,source:s,value:y})}let i=o.startsWith("data-"),a=pe(o),l=n==="html"&&be(r);if(!i&&!a&&!l&&!he.has(o))return x;let c=t.attribute(e)??"",f=fe(n,r,o);if(i){let y=Ys(t,gn(r,o,c));return c.includes("<")?[...y,...ge(c,f,ee)]:y}return a?tt(c,f):n!=="html"?x:c.includes("<")?ge(c,f,ee):l?Cn(o,c,f):x}function Ys(t,e){return e.length===0||t.name!=="a"&&t.name!=="area"||b(t.attribute("href")?.trim()??"")?e:e.map(n=>n.kind==="attribute"&&!w(n.href)?{...n,confidence:"low"}:n)}function Qs(t){return/[A-Z]/.test(t)?t.toLowerCase():t}function Zs(t,e){let{source:n,value:r}=e,o=fe(t.namespace,t.name,e.attribute),s=i=>i.filter(a=>!b(a)).map(a=>u(a,n.kind,o,n.confidence));switch(n.form){case"url":return ni(t,e,o);case"urls":return s(r.split(/\\s+/).filter(i=>i!==""));case"comma-urls":return s(r.split(/[\\s,]+/).filter(i=>i!==""));case"srcset":return s(me(r));case"refresh":return t.name==="meta"?ui(t,r):x;case"parameter":return Mn(t.attribute("name")??"",r);case"css":return r.length<Js&&r.includes("(")?it(r,o):x;case"html":return x}}function it(t,e){let n=/@namespace/i.test(t)?ti(t):t,r=mn(n,"").map(({href:o,context:s})=>u(o,"css",`${e} ${s}`));return/image-set\\(/i.test(t)?[...r,...ei(t,e)]:r}function ei(t,e){return Ln(t).filter(n=>!b(n)).map(n=>u(n,"css",`${e} image-set()`))}function ti(t){let e="",n=0;for(let{index:r}of t.matchAll(/@namespace\\b/gi)){if(r<n)continue;let o=t.indexOf(";",r);if(o===-1)break;o-r>Vs||(e+=t.slice(n,r),n=o+1)}return e+t.slice(n)}function ni(t,{attribute:e,source:n,value:r},o){let{kind:s}=n,i=r.trim();if(s==="anchor"||s==="area")return/^javascript:/i.test(i)?Pn(t,i,o):[st(t,{href:r,kind:s,context:o})];if(/^javascript:/i.test(i))return Pn(t,i,o);if(s==="form")return ci(t,e,r);if(b(i)||n.route===!0&&ri(t)||n.guarded===!0&&!(s==="resource"?si(i):N(i)))return x;let a=s==="resource"&&ai(t,e,i),l=st(t,{href:r,kind:a?"frame":ii(t,s),context:o}),c=n.route===!0?oi(l,i,t.base??null):l;return[n.confidence==="low"?{...c,confidence:"low"}:c]}function ri(t){let e=t.attribute("href")?.trim()??"";return!b(e)||/^#!?\\//.test(e)}function oi(t,e,n){if(n===null||e[0]!=="/")return t;let[r=e]=de(e,{base:n,isBaseSaid:!0,router:null,script:null},!1),o=r===e?null:v(r,n);return o===null?t:{...t,resolved:o.href.slice(0,8192)}}function si(t){return N(t)||g(t)}function ii(t,e){return e!=="link-element"||t.attribute("itemprop")===null||t.attribute("rel")!==null?e:/image|logo|photo|thumbnail|contenturl|availability|itemcondition/i.test(t.attribute("itemprop")??"")?"resource":"attribute"}function ai(t,e,n){if(!(t.name==="object"&&e==="data")&&!(t.name==="embed"&&e==="src")||t.namespace!=="html")return!1;let r=(t.attribute("type")??"").trim().toLowerCase();if(r!=="")return/^(?:text\\/html|application\\/xhtml\\+xml|text\\/plain)\\b/.test(r);if(t.attribute("classid")!==null)return!1;let[o=""]=n.split(/[?#]/,1),s=o.slice(o.lastIndexOf("/")+1);return/\\.(?:x?html?|php|aspx?|jsp|cgi)$/i.test(s)||!s.includes(".")}function st(t,{href:e,kind:n,context:r}){let o=t.attribute("rel");return{href:e.slice(0,8192),kind:n,context:r,text:t.words(n),rel:o===null?"":o.slice(0,qs)}}function Pn(t,e,n){let r=t.words("anchor");return tt(li(e.slice(11)),n).map(o=>({...o,text:r}))}function li(t){try{return decodeURIComponent(t)}catch{return t}}function ci(t,e,n){let s=(e==="formaction"?t.attribute("formmethod")??t.formMethod():t.attribute("method")??"get").trim().toLowerCase();if(n.trim()===""||s==="dialog")return x;let i=fe(t.namespace,t.name,e),a=s==="post"?`${i} POST`:i;return[st(t,{href:n,kind:"form",context:a})]}function ui(t,e){let n=(t.attribute("http-equiv")??"").trim().toLowerCase();if(n==="refresh"){let o=An(e.slice(0,8192));return o===null?x:[u(o,"meta-refresh","meta/@content")]}if(/^content-security-policy(?:-report-only)?$/.test(n))return On(e).map(o=>u(o,"resource","meta[content-security-policy]/report-uri"));if(n!=="")return x;if(e.includes("<"))return ge(e,"meta/@content",ee);let r=t.attribute("property")??t.attribute("name")??t.attribute("itemprop")??"";return e.length>8192?x:Nn(r.trim().toLowerCase(),e)}var fi=["user-content-","section-","content-","tab-","tabs-","panel-","pane-","anchor-","heading-","page-"],di=/^#[\\p{L}\\d%][\\p{L}\\d_.~/?=&%-]{0,199}$/u,mi=/^#top$/i;function at(t){return di.test(t)&&!mi.test(t)}var ke=class{#t;#n;constructor(e){let n=new Set;for(let r of e){if(n.size>=2e4)break;n.add(r.toLowerCase())}this.#t=n,this.#n=n.size>=2e4}lacks(e){if(this.#n||!at(e))return!1;let n=e.slice(1).toLowerCase(),r=pi(n);return this.#t.has(r)||this.#t.has(n)?!1:!fi.some(o=>this.#t.has(o+r)||this.#t.has(`${r}-${o.slice(0,-1)}`))}};function pi(t){try{return decodeURIComponent(t)}catch{return t}}var Dn=/^(?:window|self|globalThis|top)\\.(?!location\\b)/,we=class t{#t;#n;#r=null;constructor(e=null,n=0){this.#t=e,this.#n=n}within(){return this.#n>=50?this:new t(this,this.#n+1)}declare(e){let n=this.#r??=new Map,r=n.get(e);if(r!==void 0)return r;let o={writes:0,additions:0,pieces:null,text:void 0};return n.set(e,o),o}shadow(e){this.declare(e).writes=2}knows(e){let[n=""]=e.split(".",1);return this.#e(n).#r?.has(n)??!1}assigned(e){let n=e.replace(Dn,"");return this.#o(n).declare(n)}find(e){let n=e.replace(Dn,""),r=this.#o(n),[o=""]=n.split(".",1);return o!==n&&(r.#r?.get(o)?.writes??1)>1?null:r.#r?.get(n)??null}#e(e){return this.#r?.has(e)===!0||this.#t===null?this:this.#t.#e(e)}#o(e){let[n=""]=e.split(".",1);return this.#e(n)}};function lt(t,e=0){let n="";for(let r of t){let o=typeof r=="string"?r:hi(r,e);if(o===null||n.length+o.length>2048)return null;n+=o}return n}function hi({name:t,scope:e,isBegun:n=!1},r){if(/^(?:(?:window|self|document|globalThis)\\.)?location\\.origin$/.test(t))return"";let o=e.find(t);return o===null||o.writes!==1||o.pieces===null||r>=20||o.additions!==(n?1:0)?null:(o.text===void 0&&(o.text=null,o.text=lt(o.pieces,r+1)),o.text)}var In=/^(?:open|openwindow|openpage|openurl|openlink|push|replace|assign|navigate|navigatebyurl|navigateto|goto|gotopage|gotourl|go|visit|redirect|redirectto|redirecturl|loadpage|loadurl|linkto|jumpto|fetch|get|getjson|load|ajax|axios|request|prefetch|preload|pushstate|replacestate|href)$/i,gi=/^(?:post|put|patch|delete|del|sendbeacon|sendform|submitto)$/i,bi=/^(?:EventSource|WebSocket|Worker|SharedWorker|Audio|Image|FontFace)$/,yi=/^(?:path|pathname|to|url|href|uri)$/,ki=/^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i,wi=/^,?\\s*\\{?(?:[^{}]|\\{[^{}]{0,80}\\}){0,120}?\\b(?:method|type)["\']?\\s*:\\s*["\'`](?:post|put|patch|delete)\\b/i,Si=/^(?:(?:window|self|top|parent|document|globalThis)\\.)*location(?:\\.href)?$/,Li=/^(?:(?:(?:window|self|top|parent|document|globalThis)\\.)*location\\.(?:assign|replace)|(?:window|self|top|parent)\\.open)$/;function $n({target:t,how:e,argument:n,first:r,key:o,word:s,before:i,after:a}){if(e==="assigned")return Si.test(t)?"goes":s==="href"||s==="location"?"leads":null;if(i==="="&&(s==="href"||s==="location"))return"leads";if(e!=="given")return null;let l=t.slice(t.lastIndexOf(".")+1);return gi.test(l)||bi.test(l)?"sends":!In.test(l)||o!==""&&!yi.test(o)?null:wi.test(a)?"sends":n>0?Ei(l,n,r):o===""&&Li.test(t)?"goes":"leads"}function Ei(t,e,n){return e===1&&ki.test(n)?/^(?:GET|HEAD)$/i.test(n)?"leads":"sends":e===2&&/^(?:push|replace)State$/i.test(t)?"leads":null}function Hn(t){return In.test(t.slice(t.lastIndexOf(".")+1))}var G={before:"",word:"",assigned:"",frame:null,argument:0,key:""};function ct(t){let{kind:e,outer:n,scope:r}=t;return{kind:e,outer:n,scope:r,base:r,above:t.above??null,callee:t.callee??"",isCall:t.isCall??!1,joins:t.joins??!1,names:t.names??null,takesApart:t.takesApart??!1,path:t.path??null,argument:0,first:"",key:"",declares:!1,leads:null}}function _n({assigned:t,frame:e,argument:n,key:r}){if(t!==""||e===null)return{target:t,how:t===""?null:"assigned",argument:0,first:"",key:"",holder:""};let{kind:o,callee:s,first:i,above:a}=e,l=a?.kind==="{"?a.key:"";return o==="("&&e.isCall?{target:s,how:"given",argument:n,first:i,key:"",holder:l}:o!=="{"||a?.kind!=="("||!a.isCall?{target:"",how:null,argument:0,first:"",key:r,holder:""}:{target:a.callee,how:"given",argument:a.argument,first:a.first,key:r,holder:""}}var xi=4;function jn(t,e){let n=t.slice(-xi).map(o=>o.kind),r=n.lastIndexOf(e);return r<0?null:n.length-1-r}function ut({assigned:t,word:e,frame:n}){if(t!=="")return e==="location"||e==="href";let r=n?.kind==="{"?n.above:n;return r===null||r.kind!=="("||!r.isCall?!1:r.leads??=Hn(r.callee)}var Ri=2e3,vi=200,Se=class{#t;#n;#r=[];constructor(e,n){this.#t=e,this.#n=n}literal(e,n,r){this.#n.wants(e,n.assigned!=="")&&this.#e(e,n,{word:r?"concat":n.word,after:this.#o(n),isJoined:!1})}chain(e,n){if(this.#r.length>=Ri)return;let r=e.some(o=>typeof o=="string");(e.length>1?r:!r&&ut(n))&&this.#r.push({pieces:e,place:n,after:this.#o(n)})}tellJoined(){for(let{pieces:e,place:n,after:r}of this.#r){let o=lt(e);o===null||!this.#n.wants(o,n.assigned!=="")||this.#e(o,n,{word:n.word,after:r,isJoined:!0})}}#e(e,n,{word:r,after:o,isJoined:s}){let{before:i}=n,{target:a,how:l,argument:c,first:f,key:y,holder:L}=_n(n);this.#n.text({value:e,before:i,word:r,after:o,isJoined:s,target:a,how:l,argument:c,first:f,key:y,holder:L})}#o(e){return this.#t.following(ut(e)?vi:et)}};var Ti=20,ft=120,W=class{pieces=null;state="none";binding=null;assigned="";place=G;get singleName(){let[e]=this.pieces??[];return this.state==="operand"&&this.pieces?.length===1&&typeof e=="object"?e.name:null}get single(){let[e]=this.pieces??[];return this.pieces?.length!==1||e===void 0?"":typeof e=="string"?e:e.name}get lastName(){let e=this.pieces?.at(-1);return typeof e=="object"?e.name:null}forget(){this.pieces=null,this.state="none",this.binding=null,this.assigned="",this.place=G}append(e){this.pieces===null||e===null||this.pieces.length+e.length>Ti?this.pieces=null:this.pieces.push(...e)}extend(e){let{pieces:n}=this,r=n?.at(-1);n===null||r===void 0||(typeof r=="object"&&r.name.length+e.length<ft?n[n.length-1]={name:`${r.name}.${e}`,scope:r.scope}:e!=="concat"&&(this.pieces=null))}takeConcat(){let{pieces:e}=this,n=e?.at(-1);return e===null||n===void 0?!1:(typeof n=="object"&&(e[e.length-1]={...n,name:n.name.slice(0,-7)}),!0)}};var Le=class{#t;#n;frame;chain=new W;concats=0;last="";declaring=!1;changed=!1;binding=null;assigned="";constructor(e){this.#t=e,this.frame=ct({kind:"",outer:new W,scope:new we}),this.#n=[this.frame]}get depth(){return this.#n.length}pathOfValue(){let{kind:e,path:n,key:r}=this.frame;return this.last==="="?this.assigned===""?null:this.assigned:e==="{"&&this.last===":"&&n!==null&&r!==""?`${n}.${r}`.slice(0,ft):e==="("&&this.last==="("?n:null}closeWithin(e){let n=jn(this.#n,e);for(let r=n??0;r>0;r--)this.frame.joins&&this.frame.kind==="("&&(this.concats-=1),this.close();return n!==null}open(e){let{scope:n,names:r}=this.frame,o=ct({scope:n,above:this.frame,outer:this.chain,names:e.kind==="("?[]:e.kind==="["?r:null,...e});this.#n.push(o),this.frame=o,this.chain=new W,this.declaring=!1,this.changed=!1,(e.path===void 0||e.path===null)&&(this.assigned=""),this.binding=null}close(){let{joins:e,outer:n}=this.frame,{pieces:r,state:o}=this.chain,s=o==="operand"?r:o==="none"&&this.frame.kind==="("?[]:null;this.finish(),this.#n.pop(),this.frame=this.#n.at(-1)??this.frame,this.chain=n,this.binding=null,this.assigned="",e&&this.chain.append(s)}operand(e,n){let r=this.chain;if(r.state==="plus")this.chain.append(e===null||this.changed?null:[e]),r.state="operand";else{let o=e===null||this.changed?null:[e];r.pieces=o,r.state="operand",r.binding=this.binding,r.place=this.placeOf(n),r.assigned=r.place.assigned,this.binding=null,this.assigned=""}this.changed=!1}finish(){let{pieces:e,state:n,binding:r,place:o}=this.chain;if(n==="none")return;let s=n==="operand"?e:null;r!==null&&r.pieces===null&&(r.pieces=s),this.chain.forget(),s!==null&&this.#t.chain(s,o)}placeOf({before:e,word:n}){let r=this.frame,o=this.last==="="?this.assigned:"";return{before:e,word:n,assigned:o,frame:r,argument:r.argument,key:r.key}}};var Ni=new Map([...Ee("declares","const let var"),...Ee("names","function class"),...Ee("changes","typeof delete void new await"),...Ee("ends","return case in of throw else do instanceof yield default export import from extends if while for switch with try finally catch break continue async static")]);function Ee(t,e){return e.split(" ").map(n=>[n,t])}function Un(t){return Ni.get(t)??null}var Ai=new Set(["if","while","switch","with"]);function Bn(t){return!Ai.has(t)}var Fn=500,Oi=50;function Gn(t,e){new dt(t,e).run()}var dt=class{#t;#n;#r;#e;#o=!1;#s=!1;#i=[];constructor(e,n){this.#t=new F(e),this.#n=n,this.#r=new Se(this.#t,n),this.#e=new Le(this.#r)}run(){let e=this.#t;for(;this.#n.full!==!0;){let{before:n,word:r}=e,o=e.next();if(o==="end")break;if(o==="comment")this.#n.comment?.(e.text);else{if(this.#e.depth>=Fn&&o!=="string")continue;o==="word"?this.#a(e.text,{before:n,word:r}):o==="sign"?this.#f(e.text,{before:n,word:r}):this.#e.depth<Fn?this.#l(o,{before:n,word:r}):o==="string"&&this.#r.literal(e.text,{...G,before:n,word:r},!1)}o!=="comment"&&(this.#e.last=o==="sign"||o==="word"?e.text:o)}this.#e.finish(),this.#r.tellJoined()}#a(e,n){if(this.#o){this.#o=!1,this.#e.chain.extend(e);return}if(this.#s){this.#s=!1,this.#e.frame.scope.shadow(e);return}if(this.#u(e))return;this.#e.chain.state==="operand"&&this.#e.finish();let{names:r,takesApart:o,scope:s}=this.#e.frame;r!==null&&r.length<Oi&&r.push(e),o&&s.shadow(e),this.#e.declaring&&(this.#e.declaring=!1,s.declare(e)),(this.#e.last==="++"||this.#e.last==="--")&&(s.assigned(e).writes=2),this.#e.operand(/^\\d{1,9}$/.test(e)?e:{name:e,scope:s},n)}#u(e){let n=Un(e);return n===null?!1:(this.#e.chain.state==="plus"&&(this.#e.chain.pieces=null),this.#e.finish(),this.#e.binding=null,this.#e.declaring=n==="declares",this.#s=n==="names",this.#e.changed=n==="changes",this.#e.declaring&&(this.#e.frame.declares=!0),(this.#e.declaring||this.#s)&&this.#e.frame.kind!=="("&&(this.#e.frame.scope=this.#e.frame.base),!0)}#l(e,n){let{text:r}=this.#t;if(this.#e.declaring=!1,e==="string"){this.#e.chain.state==="operand"&&this.#e.finish();let o=this.#e.placeOf(this.#e.chain.state==="plus"?{...n,before:"+"}:n);r!==""&&this.#r.literal(r,o,this.#e.concats>0),this.#e.operand(r,n),this.#e.frame.kind==="("&&this.#e.frame.argument===0&&(this.#e.frame.first=r)}else e==="opened"?(this.#e.chain.state==="operand"&&(this.#e.chain.pieces=null),this.#e.operand(r,n),this.#e.open({kind:"`",joins:!0})):e==="value"?this.#e.operand(null,n):this.#c(e==="closed",r)}#c(e,n){this.#e.frame.kind==="`"&&(this.#e.close(),this.#e.chain.append([n]),e||this.#e.open({kind:"`",joins:!0}))}#f(e,n){switch(this.#o=!1,e!=="*"&&(this.#s=!1),e){case".":case"?.":this.#o=this.#e.chain.state==="operand";return;case"+":this.#e.chain.state==="operand"?this.#e.chain.state="plus":this.#e.changed=!0;return;case"(":case"[":return this.#h(e,n);case"{":return this.#b();case")":case"]":case"}":return this.#y(e);case",":case";":return this.#k(e);case":":return this.#w();case"=":return this.#g();case"+=":return this.#m();case"=>":return this.#S();case"||":case"??":return this.#p();default:return this.#d(e)}}#d(e){let n=this.#e.chain.singleName;if(n!==null&&(e==="++"||e==="--"||/^[^=!<>]+=$/.test(e))&&(this.#e.frame.scope.assigned(n).writes=2),e==="?"||e==="&&"||e==="|"||e==="&"){this.#e.chain.binding!==null&&(this.#e.chain.binding.writes=2),this.#e.finish();return}this.#e.chain.pieces=null,this.#e.finish(),this.#e.changed=e!=="..."}#p(){let{binding:e,pieces:n}=this.#e.chain,r=n!==null&&n.every(o=>typeof o!="string");this.#e.chain.binding=null,this.#e.finish(),r?this.#e.binding=e:e!==null&&(e.writes=2)}#h(e,{before:n,word:r}){let o=this.#e.chain.state==="operand",s=o?this.#e.chain.lastName??this.#t.word:n===r?r:"",i=e==="("&&o&&this.#e.last==="concat"&&this.#e.chain.takeConcat();i&&(this.#e.concats+=1);let a=e==="["&&this.#e.declaring,{assigned:l}=this.#e.chain,c=s==="Object.freeze"&&l!==""?l:o?null:this.#e.pathOfValue();this.#e.open({kind:e,callee:s,isCall:o,joins:i,takesApart:a,path:c})}#b(){let e=this.#e.last===")"||this.#e.last==="=>",n=this.#e.declaring||this.#e.frame.takesApart&&!e;this.#e.chain.state==="operand"&&this.#e.finish();let r=n?this.#e.frame.scope:this.#e.frame.scope.within();if(e)for(let i of this.#i)r.shadow(i);let o=e?null:this.#e.pathOfValue(),s=this.#e.frame.names!==null&&!e?this.#e.frame.names:null;this.#e.open({kind:"{",scope:r,takesApart:n,names:s,path:o})}#y(e){if(!this.#e.closeWithin(e===")"?"(":e==="]"?"[":"{")){this.#e.finish();return}let n=this.#e.frame;this.#i=e===")"&&n.names!==null&&Bn(n.callee)?n.names:[],n.joins&&(this.#e.concats-=1),this.#e.close(),!n.joins&&(e==="}"?(this.#e.chain.pieces=null,this.#e.finish()):n.isCall||this.#e.chain.state==="operand"?this.#e.chain.pieces=null:this.#e.operand(null,G))}#k(e){let n=this.#e.frame;if(n.joins&&e===","){this.#e.close(),this.#e.open({kind:"(",callee:"concat",isCall:!0,joins:!0});return}this.#e.finish(),this.#e.binding=null,this.#e.assigned="",n.scope=n.base,n.key="",e===";"?n.declares=!1:n.argument+=1,this.#e.declaring=n.declares&&e===","}#w(){let e=this.#e.chain.single,n=this.#e.frame.kind==="{"&&this.#e.chain.binding===null&&/^[\\w$]+$/.test(e);n&&this.#e.chain.forget(),this.#e.finish();let r=this.#e.frame;r.key=n?e:"",this.#e.binding=null,!(r.path===null||!n)&&(this.#e.binding=r.scope.assigned(`${r.path}.${e}`),this.#e.binding.writes+=1)}#g(){let e=this.#e.chain.singleName;if(this.#e.chain.forget(),this.#e.binding=null,e===null){this.#e.assigned="";return}let n=/^location\\b/.test(e)&&this.#e.frame.scope.knows(e);this.#e.assigned=n?`.${e}`:e;let r=this.#e.frame.scope.assigned(e);r.writes+=1,this.#e.frame.kind==="("||this.#e.frame.takesApart?r.writes=2:this.#e.binding=r}#m(){let e=this.#e.chain.singleName;if(e===null)return this.#d("+=");let{scope:n}=this.#e.frame;this.#e.frame.scope.assigned(e).additions+=1,this.#e.chain.pieces=[{name:e,scope:n,isBegun:!0}],this.#e.chain.state="plus"}#S(){let e=this.#e.chain.singleName,n=e===null?this.#i:[e];this.#e.chain.forget(),this.#e.binding=null,this.#i=n;let r=this.#e.frame.scope.within();for(let o of n)r.shadow(o);this.#e.frame.scope=r}};function xe(t,e,n){let r=new Map;for(let s of t)r.set(s,(r.get(s)??0)+1);let o=t.length;for(;o>0;o-=1){let s=t[o-1]??"",i=n[s],a=r.get(s)??0;if(!(i!==void 0&&a>(r.get(i)??0))&&!e.has(s))break;r.set(s,a-1)}return t.slice(0,o)}var Ci=1024,Mi=/(?<=^|[\\s("\'[<>,;:=\\u2013\\u2014\\u201c\\u201e\\u00ab])\\.{0,2}\\/[^\\s<>"\'`{}|\\\\^();\\u201c\\u201d\\u2018\\u2019\\u00ab\\u00bb\\u2026]{2,1025}/g,Pi=/(?:^|[\\s("\'[<>,;:=\\u2013\\u2014\\u201c\\u201e\\u00ab])\\.{0,2}\\/[\\p{L}\\p{N}._~%-]/u,Di=new Set(".,;:!?*_~]"),Ii=/\\.(?:html?|xhtml|shtml|php\\d?|phtml|aspx?|jspx?|cfm|do|cgi|pl|pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|txt|csv|md|xml|rss|atom|zip|gz|tgz)$/i,$i=/\\.(?:sh|bash|zsh|bat|cmd|ps1|exe|py|rb|rs|go|java|class|jar|kt|c|h|cc|cpp|hpp|cs|swift|lua|sql|conf|cfg|ini|env|log|sock|so|dll|pem|key|tpl|twig|hbs|ejs|erb|mustache|scss|inc)$/i,Hi=/^\\/(?:bin|boot|dev|etc|home|lib\\d*|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|Applications|Library|System|Users|Volumes|Windows|c)(?:\\/|$)/,_i=/^\\/[^/]+\\/[dgimsuvy]{1,5}$|^\\/(?:or|and|oder|und|et|ou|y|o|e|per|s|w)\\/|^[./\\d-]+$|^\\/\\d/,Wn=new Set("code kbd samp pre tt var a button textarea title option".split(" "));function z(t){return Pi.test(t)}function K(t,e=100){let n=new Set;for(let[r]of t.matchAll(Mi)){if(n.size>=e)break;if(r.endsWith("..."))continue;let o=xe(r,Di,{});o.length<=Ci&&ji(o)&&n.add(o)}return[...n]}function ji(t){let[e=""]=t.split(/[?#]/,1),n=e.replace(/^(?:\\.{1,2}\\/)+/,"/");if(Hi.test(n)&&e.startsWith("/")||$i.test(e)||g(e)||_i.test(n)||n.includes("//")||/[@*$]/.test(e)||!P(t.replace(/^(?:\\.{1,2}\\/)+/,"/"))&&!T(t))return!1;let r=n.split("/").filter(o=>o!=="");return Ii.test(e)||r.length>1&&r.some(o=>o.length>1)}var mt=500,zn=50,Ui=2e3,Bi=new Set("from import require importScripts define resolve concat createElementNS setAttributeNS hasAttributeNS getAttributeNS".split(" ")),Fi=new Set("startsWith endsWith includes indexOf lastIndexOf split replace replaceAll match test RegExp Error TypeError RangeError warn error log debug invariant warning".split(" ")),Gi=/^[\\w-]+(?:\\/[\\w.-]+)*\\/?(?:[?#][^\\s"\'<>{}|\\\\^`]*)?$/,Wi=/(?:^|\\.)(?:fetch|open|assign|get|getJSON|load|ajax|axios|request|prefetch|preload|sendBeacon|href)$/i;function Kn(t){let e=new pt;return Gn(t,e),e.result()}var pt=class{#t={goes:new Map,leads:new Map,stands:new Map,written:new Map};#n=new Map;#r=null;get full(){return this.#t.goes.size>=mt||this.#t.leads.size>=mt}wants(e,n){return(n||e==="/"||e.length>2&&/[/.]/.test(e))&&!/[\\s<>{}|\\\\^`"\'$*]/.test(e)}text(e){let n=this.#r===null?Xi(e):null;if(n!==null){this.#r=n;return}let r=$n(e);if(!(r==="goes"?zi(e):Ki(e,a=>this.#e(a))))return;let o=r==="goes"||r==="leads"?r:"stands",s=e.value.trim(),i=o!=="goes"&&!qi(e);this.#o({href:s,use:o,acts:r==="sends"||X(s),isRoute:i})}comment(e){if(!(this.#t.written.size>=zn||!z(e)))for(let n of K(e,zn-this.#t.written.size))n.startsWith(".")&&!T(n)||this.#o({href:n,use:"written",acts:X(n),isRoute:!1})}result(){let{goes:e,leads:n,stands:r,written:o}=this.#t,s=new Map;for(let i of[e,n,r,o])for(let[a,l]of i){let c=s.get(a);c===void 0?s.set(a,l):l.acts&&s.set(a,{...c,acts:!0})}return{addresses:[...s.values()],routerBase:this.#r}}#e(e){let n=this.#n.get(e);if(n!==void 0)return n;let r=Vt(e)||P(e)||T(e);return this.#n.size<Ui&&this.#n.set(e,r),r}#o(e){let n=this.#t[e.use];(n.get(e.href)===void 0?n.size<mt:e.acts)&&n.set(e.href,e)}};function zi(t){let{value:e}=t;return qn(t)||b(e)||g(e)||/^(?:mailto|tel|sms):/i.test(e)?!1:w(e)||T(e)||t.how==="assigned"&&Gi.test(e)}function Ki(t,e){let{value:n,before:r,word:o}=t;return n.length<3||qn(t)||Bi.has(o)||r==="("&&Fi.has(o)||g(n)?!1:e(n)}function qn({before:t,word:e,after:n,isJoined:r}){return r?!1:n.startsWith("+")||/^\\.(?:concat|replace|split|length)\\b/.test(n)?!0:t==="+"&&e!=="origin"&&e!=="host"}function qi({how:t,target:e,word:n,before:r}){return t==="given"?Wi.test(e):(t==="assigned"||r==="=")&&(n==="href"||n==="location")}var Ji=/^(?:basename|routerBase|rootURL|basePath)$/,Vi=/(?:^|\\.)create(?:Web|WebHash|Browser|Memory)?(?:Hash)?History$/;function Xi({value:t,key:e,how:n,target:r,argument:o,holder:s}){return n===null&&e===""||!/^\\/(?:[\\w.~%-]+\\/?)*$/.test(t)||t.length>200?null:Ji.test(e)?t:n!=="given"?null:e==="base"?/router|history/i.test(r)?t:null:e!==""||o!==0?null:Vi.test(r)||s==="history"?t:null}var Yi=1e6,Jn=500;function Vn(t,e){let n=[],r=Yi;for(let s of t)s.length>r||!/["\'`]|\\/[/*]/.test(s)||(r-=s.length,n.push(...ea(Kn(s),e,Jn)));return Qi.flatMap(s=>n.filter(i=>i.use===s)).slice(0,Jn).map(({href:s,use:i,acts:a})=>{let l=i==="goes"&&!a;return u(s,a?"resource":"script",l?"location":Zi(i),l?"high":"low")})}function Xn(t,e){return(e??null)===null&&(t===""||t==="module"||/(?:java|ecma|live|j)script/.test(t))}var Qi=["goes","leads","stands","written"];function Zi(t){return t==="written"?"script comment":"literal"}function ea({addresses:t,routerBase:e},{base:n,isBaseSaid:r=!1,script:o=null},s){let i=/#!?(?=\\/)/.exec(n)?.[0]??"",a={base:n,isBaseSaid:r,script:o,router:e},l=Ke(a),c=l!=="/"&&t.some(({href:y,isRoute:L})=>L&&y.startsWith(l)),f=[];for(let y of t){if(f.length>=s)break;let{href:L,isRoute:E}=y;i!==""&&P(L)&&!L.startsWith("#")?f.push({...y,href:i+L}):!E||!P(L)?f.push(y):f.push(...de(L,a,c).map(re=>({...y,href:re})))}return f}var ta={anchor:{letter:"a",class:"link",inDocuments:!0},area:{letter:"r",class:"link",inDocuments:!0},frame:{letter:"f",class:"link",inDocuments:!0},form:{letter:"o",class:"link",inDocuments:!0},"meta-refresh":{letter:"m",class:"link",inDocuments:!0},header:{letter:"h",class:"hint"},"link-element":{letter:"l",class:"hint",inDocuments:!0},redirect:{letter:"d",class:"link"},history:{letter:"y",class:"link"},navigation:{letter:"n",class:"link"},"window-open":{letter:"w",class:"link"},click:{letter:"c",class:"link"},script:{letter:"t",class:"link",inDocuments:!0},json:{letter:"j",class:"hint",inDocuments:!0},css:{letter:"u",class:"subresource",inDocuments:!0},sitemap:{letter:"p",class:"hint"},robots:{letter:"b",class:"hint"},feed:{letter:"e",class:"hint"},resource:{letter:"i",class:"subresource",inDocuments:!0},attribute:{letter:"v",class:"link",inDocuments:!0},text:{letter:"x",class:"link",inDocuments:!0},request:{letter:"q",class:"subresource"},hook:{letter:"k",class:"link"}},Re=ta,na=Object.keys(Re).filter(t=>t in Re);function Yn(t){return Re[t].class}var gu=new Set(na.filter(t=>Re[t].inDocuments===!0));var ra=new Set(["apple-touch-icon","apple-touch-icon-precomposed","apple-touch-startup-image","compression-dictionary","dns-prefetch","edituri","expect","fluid-icon","icon","image_src","manifest","mask-icon","modulepreload","pingback","preconnect","prefetch","preload","profile","stylesheet","webmention","wlwmanifest"]);function Qn({kind:t,rel:e,context:n}){return Yn(t)==="subresource"||t==="form"&&/ (?:POST|DIALOG)$/.test(n)?!1:t!=="link-element"?!0:e.length>0&&!e.some(r=>ra.has(r.toLowerCase()))}var oa=2e3,sa=8192,te="template:",ve=class{#t;#n;#r=new Map;#e=[];#o=[];#s={page:0,subresource:0,speculative:0};#i=0;constructor(e,n){this.#t=e,this.#n=n}get full(){return this.#s.page>=this.#t}get total(){return this.#i}count(e){this.#i+=e}add(e,n=""){this.#i+=1;let r=n===te?"speculative":aa(e);if(this.#s[r]>=(r==="speculative"?oa:this.#t))return;let o=n===""?e:ia(e,n),s=`${o.kind}\n${o.context}\n${o.rel}\n${o.href}\n${o.base??""}`,i=this.#r.get(s);if(i!==void 0)return this.#a(i,o.text);let a=o.resolved===void 0?this.#n(o.href,o.base):null;this.#r.set(s,this.#e.length),this.#e.push(a===null?o:{...o,resolved:a.slice(0,sa)}),this.#o.push(r),this.#s[r]+=1}routed(e){if(e.includes("#"))return e;let n=this.#e.find(({href:r})=>r.includes("#")&&/^[^#]*#!?\\//.test(r));return n===void 0?e:e+n.href.slice(n.href.indexOf("#"))}list(){let{page:e,subresource:n,speculative:r}=this.#s;if(e+n+r<=this.#t)return{kept:this.#e,total:this.#i};let o={page:e,subresource:Math.min(n,this.#t-e),speculative:0};return o.speculative=this.#t-e-o.subresource,{kept:this.#e.filter((i,a)=>{let l=this.#o[a]??"speculative";return o[l]-=1,o[l]>=0}),total:this.#i}}#a(e,n){let r=this.#e[e];r!==void 0&&r.text===""&&n!==""&&(this.#e[e]={...r,text:n})}};function ia(t,e){let n=`${e}${t.context}`.slice(0,100);return e===te?{...t,context:n,confidence:"low"}:{...t,context:n}}function aa({kind:t,context:e,rel:n,confidence:r}){return r==="low"?"speculative":Qn({kind:t,context:e,rel:t==="link-element"?la(n):[]})?"page":"subresource"}function la(t){return t.split(/\\s+/).filter(e=>e!=="")}var ht=200,Te=class{namespace="html";name="";attributes=[];mute=!1;base=null;#t=null;set(e,n){return this.#t=e,this.namespace=fn(oe(e)),this.name=R(e),this.attributes=n,this}attribute(e){return this.#t===null?null:d(this.#t,e)}words(e){let n=this.#t;return this.mute||n===null?"":e==="anchor"?M(this.namespace==="html"?ca(n):k(n)??"",ht):e==="area"?M(d(n,"alt")??"",ht):e==="frame"||e==="link-element"?M(d(n,"title")??"",ht):""}formMethod(){let e=this.#t===null?null:_(this.#t,"form");return((e&&d(e,"method"))??"get").trim().toLowerCase()}};function ca(t){let e=k(t)??"";if(/\\S/.test(e))return e;let n=p(t,"img[alt]")[0];return d(t,"aria-label")??(n&&d(n,"alt"))??d(t,"title")??""}var bt=1e3,er=1e5,ua=3e4,Zn="a[href],area[href],iframe[src],form[action]";function tr(t){let e=globalThis.orbweaverRemovals;if(e===void 0||e.roots.has(t)||e.looked>=er)return;e.roots.add(t);let n={childList:!0,subtree:!0,attributeFilter:["href","src","action"],attributeOldValue:!0};e.observer.observe(t,n)}function nr(){let t=globalThis.orbweaverRemovals;if(t===void 0)return[];fa(t.observer.takeRecords());let e=C(document).slice(0,8192);return[...t.links.values()].map(({base:n,...r})=>n===e?r:I(r,n??null))}function fa(t){let e=globalThis.orbweaverRemovals;if(e!==void 0){e.changes+=t.length;for(let n of t){if(e.changes>=ua||e.looked>=er||e.links.size>=bt){e.observer.disconnect();return}n.type==="attributes"?ma(n,e):n.removedNodes.length>0&&da(n.removedNodes,e)}}}function da(t,e){for(let n of t)if(e.looked+=1,!(!(n instanceof Element)||_t(n))){Me(n,Zn)&&gt(n,e);for(let r of p(n,Zn))if(e.looked+=1,gt(r,e),e.links.size>=bt)return}}var rr=new Map([["a",["href","anchor"]],["area",["href","area"]],["iframe",["src","frame"]],["form",["action","form"]]]);function gt(t,{links:e},n=null){let r=R(t),[o,s]=rr.get(r)??[null,null];if(o===null||s===null)return;let i=(n??d(t,o)??"").trim().slice(0,8192);if(i===""||/^(?:#(?!!?\\/)|javascript:|about:|data:|blob:)/i.test(i))return;let a=(d(t,"method")??"get").trim().toLowerCase();if(s==="form"&&(a==="post"||a==="dialog"))return;let l=(d(t,"rel")??"").slice(0,200),c=B(t)??C(document).slice(0,8192),f=`${r} ${l} ${i} ${c}`;if(e.has(f)||e.size>=bt)return;let y=s==="anchor"&&n===null?M(k(t)??"",200):"";e.set(f,I({href:i,kind:s,context:`${r}/@${o}`,text:y,rel:l},c))}function ma({target:t,attributeName:e,oldValue:n},r){r.looked+=1,!(!(t instanceof Element)||n===null||n.trim()==="")&&rr.get(R(t))?.[0]===e&&gt(t,r,n)}var pa=8192,ha=/^utf-/i;function or(){if(ha.test(Dt(document)))return()=>null;let t=Ft(),e=C(document);return(n,r=e)=>{if(!/[\\u0080-\\uffff]/.test(n))return null;let o=Gt(t,r===e?n:ga(n,r))?.slice(0,pa)??null;return o===null||!URL.canParse(n,r)||new URL(n,r).href===o?null:o}}function ga(t,e){let[n=""]=t.split(/[?#]/,1);return n===""?(e.split(/[?#]/,1)[0]??"")+t:URL.canParse(n,e)?new URL(n,e).href+t.slice(n.length):t}var ba=5e3,lr=1e3,sr=10,ya=4e6,cr=/url\\(|@import|image-set\\(|src\\(/i;function ur(t,e){let n=[],r=new yt(e);for(let o of t)for(let s of[...Pe(o),...De(o)]){if(n.length>=lr)return n;let i=Kt(s);for(let a of r.read(s,0))n.push(a.resolved===void 0?I(a,i):a)}return n}var yt=class{#t=globalThis.orbweaverSheets??=new WeakMap;#n;#r=0;constructor(e){this.#n=e}read(e,n){if(!this.#n&&e.href!==null&&/^https?:/.test(e.href))return[];let r=e.ownerNode,o=r instanceof HTMLStyleElement||r instanceof SVGStyleElement?k(r)??"":"";if(o.trim()!=="")return this.#o(e,o.length,()=>[...ar(o,null),...this.#e(e,o,n)]);let s=ir(e);return s===null||n>sr?[]:this.#o(e,s.length,()=>this.#s(s,e.href,n))}#e(e,n,r){let o=[];if(!/@import/i.test(n)||r>sr)return o;for(let s of ir(e)??[])if(s instanceof CSSImportRule&&s.styleSheet!==null)o.push(...this.read(s.styleSheet,r+1));else if(s instanceof CSSStyleRule)break;return o}#o(e,n,r){let o=this.#t.get(e);if(o?.size===n)return o.links;let s=r();return this.#t.set(e,{size:n,links:s}),s}#s(e,n,r){let o=[];for(let s of e){if(this.#r+=1,this.#r>ba||o.length>=lr)break;let i=s.cssText;cr.test(i)&&o.push(...ar(i,n)),s instanceof CSSImportRule&&s.styleSheet!==null&&o.push(...this.read(s.styleSheet,r+1))}return o}};function ir(t){try{return t.cssRules}catch{return null}}function ar(t,e){if(t.length>ya||!cr.test(t))return[];let n=it(t,"style");return e===null?n:n.map(r=>URL.canParse(r.href,e)?{...r,resolved:new URL(r.href,e).href.slice(0,8192)}:r)}var ka="http://www.w3.org/1999/xhtml",fr=1e4,Ne=class{#t=new Map;#n=new Map;of(e){let n=Ut(e);if(n.length===0)return null;let r=R(e),o=this.#n.get(r);return o===void 0&&(o=oe(e)===ka&&be(r),this.#n.size<fr&&this.#n.set(r,o)),o?n:this.#r(n)}#r(e){let n=null;for(let r of e){let o=this.#t.get(r);if(o===void 0){let s=r.toLowerCase();o=un.has(s)||s.startsWith("data-")||pe(s)||he.has(s),this.#t.size<fr&&this.#t.set(r,o)}o&&(n===null?n=[r]:n.push(r))}return n}};var wa=2048,Sa=/(?<![\\w@/.-])(?:https?:\\/\\/|www\\.)[^\\s<>"\'`{}|\\\\^\\u201c\\u201d\\u2018\\u2019\\u00ab\\u00bb\\u3000-\\u3002\\uff0c\\uff1b\\uff1a\\uff01\\uff1f\\uff08\\uff09]{3,2049}/gi,La=new Set(`.,;:!?\'"*_~\\u2026`),Ea={")":"(","]":"["};function dr(t){return/https?:\\/\\/|www\\./i.test(t)}function kt(t,e=1e3){let n=new Set;for(let[r]of t.matchAll(Sa)){if(r.length>wa||/(?:\\u2026|\\.\\.\\.)$/.test(r))continue;let o=xe(r.split("](",1)[0]??r,La,Ea),s=/^www\\./i.test(o)?`http://${o}`:o;if(xa(s)&&n.add(s),n.size>=e)break}return[...n]}function xa(t){let n=(/^https?:\\/\\/([^/?#]*)/i.exec(t)?.[1]??"").replace(/:\\d{1,5}$/,"");return(new RegExp("^(?:[\\\\p{L}\\\\p{N}](?:[\\\\p{L}\\\\p{N}_-]*[\\\\p{L}\\\\p{N}])?\\\\.)+(?:\\\\p{L}{2,}|xn--[a-z\\\\d-]+|\\\\d{1,3})$","iu").test(n)||n.toLowerCase()==="localhost")&&!/^www\\.[^.]*$/i.test(n)&&v(t)!==null}var Ra=/[\\s"\'](?:href|src|action|data-href|data-url)\\s*=\\s*(?:"([^"<>]{1,2048})"|\'([^\'<>]{1,2048})\'|([^\\s"\'<>=`]{1,2048}))/gi;function mr(t){return/https?:|www\\.|href|src|action/i.test(t)||z(t)}function pr(t,e=200){let n=new Set;for(let r of t.matchAll(Ra)){let o=(r[1]??r[2]??r[3]??"").trim();if(o!==""&&!/^(?:#|javascript:|data:|mailto:|tel:|about:|blob:)|[{}<>]/i.test(o)&&n.add(o),n.size>=e)return[...n]}for(let r of kt(t,e-n.size))n.add(r);for(let r of K(t,e-n.size))n.add(r);return[...n]}var wt=1e3,gr=5e5,br=5e5,yr=new Set(["script","style","noscript","template","iframe","noframes","noembed"]),va=[...yr].join(","),Ta=[...Wn].join(",");function kr(t){return[...Na(t),...Ca(t)]}function Na(t){if(!Aa(t))return[];let e=[],n=q(t,NodeFilter.SHOW_TEXT);for(let r=n.nextNode(),o=0;r!==null&&o<br;r=n.nextNode(),o++){if(!(r instanceof Text))continue;let[s,i]=[dr(r.data),z(r.data)],a=r.parentNode;if(!s&&!i||a instanceof Element&&yr.has(R(a)))continue;let l=r.data.slice(0,gr);if(s){let c=a instanceof Element?Oa(a):null;for(let f of kt(l,wt-e.length))new URL(f).href!==c&&e.push(u(f,"text","text","low"))}if(i&&(!(a instanceof Element)||_(a,Ta)===null))for(let c of K(l))e.push(u(c,"text","text","low"));if(e.length>=wt)break}return e}function Aa(t){let e=t instanceof Document?D(t):t,n=e===null?0:hr(k(e)??"");if(n===0)return!1;let r=0;for(let o of p(t,va))r+=hr(k(o)??"");return n>r}function hr(t){let e=0;for(let n=t.indexOf("/");n>=0;n=t.indexOf("/",n+1))e+=1;for(let n of t.matchAll(/www\\./gi))e+=1;return e}function Oa(t){let e=_(t,"a[href]");return e instanceof HTMLAnchorElement?Oe(e):null}function Ca(t){let e=[],n=q(t,NodeFilter.SHOW_COMMENT);for(let r=n.nextNode(),o=0;r!==null&&o<br;r=n.nextNode(),o++)if(!(!(r instanceof Comment)||!mr(r.data))){for(let s of pr(r.data.slice(0,gr)))e.push(u(s,"text","comment","low"));if(e.length>=wt)break}return e}var Ma=2e3,wr=2e6,Pa=100,Da=2e4,Ia=15e4,$a="a[href],area[href],iframe[src],img[src],link[href],script[src],form[action]",Ha=\'script,template,noscript,iframe[srcdoc],noframes,noembed,[src^="data:" i]:is(iframe,frame,embed),object[data^="data:" i],[href^="data:" i]:is(a,area)\',Sr="data:";function Lr({links:t,select:e,rules:n}){let r=new Lt(t,e,n);r.run();for(let a of nr())r.recorder.add(a);let{recorder:o,shadowRoots:s,elements:i}=r;return{list:o.list(),shadowRoots:s,elements:i,lacksPlace:a=>r.lacksPlace(a)}}var Lt=class{recorder;shadowRoots=[];elements=0;#t=[{node:document,prefix:""}];#n;#r;#e=new Te;#o=new Ne;#s=[];#i=C(document);#a=p(document,"base[href]").length>0;#u=[];#l=null;#c=0;#f=0;constructor(e,n,r){this.recorder=new ve(e,or()),this.#n=n,this.#r=r,this.#e.base=this.#a?this.#i:null}run(){let e=sn(ae(document)?.systemId??"");e!==null&&this.recorder.add(e);let n=[];for(let o=this.#t.shift();o!==void 0;o=this.#t.shift()){this.#d(o),this.#b(o);let{node:s,prefix:i}=o;for(let a of kr(s))this.recorder.add(a,i);i===""&&((s instanceof Document||s instanceof ShadowRoot)&&n.push(s),this.#S(s))}zt(this.#u);for(let o of ur(n,this.#r))this.recorder.add(o);let r={base:this.recorder.routed(this.#i),isBaseSaid:this.#a};for(let o of Vn(this.#s,r))this.recorder.add(o)}#d({node:e,prefix:n}){let r=n==="",o=p(e,"*"),{length:s}=o,{recorder:i}=this,a=i.total,l=Math.min(s,Math.max(0,Ia-this.#f));this.#f+=l;for(let c=0;c<l;c++){let f=o[c];if(f===void 0)continue;if(r){let E=f.shadowRoot;E!==null&&E instanceof ShadowRoot&&this.#p(E)}let y=this.#o.of(f);if(y===null)continue;this.#e.mute=i.full||i.total>Da;let L=r?B(f):null;r&&L===null&&this.#u.push(f);for(let E of ee(this.#e.set(f,y)))if(r){let re=at(E.href)?this.#h(E,e):E;i.add(L===null?re:I(re,Ie(f,E,L)),n)}else!ot.test(E.href)&&_a(E.href,n)&&i.add(L===null?E:I(E,Ie(f,E,L)),n)}r&&(this.elements+=s),l<s&&i.count(Math.max(0,p(e,$a).length-(i.total-a)))}#p(e){this.#t.push({node:e,prefix:""}),this.shadowRoots.push(e),tr(e)}#h(e,n){return!(n instanceof Document)||e.kind!=="anchor"&&e.kind!=="area"?e:this.lacksPlace(e.href)?{...e,nowhere:!0}:e}lacksPlace(e){return this.#l??=new ke(Ua(document)),this.#l.lacks(e)}#b({node:e,prefix:n}){for(let r of p(e,Ha)){let o=R(r);if(o==="script"){let s=(d(r,"type")??"").trim().toLowerCase();if(Xn(s,d(r,"src"))&&ja(n))this.#s.push(k(r)??"");else for(let i of this.#y(r,s))this.recorder.add(i,n)}else r instanceof HTMLTemplateElement?this.#m(jt(r),te):d(r,"srcdoc")!==null&&o==="iframe"?this.#k(r,n):o.startsWith("no")?o.startsWith("no")&&this.#g(r,n===""?`${o}:`:n):this.#w(r,o,n)}}#y(e,n){return n==="text/template"||n==="text/x-template"||n==="text/html"||/handlebars|mustache|x-tmpl/.test(n)?(this.#g(e,te),[]):!n.includes("json")&&n!=="importmap"&&n!=="speculationrules"?[]:tn(n,k(e)??"")??[]}#k(e,n){let r=(d(e,"loading")??"").trim().toLowerCase()==="lazy";n===""&&(!r||Ba(e))||this.#m(St(d(e,"srcdoc")??""),n===""?"srcdoc:":n)}#w(e,n,r){let o=d(e,n==="object"?"data":n==="a"||n==="area"?"href":"src")??"",s=(d(e,"loading")??"").trim().toLowerCase()==="lazy";r===""&&n.endsWith("frame")&&!s||this.#m(St(rn(o)??""),r===""?Sr:r)}#g(e,n){let r=k(e)??"";if(!(!r.includes("<")||r.length>wr)){for(let o of Fa(r))this.recorder.add(o,n);this.#m(St(r),n)}}#m(e,n){this.#c+=1,e!==null&&this.#c<=Ma&&this.#t.push({node:e,prefix:n})}#S(e){for(let{selector:n,attribute:r}of this.#n)for(let o of Ga(e,n)){let s=d(o,r)?.trim()??"";s!==""&&this.recorder.add(u(s,"attribute",`select:${n}@${r}`))}}};function _a(t,e){return e!==Sr||/^\\s*(?:https?:)?\\/\\//i.test(t)}function ja(t){return t===""||t==="srcdoc:"}function Ua(t){let e=[];for(let n of p(t,"[id],a[name]"))for(let r of["id","name"]){let o=d(n,r);o!==null&&o!==""&&e.push(o)}return e}function Ba(t){return t instanceof HTMLIFrameElement&&$t(t)?.documentURI==="about:srcdoc"}function Fa(t){return[...t.matchAll(/<i?frame\\b[^>]*?\\ssrc\\s*=\\s*(?:"([^">]+)"|\'([^\'>]+)\'|([^\\s"\'>]+))/gi)].slice(0,Pa).map(([,n,r,o])=>u((n??r??o??"").trim(),"frame","iframe/@src")).filter(({href:n})=>!b(n))}function St(t){return t.includes("<")&&t.length<=wr?Bt(t):null}function Ga(t,e){try{return p(t,e)}catch{return[]}}function Er(t){let e=At(document);return e instanceof HTMLElement?It(e).slice(0,t):""}function xr(t,e){let n=D(document);return n===null?"":(za()+(t.length===0?se(n):Wa(n,t))).slice(0,e)}function Wa(t,e){let n=Reflect.get(Element.prototype,"getHTML");if(typeof n!="function")return se(t);let r=String(Reflect.apply(n,t,[{serializableShadowRoots:!0,shadowRoots:e}])),o=se(Node.prototype.cloneNode.call(t,!1)),s=o.lastIndexOf("</");return s<0?o:o.slice(0,s)+r+o.slice(s)}function za(){let t=ae(document);if(t===null)return"";let{name:e,publicId:n,systemId:r}=t,o=n?` PUBLIC "${n}"${r?` "${r}"`:""}`:r?` SYSTEM "${r}"`:"";return`<!DOCTYPE ${e}${o}>\n`}function Rr(t){let e=globalThis.orbweaverRecord;return{kept:(e?.kept??[]).map(r=>{let o=r.how==="hashchange"?r.url.indexOf("#"):-1;return o>=0&&t(r.url.slice(o))?{...r,nowhere:!0}:r}),total:e?.total??0}}function Et(t){let e=[],n=[document];for(let r=n.shift();r!==void 0;r=n.shift()){let o=p(r,"*"),{length:s}=o;for(let i=0;i<s&&e.length<t;i++){let a=o[i];if(a===void 0)continue;e.push(a);let l=Nt(a);l!==null&&n.push(l)}}return e}var Sf=(()=>{let t=Object.getOwnPropertyDescriptor(Node.prototype,"parentNode")?.get;return e=>t?Reflect.apply(t,e,[]):null})(),xt=3e4;var Ka=30,Rt=2;function ne(t){let e=Object.getOwnPropertyDescriptor(Element.prototype,t)?.get;return n=>e===void 0?0:e.call(n)}var qa=ne("clientHeight"),Ja=ne("clientWidth"),Tr=ne("scrollWidth"),Rf=ne("scrollTop"),vf=ne("scrollLeft"),Tf=Element.prototype.scrollTo;function Nr(){let t=[],e=Ce(document);e!==null&&ie(e)>innerHeight+Rt&&t.push({element:e,down:!0,across:!1,mirrored:!1});for(let n of Et(xt)){if(t.length>=Ka)break;if(n===e)continue;let r=qa(n);if(r===0)continue;let o=ie(n)>r+Rt,s=Tr(n)>Ja(n)+Rt;if(!o&&!s)continue;let{overflowX:i,overflowY:a,direction:l}=getComputedStyle(n),c=o&&vr(a),f=s&&vr(i);(c||f)&&t.push({element:n,down:c,across:f,mirrored:l==="rtl"})}return t}function vr(t){return t==="auto"||t==="scroll"||t==="overlay"}var Nf=new Set("div section article aside main ul ol li p tr tbody figure nav footer".split(" "));var Af=(()=>{let t=Object.getOwnPropertyDescriptor(Element.prototype,"firstElementChild")?.get;return e=>t?Reflect.apply(t,e,[]):null})();function Ar(){return globalThis.orbweaverScroll!==void 0&&(globalThis.orbweaverScroll.nodes=-1),Va().scrollers.length>0}function Va(){let t=globalThis.orbweaverScroll??={links:new Set,nodes:-1,scrollers:[],awaiting:null},e=p(document,"*").length;return e!==t.nodes&&(t.scrollers=Nr()),t.nodes=e,t}var _f=Element.prototype.getBoundingClientRect,jf=Element.prototype.scrollIntoView;var Xa="script,style,noscript,template,iframe,noframes,noembed,textarea,title",vt="<";function Cr(t){let e=t instanceof Document?D(t):t;if(e===null)return 0;let n=Or(e,NodeFilter.SHOW_COMMENT|NodeFilter.SHOW_CDATA_SECTION),r=Mr(k(e)??"");if(r===0)return n;let o=Ya(t);return n+(o.marks===r?o.texts:Or(e,NodeFilter.SHOW_TEXT))}function Or(t,e){let n=q(t,e),r=0;for(let o=n.nextNode();o!==null;o=n.nextNode())o instanceof CharacterData&&o.data.includes(vt)&&(r+=1);return r}function Ya(t){let[e,n]=[0,0];for(let r of p(t,Xa))for(let o=r.firstChild;o!==null;o=o.nextSibling){let s=o instanceof Text?Mr(o.data):0;e+=s,s>0&&(n+=1)}return{marks:e,texts:n}}function Mr(t){let e=0;for(let n=t.indexOf(vt);n>=0;n=t.indexOf(vt,n+1))e+=1;return e}function Qa(t){let{list:e,shadowRoots:n,elements:r,lacksPlace:o}=Lr(t),s=Jt(),i=t.scrolls==="always"||t.scrolls==="scripted"&&s.scripted,a={facts:s,base:C(document).slice(0,8192),links:e,tags:r+[document,...n].reduce((l,c)=>l+Cr(c),0),scrolls:i&&Ar(),navigations:Rr(o),html:t.html>0?xr(n,t.html):null,text:t.text>0?Er(t.text):null};return JSON.stringify(a)}return _r(Za);})();return entry.run(input)}';

// src/render/generated/record-navigations.ts
var SOURCE3 =
  '(input)=>{"use strict";var entry=(()=>{var p=Object.defineProperty;var F=Object.getOwnPropertyDescriptor;var U=Object.getOwnPropertyNames;var W=Object.prototype.hasOwnProperty;var $=(e,t)=>{for(var n in t)p(e,n,{get:t[n],enumerable:!0})},G=(e,t,n,a)=>{if(t&&typeof t=="object"||typeof t=="function")for(let o of U(t))!W.call(e,o)&&o!==n&&p(e,o,{get:()=>t[o],enumerable:!(a=F(t,o))||a.enumerable});return e};var K=e=>G(p({},"__esModule",{value:!0}),e);var Se={};$(Se,{run:()=>we});function r(e,t){let n=Object.getOwnPropertyDescriptor(e,t)?.get;if(!n)throw new TypeError(`no accessor ${t}`);return a=>n.call(a)}var d=r(Element.prototype,"localName"),Re=r(Element.prototype,"namespaceURI"),xe=r(Element.prototype,"shadowRoot"),Oe=r(Element.prototype,"outerHTML"),ke=r(Element.prototype,"scrollHeight"),v=r(Node.prototype,"textContent"),m=r(Node.prototype,"baseURI"),De=r(Document.prototype,"documentElement"),Te=r(Document.prototype,"body"),Le=r(Document.prototype,"title"),Ne=r(Document.prototype,"doctype"),je=r(Document.prototype,"cookie"),Me=r(Document.prototype,"contentType"),Ae=r(Document.prototype,"readyState"),He=r(Document.prototype,"characterSet"),Ce=r(HTMLAnchorElement.prototype,"href"),Be=r(Document.prototype,"scrollingElement"),Ie=r(HTMLElement.prototype,"innerText"),Fe=r(HTMLIFrameElement.prototype,"contentDocument"),P=r(HTMLMediaElement.prototype,"currentSrc"),w=r(Node.prototype,"isConnected"),Ue=r(HTMLTemplateElement.prototype,"content"),q=r(Document.prototype,"styleSheets"),z=r(ShadowRoot.prototype,"styleSheets"),_=r(Document.prototype,"adoptedStyleSheets"),Q=r(ShadowRoot.prototype,"adoptedStyleSheets"),{getAttribute:V}=Element.prototype,{setAttribute:We,getAttributeNames:$e,closest:Ge,matches:J}=Element.prototype,{createElementNS:Ke,createNodeIterator:Pe,querySelectorAll:X}=Document.prototype,{querySelectorAll:Y}=DocumentFragment.prototype,{querySelectorAll:Z}=Element.prototype;function c(e,t){return V.call(e,t)}function S(e,t){return J.call(e,t)}function E(e){return e instanceof Document?q(e):z(e)}function R(e){return e instanceof Document?_(e):Q(e)}function f(e,t){return e instanceof Document?X.call(e,t):e instanceof Element?Z.call(e,t):Y.call(e,t)}function x(e,t){return e.slice(0,t*8).replace(/\\s+/g," ").trim().slice(0,t)}var ee=20,O=2e5,te=8192,ne=new Set("audio embed feimage frame iframe image img input link object script source track use video".split(" ")),oe="href src srcset imagesrcset data poster action background style xlink:href".split(" ");function re(){return globalThis.orbweaverBases??={elements:new WeakMap,sheets:new WeakMap,read:new WeakSet,lately:[],changes:0,looked:0},globalThis.orbweaverBases}function ae(e){for(let t of e.lately)e.read.add(t);e.lately=[]}function D(e){let t=re(),n=m(document).slice(0,te);if(t.changes>=ee||t.looked>=O||k(n)===k(se(e)))return;t.changes+=1,ae(t);let a=[document];for(let o=a.pop();o!==void 0&&t.looked<O;o=a.pop()){for(let s of[...E(o),...R(o)])t.sheets.has(s)||t.sheets.set(s,n);let l=f(o,"*");t.looked+=l.length;for(let s of l){let i=s.shadowRoot;if(i!==null&&i instanceof ShadowRoot&&a.push(i),!t.read.has(s)&&!ne.has(d(s))&&!ce(s))continue;let u=N(s);t.elements.get(s)?.names!==u&&t.elements.set(s,{base:n,names:u})}}}function T(e){let t=globalThis.orbweaverBases,n=t===void 0||t.changes===0?void 0:t.elements.get(e);return n===void 0||n.names!==N(e)?null:n.base}function L(e,t){return t===null||e.href===""||e.href.startsWith("#")?e:{...e,base:t}}function se(e){let t=le("base[href]","href");return t===null?e:URL.canParse(t,e)?new URL(t,e).href:e}function le(e,t){let n=f(document,e)[0];return n===void 0?null:c(n,t)}function k(e){return e.split(/[?#]/,1)[0]??""}function ce(e){return c(e,"style")?.includes("url(")===!0}function N(e){return oe.map(t=>c(e,t)??"").join(`\n`)}var ie=50,ue=4096,de=5;function M(){if(globalThis.orbweaverRecord!==void 0)return;let e=Reflect.get(globalThis,"navigation");if(!(e instanceof EventTarget))return;let t={kept:[],total:0,seen:new Set};globalThis.orbweaverRecord=t;let n=0;e.addEventListener("currententrychange",()=>n=0),e.addEventListener("navigate",a=>{let o=a,l=o.destination.url.slice(0,ue);t.total+=1,o.destination.sameDocument&&!o.hashChange&&D(l);let s=pe(o);s!==null&&t.kept.length<ie&&!t.seen.has(`${s} ${l}`)&&(t.seen.add(`${s} ${l}`),t.kept.push({how:s,url:l})),!(o.destination.sameDocument||!o.cancelable)&&(o.formData!==null&&globalThis.orbweaverSends===!0||globalThis.orbweaverReloads===!0&&fe(o)||(me(o)&&n<de?n+=1:o.preventDefault()))})}function fe({navigationType:e,destination:t,formData:n,downloadRequest:a}){return n!==null||a!==null||window!==window.parent?!1:e==="reload"||j(t.url)===j(location.href)}function j(e){return e.split("#",1)[0]??""}function me({canIntercept:e,navigationType:t,downloadRequest:n}){return!e||!(t==="push"||t==="replace")||n!==null||window!==window.parent?!1:document.readyState!=="loading"}function pe(e){return e.navigationType==="traverse"||e.navigationType==="reload"?null:e.formData!==null?"post":e.downloadRequest!==null?"download":e.destination.sameDocument?e.hashChange?"hashchange":e.navigationType==="push"?"pushState":"replaceState":e.sourceElement?.closest("form")?"form":e.sourceElement?"click":"location"}var g=1e3,H=1e5,he=3e4,A="a[href],area[href],iframe[src],form[action]";function C(){if(globalThis.orbweaverRemovals!==void 0)return;let e=new MutationObserver(n=>be(n));globalThis.orbweaverRemovals={links:new Map,roots:new WeakSet,observer:e,looked:0,changes:0};let t=()=>ge(document);document.readyState!=="loading"?t():Document.prototype.addEventListener.call(document,"readystatechange",t,{once:!0,capture:!0})}function ge(e){let t=globalThis.orbweaverRemovals;if(t===void 0||t.roots.has(e)||t.looked>=H)return;t.roots.add(e);let n={childList:!0,subtree:!0,attributeFilter:["href","src","action"],attributeOldValue:!0};t.observer.observe(e,n)}function be(e){let t=globalThis.orbweaverRemovals;if(t!==void 0){t.changes+=e.length;for(let n of e){if(t.changes>=he||t.looked>=H||t.links.size>=g){t.observer.disconnect();return}n.type==="attributes"?ve(n,t):n.removedNodes.length>0&&ye(n.removedNodes,t)}}}function ye(e,t){for(let n of e)if(t.looked+=1,!(!(n instanceof Element)||w(n))){S(n,A)&&h(n,t);for(let a of f(n,A))if(t.looked+=1,h(a,t),t.links.size>=g)return}}var B=new Map([["a",["href","anchor"]],["area",["href","area"]],["iframe",["src","frame"]],["form",["action","form"]]]);function h(e,{links:t},n=null){let a=d(e),[o,l]=B.get(a)??[null,null];if(o===null||l===null)return;let s=(n??c(e,o)??"").trim().slice(0,8192);if(s===""||/^(?:#(?!!?\\/)|javascript:|about:|data:|blob:)/i.test(s))return;let i=(c(e,"method")??"get").trim().toLowerCase();if(l==="form"&&(i==="post"||i==="dialog"))return;let u=(c(e,"rel")??"").slice(0,200),b=T(e)??m(document).slice(0,8192),y=`${a} ${u} ${s} ${b}`;if(t.has(y)||t.size>=g)return;let I=l==="anchor"&&n===null?x(v(e)??"",200):"";t.set(y,L({href:s,kind:l,context:`${a}/@${o}`,text:I,rel:u},b))}function ve({target:e,attributeName:t,oldValue:n},a){a.looked+=1,!(!(e instanceof Element)||n===null||n.trim()==="")&&B.get(d(e))?.[0]===t&&h(e,a,n)}function we(){M(),C()}return K(Se);})();return entry.run(input)}';

// src/render/generated/scroll.ts
var SOURCE4 =
  '(input)=>{"use strict";var entry=(()=>{var E=Object.defineProperty;var F=Object.getOwnPropertyDescriptor;var V=Object.getOwnPropertyNames;var X=Object.prototype.hasOwnProperty;var z=(e,t)=>{for(var o in t)E(e,o,{get:t[o],enumerable:!0})},U=(e,t,o,r)=>{if(t&&typeof t=="object"||typeof t=="function")for(let l of V(t))!X.call(e,l)&&l!==o&&E(e,l,{get:()=>t[l],enumerable:!(r=F(t,l))||r.enumerable});return e};var _=e=>U(E({},"__esModule",{value:!0}),e);var me={};z(me,{run:()=>de});function n(e,t){let o=Object.getOwnPropertyDescriptor(e,t)?.get;if(!o)throw new TypeError(`no accessor ${t}`);return r=>o.call(r)}var j=n(Element.prototype,"localName"),ge=n(Element.prototype,"namespaceURI"),N=n(Element.prototype,"shadowRoot"),ye=n(Element.prototype,"outerHTML"),p=n(Element.prototype,"scrollHeight"),L=n(Node.prototype,"textContent"),be=n(Node.prototype,"baseURI"),Se=n(Document.prototype,"documentElement"),Ee=n(Document.prototype,"body"),xe=n(Document.prototype,"title"),Oe=n(Document.prototype,"doctype"),we=n(Document.prototype,"cookie"),De=n(Document.prototype,"contentType"),Te=n(Document.prototype,"readyState"),je=n(Document.prototype,"characterSet"),Ne=n(HTMLAnchorElement.prototype,"href"),g=n(Document.prototype,"scrollingElement"),Le=n(HTMLElement.prototype,"innerText"),Re=n(HTMLIFrameElement.prototype,"contentDocument"),Me=n(HTMLMediaElement.prototype,"currentSrc"),Ae=n(Node.prototype,"isConnected"),He=n(HTMLTemplateElement.prototype,"content"),ve=n(Document.prototype,"styleSheets"),ke=n(ShadowRoot.prototype,"styleSheets"),Ie=n(Document.prototype,"adoptedStyleSheets"),Ce=n(ShadowRoot.prototype,"adoptedStyleSheets"),{getAttribute:q}=Element.prototype,{setAttribute:Pe,getAttributeNames:We,closest:Be,matches:Q}=Element.prototype,{createElementNS:Fe,createNodeIterator:Ve,querySelectorAll:G}=Document.prototype,{querySelectorAll:Y}=DocumentFragment.prototype,{querySelectorAll:$}=Element.prototype;function f(e,t){return q.call(e,t)}function R(e,t){return Q.call(e,t)}function m(e,t){return e instanceof Document?G.call(e,t):e instanceof Element?$.call(e,t):Y.call(e,t)}function y(e){let t=[],o=[document];for(let r=o.shift();r!==void 0;r=o.shift()){let l=m(r,"*"),{length:s}=l;for(let i=0;i<s&&t.length<e;i++){let u=l[i];if(u===void 0)continue;t.push(u);let a=N(u);a!==null&&o.push(a)}}return t}var Ue=(()=>{let e=Object.getOwnPropertyDescriptor(Node.prototype,"parentNode")?.get;return t=>e?Reflect.apply(e,t,[]):null})(),b=3e4;var J=30,x=2;function h(e){let t=Object.getOwnPropertyDescriptor(Element.prototype,e)?.get;return o=>t===void 0?0:t.call(o)}var A=h("clientHeight"),H=h("clientWidth"),S=h("scrollWidth"),O=h("scrollTop"),w=h("scrollLeft"),K=Element.prototype.scrollTo;function D(e,t){Reflect.apply(K,e,[t])}function v(){let e=[],t=g(document);t!==null&&p(t)>innerHeight+x&&e.push({element:t,down:!0,across:!1,mirrored:!1});for(let o of y(b)){if(e.length>=J)break;if(o===t)continue;let r=A(o);if(r===0)continue;let l=p(o)>r+x,s=S(o)>H(o)+x;if(!l&&!s)continue;let{overflowX:i,overflowY:u,direction:a}=getComputedStyle(o),c=l&&M(u),d=s&&M(i);(c||d)&&e.push({element:o,down:c,across:d,mirrored:a==="rtl"})}return e}function M(e){return e==="auto"||e==="scroll"||e==="overlay"}function k({element:e,down:t,across:o,mirrored:r}){let l=o?S(e)*(r?-1:1):w(e);D(e,{top:t?p(e):O(e),left:l,behavior:"instant"})}function T({element:e,down:t,across:o,mirrored:r},l){let[s,i]=[O(e),w(e)];return D(e,{top:t?s+l*A(e):s,left:o?i+l*H(e)*(r?-1:1):i,behavior:"instant"}),Math.abs(O(e)-s)+Math.abs(w(e)-i)>1}function I({element:e}){D(e,{top:0,left:0,behavior:"instant"})}var Z=new Set("div section article aside main ul ol li p tr tbody figure nav footer".split(" ")),ee=/^(?:loading|please wait|laden|chargement|cargando|caricamento|carregando|\u0437\u0430\u0433\u0440\u0443\u0437\u043A\u0430|\u52A0\u8F7D|\u8AAD\u307F\u8FBC\u307F)/i,te=\'[aria-busy="true"],[loading="lazy"],[client],[hx-trigger],[x-intersect]\';function C(e){let t=j(e);if(R(e,te)&&oe(e,t))return!0;if(!Z.has(t)&&!t.includes("-"))return!1;let o=L(e)??"";if(o.length>40)return!1;let r=o.trim();return r===""?ne(e)&&le(e):ee.test(r)}function oe(e,t){return f(e,"aria-busy")==="true"||t!=="iframe"&&f(e,"loading")==="lazy"&&t!=="img"?!0:["client","hx-trigger","x-intersect"].some(o=>/visible|revealed|intersect|^$/.test(f(e,o)??"-"))}function ne(e){return Element.prototype.getAttributeNames.call(e).some(t=>/^(?:id|class|data-|style)/.test(t))}var re=(()=>{let e=Object.getOwnPropertyDescriptor(Element.prototype,"firstElementChild")?.get;return t=>e?Reflect.apply(e,t,[]):null})();function le(e){return re(e)===null&&e.shadowRoot===null}var ce=40,se=.8;function W({to:e}){let t=ie(),{scrollers:o,nodes:r}=t,l=o.reduce((c,{element:d})=>c+p(d)+S(d),0),s=ae(),i=[...t.links].some(c=>!s.has(c));t.links=s;let u={height:l,links:s.size,nodes:r,scrollable:o.length>0,recycled:i,moved:!1};if(e==="start")for(let c of o)I(c);let a=e==="next"&&o.length>0&&pe(t);if(e==="end"||e==="next"&&!a)for(let c of o)k(c);if(e==="step")for(let c of o)a=T(c,se)||a;if(e==="back")for(let c of o)a=T(c,-2)||a;return{...u,moved:a}}function ie(){let e=globalThis.orbweaverScroll??={links:new Set,nodes:-1,scrollers:[],awaiting:null},t=m(document,"*").length;return t!==e.nodes&&(e.scrollers=v()),e.nodes=t,e}function ae(){let e=new Set;for(let t of m(document,"a[href],area[href]"))e.add(f(t,"href")??"");return e}var B=Element.prototype.getBoundingClientRect,ue=Element.prototype.scrollIntoView;function pe(e){e.awaiting??=y(b).filter(t=>C(t)&&P(t)).slice(0,ce*10).map(t=>new WeakRef(t));for(let t=e.awaiting.shift();t!==void 0;t=e.awaiting.shift()){let o=t.deref();if(!(o===void 0||!P(o)||fe(o)))return ue.call(o,{block:"center",behavior:"instant"}),!0}return!1}function P(e){let{top:t,width:o}=B.call(e);return t>innerHeight&&o>0}function fe(e){let t=g(document);return t!==null&&B.call(e).top+scrollY>p(t)-innerHeight}function de(e){return JSON.stringify(W(e))}return _(me);})();return entry.run(input)}';

// src/render/page/resident-scripts.ts
var RESIDENTS = /* @__PURE__ */ new Map([
  [SOURCE2, 'collect'],
  [SOURCE4, 'scroll'],
]);
var DOCUMENT_START = [
  `(${SOURCE3})();globalThis.orbweaverResidents={`,
  [...RESIDENTS].map(([source, name]) => `${name}:${source}`).join(','),
  '};',
].join('');

// src/render/page/check-selectors.ts
import { z as z2 } from 'zod';

// src/render/page/isolated-world.ts
import { z } from 'zod';

// src/model/link-kinds.ts
var TABLE2 = {
  anchor: { letter: 'a', class: 'link', inDocuments: true },
  area: { letter: 'r', class: 'link', inDocuments: true },
  frame: { letter: 'f', class: 'link', inDocuments: true },
  form: { letter: 'o', class: 'link', inDocuments: true },
  'meta-refresh': { letter: 'm', class: 'link', inDocuments: true },
  header: { letter: 'h', class: 'hint' },
  'link-element': { letter: 'l', class: 'hint', inDocuments: true },
  redirect: { letter: 'd', class: 'link' },
  history: { letter: 'y', class: 'link' },
  navigation: { letter: 'n', class: 'link' },
  'window-open': { letter: 'w', class: 'link' },
  click: { letter: 'c', class: 'link' },
  script: { letter: 't', class: 'link', inDocuments: true },
  json: { letter: 'j', class: 'hint', inDocuments: true },
  css: { letter: 'u', class: 'subresource', inDocuments: true },
  sitemap: { letter: 'p', class: 'hint' },
  robots: { letter: 'b', class: 'hint' },
  feed: { letter: 'e', class: 'hint' },
  /** A subresource named by markup: a picture, script, sheet or media file. */
  resource: { letter: 'i', class: 'subresource', inDocuments: true },
  /** An attribute that is no link of HTML: `data-href`, `hx-get`, `ping`, `cite`. */
  attribute: { letter: 'v', class: 'link', inDocuments: true },
  /** A URL in text or in a comment. */
  text: { letter: 'x', class: 'link', inDocuments: true },
  /** A script's request to the network: fetch, XHR, event stream, socket, beacon, worker, import. */
  request: { letter: 'q', class: 'subresource' },
  /** Added by a page hook of the user. */
  hook: { letter: 'k', class: 'link' },
};
var ROWS = TABLE2;
var LINK_KINDS = Object.keys(ROWS).filter((kind) => kind in ROWS);
var RAW_KINDS = new Set(LINK_KINDS.filter((kind) => ROWS[kind].inDocuments === true));

// src/model/page-facts.ts
var NAVIGATION_WAYS = ['pushState', 'replaceState', 'hashchange', 'location', 'click', 'form', 'post', 'download'];

// src/render/page/isolated-world.ts
var text = (limit) => z.string().transform((value) => cutText(value, limit));
var count = z.number().nonnegative().catch(0);
var texts = (items, limit) => z.array(text(limit)).transform((values) => values.slice(0, items));
var activityCountersShape = z.object({ frames: count, idles: count, animations: count });
var factsShape = z.object({
  url: text(URL_LENGTH),
  title: text(FACT_LENGTH),
  description: text(FACT_LENGTH).nullable(),
  canonical: text(URL_LENGTH).nullable(),
  lang: text(100).nullable(),
  h1: texts(50, FACT_LENGTH),
  robots: texts(50, FACT_LENGTH),
  bytes: count,
  pageClock: count,
  cookies: count,
  contentType: text(100),
  parsing: z.boolean(),
  scripted: z.boolean(),
  shows: z.boolean(),
  activity: activityCountersShape,
});
var collectionShape = z.object({
  facts: factsShape,
  base: text(URL_LENGTH),
  links: z.object({ kept: z.array(z.unknown()), total: count }),
  tags: count,
  scrolls: z.boolean(),
  navigations: z.object({
    kept: z
      .array(z.object({ how: z.enum(NAVIGATION_WAYS), url: text(URL_LENGTH), nowhere: z.literal(true).optional() }))
      .transform((kept) => kept.slice(0, NAVIGATION_LIMIT)),
    total: count,
  }),
  html: text(HTML_LIMIT).nullable(),
  text: text(TEXT_LIMIT).nullable(),
});
var resolvedShape = z.array(text(URL_LENGTH).nullable());
var activitySampleShape = activityCountersShape.extend({
  idling: z.boolean(),
  nodes: count,
  links: count,
  letters: count,
});

// src/render/page/check-selectors.ts
var verdicts = z2.array(z2.boolean());

// src/core/politeness/retry-after.ts
var RETRY_AFTER_LEAST = seconds(1);
var RETRY_AFTER_MOST = hours(1);

// src/render/limits/hook-limits.ts
var HOOK_TIME = seconds(10);
var HOOK_AFTERMATH = milliseconds(500);
var HOOK_STALL = seconds(1);

// src/render/idle/real-idle-wait.ts
import { z as z3 } from 'zod';
var size = z3.number().nonnegative();

// src/core/links/data/block-json.ts
var LENGTH2 = 4 * 1024 * 1024;

// src/core/links/texts/written-urls.ts
var CLOSING3 = new Set(`.,;:!?'"*_~\u2026`);

// src/render/idle/page-frames.ts
import { z as z4 } from 'zod';
var drawn = z4.literal(true);

// src/render/details/read-behaviour.ts
import { z as z5 } from 'zod';
var size2 = z5.number().nonnegative().max(1e6).transform(Math.round);
var details = z5.object({
  images: z5
    .array(
      z5.object({
        url: z5.string().max(URL_LENGTH),
        ...{ width: size2, height: size2, shownWidth: size2, shownHeight: size2 },
      }),
    )
    .transform((images) => images.slice(0, 100)),
  fonts: z5.array(z5.string()).transform((names) => names.slice(0, FONTS).map((name) => cutText(name, 100))),
  storage: z5.object({ local: size2, session: size2 }).nullable(),
});

// src/render/limits/consent-limits.ts
var CONSENT_STEP = milliseconds(500);
var CONSENT_TICK = milliseconds(10);
var CONSENT_AFTERMATH = milliseconds(1e3);
var CONSENT_TIME = seconds(10);
var CONSENT_MESSAGE_LENGTH = kibibytes(64);

// src/render/consent/engine-message.ts
import { z as z6 } from 'zod';
var short = z6.string().max(200);
var message = z6.discriminatedUnion('type', [
  z6.object({ type: z6.literal('eval'), id: short, snippetId: short }),
  z6.object({ type: z6.literal('popupFound'), cmp: short }),
  z6.object({ type: z6.literal('optOutResult'), result: z6.boolean() }),
  z6.object({ type: z6.literal('optInResult'), result: z6.boolean() }),
  z6.object({ type: z6.literal('autoconsentDone'), isCosmetic: z6.boolean() }),
  z6.object({ type: z6.literal('selfTestResult'), result: z6.boolean() }),
  z6.object({ type: z6.literal('report'), state: z6.object({ lifecycle: short }) }),
]);

// src/render/extract/screenshot.ts
import { z as z7 } from 'zod';
var stateShape = z7.object({
  pictures: z7.number().nonnegative(),
  fonts: z7.boolean(),
  videos: z7.number().nonnegative(),
});

// src/core/interaction/interaction-budget.ts
var TIME_EARNED = milliseconds(1e3);

// src/render/limits/interaction-limits.ts
var INPUT_LIMIT = milliseconds(1500);
var SCROLL_ROUND_TIME = milliseconds(300);
var SCROLL_STEP_TIME = milliseconds(100);
var INTERACTION_TIME = milliseconds(2e4);
var EARNED_TIME = milliseconds(4e4);
var KEY_SCRIPT_LENGTH = 1e6;
var KEY_HANDLERS = 40;
var KEY_HANDLER_LENGTH = 5e3;
var INTERACTION_MARGIN = milliseconds(3e3);
var FORMS_READ = 50;
var FIELDS_READ = 100;
var LISTENING_NODES_READ = 3e3;
var SELECTORS_READ = 200;
var ACTION_TIME = milliseconds(400);
var HOLD_TIME = milliseconds(700);
var ACT_LIMIT = milliseconds(1500);
var FORM_ANSWER_TIME = milliseconds(5e3);
var FORM_ANSWER_TICK = milliseconds(20);
var FRAMEWORK_LIMIT = milliseconds(1500);

// src/core/interaction/destructive-action.ts
var SIGNS_OUT = {
  english:
    'log out|,logout|,log off|,logoff|,log me out|,sign out|,signout|,sign off|,signoff|,sign me out|,end session,exit!,quit!,switch account,switch user,disable account,close account,delete account,delete my account,delete your account,cancel account,deactivat,unregister,reset all,factory reset,clear all data,clear site data,clear storage,forget me|,forget this device',
  german:
    'abmelden|,ausloggen|,logout|,konto schlie\xDFen,konto schliessen,konto l\xF6schen,konto loeschen,benutzer wechseln,konto wechseln,deaktivier,sitzung beenden,alle daten l\xF6schen',
  french:
    'd\xE9connexion,deconnexion,se d\xE9connecter,se deconnecter,d\xE9connecter,d\xE9sinscri,desinscri,d\xE9sactiver,desactiver,fermer mon compte,fermer le compte,supprimer mon compte,supprimer le compte,changer de compte',
  spanish:
    'cerrar sesi\xF3n,cerrar sesion,salir|,salir de la cuenta,darse de baja,dar de baja,cancelar cuenta,eliminar cuenta,eliminar mi cuenta,desactivar|,cambiar de cuenta',
  italian:
    'disconnetti,esci|,logout|,disiscriv,disattiva|,chiudi account,cancella account,elimina account,cambia account',
  portuguese:
    'terminar sess\xE3o,encerrar sess\xE3o,sair|,sair da conta,desconectar,cancelar conta,excluir conta,descadastrar,desativar|,trocar de conta',
  dutch:
    'uitloggen|,afmelden|,log uit|,uitschrijven|,account sluiten,account verwijderen,deactiveer,wissel van account',
  polish: 'wyloguj,wypisz|,dezaktywuj,zamknij konto,usu\u0144 konto,prze\u0142\u0105cz konto',
  russian:
    '\u0432\u044B\u0439\u0442\u0438|,\u0432\u044B\u0445\u043E\u0434!,\u0440\u0430\u0437\u043B\u043E\u0433\u0438\u043D,\u0434\u0435\u0430\u043A\u0442\u0438\u0432\u0438\u0440,\u0437\u0430\u043A\u0440\u044B\u0442\u044C \u0430\u043A\u043A\u0430\u0443\u043D\u0442,\u0443\u0434\u0430\u043B\u0438\u0442\u044C \u0430\u043A\u043A\u0430\u0443\u043D\u0442,\u0441\u043C\u0435\u043D\u0438\u0442\u044C \u0430\u043A\u043A\u0430\u0443\u043D\u0442',
  chinese:
    '\u9000\u51FA\u767B\u5F55,\u767B\u51FA,\u6CE8\u9500,\u9000\u51FA\u8D26\u53F7,\u767B\u5F55\u9000\u51FA,\u505C\u7528,\u5207\u6362\u8D26\u53F7',
  japanese:
    '\u30ED\u30B0\u30A2\u30A6\u30C8,\u30B5\u30A4\u30F3\u30A2\u30A6\u30C8,\u9000\u4F1A,\u767B\u9332\u89E3\u9664,\u30A2\u30AB\u30A6\u30F3\u30C8\u3092\u524A\u9664,\u30A2\u30AB\u30A6\u30F3\u30C8\u5207\u66FF',
};
var ENDS = {
  english:
    'delete,deletion|,remove,erase,destroy,discard|,wipe|,purge|,trash!,revoke,cancel my,cancel subscription,cancel order,cancel membership,cancel plan,unsubscribe,opt out,uninstall,terminate,ban!,block user,report user,buy|,buy now,purchase,checkout|,check out|,pay|,pay now,payment|,place order,place your order,order now,order!,reorder!,add to cart,add to basket,add to bag,donate|,subscribe and pay,bid!,place bid,transfer money,withdraw|,reset password,drop table,empty trash,empty cart,book now,reserve now,rent now,upgrade now,start trial,start free trial',
  german:
    'l\xF6sch,loesch,entfernen|,verwerfen|,k\xFCndig,kuendig,abbestell,austragen|,kaufen|,jetzt kaufen,zahlungspflichtig,bestell,bezahl,zur kasse,kasse!,in den warenkorb,warenkorb legen,spenden|,storn,widerruf,\xFCberweis,ueberweis,jetzt buchen,mieten|,papierkorb leeren,sperren|',
  french:
    'supprim,effacer|,retirer|,d\xE9sabonn,desabonn,r\xE9sili,resili,annuler mon,annuler la commande,acheter|,achat!,commander|,payer|,paiement|,passer commande,ajouter au panier,faire un don,r\xE9server|,vider le panier',
  spanish:
    'eliminar,borrar|,quitar|,suprimir|,cancelar suscripci\xF3n,cancelar suscripcion,cancelar mi,cancelar pedido,comprar|,comprar ahora,pagar|,pago!,realizar pedido,hacer pedido,pedir ahora,finalizar compra,tramitar pedido,a\xF1adir al carrito,agregar al carrito,donar|,reservar|',
  italian:
    'elimina,cancella|,cancellare|,rimuovi|,rimuovere|,annulla iscrizione,annulla ordine,compra|,acquista|,acquistare|,ordina ora,effettua ordine,paga|,pagamento|,cassa|,aggiungi al carrello,svuota,dona!,dona ora,prenota|',
  portuguese:
    'excluir|,apagar|,eliminar|,remover|,cancelar assinatura,cancelar inscri\xE7\xE3o,cancelar pedido,comprar|,pagar|,pagamento|,finalizar compra,fazer pedido,encomendar|,adicionar ao carrinho,doar|,reservar|',
  dutch:
    'verwijder,wissen|,opzeggen|,annuleer bestelling,kopen|,koop nu,nu kopen,bestel|,bestellen|,bestel nu,afrekenen|,betaal,betalen|,in winkelwagen,in winkelmand,doneer|,boek nu',
  polish:
    'usu\u0144|,usun|,usuwa,skasuj|,kasuj|,anuluj subskrypcj\u0119,anuluj zam\xF3wienie,zrezygnuj,kup|,kup teraz,kupuj\u0119|,zamawiam|,zam\xF3w|,zamow|,zap\u0142a\u0107|,zaplac|,p\u0142ac\u0119|,do kasy,do koszyka,dodaj do koszyka,wesprzyj|,zarezerwuj',
  russian:
    '\u0443\u0434\u0430\u043B\u0438\u0442\u044C|,\u0443\u0434\u0430\u043B\u0438,\u0441\u0442\u0435\u0440\u0435\u0442\u044C|,\u043E\u0447\u0438\u0441\u0442\u0438\u0442\u044C|,\u043E\u0442\u043F\u0438\u0441\u0430\u0442\u044C\u0441\u044F|,\u043E\u0442\u043C\u0435\u043D\u0438\u0442\u044C \u043F\u043E\u0434\u043F\u0438\u0441\u043A\u0443,\u043E\u0442\u043C\u0435\u043D\u0438\u0442\u044C \u0437\u0430\u043A\u0430\u0437,\u043A\u0443\u043F\u0438\u0442\u044C|,\u043F\u043E\u043A\u0443\u043F\u043A\u0430|,\u0437\u0430\u043A\u0430\u0437\u0430\u0442\u044C|,\u043E\u0444\u043E\u0440\u043C\u0438\u0442\u044C \u0437\u0430\u043A\u0430\u0437,\u043E\u043F\u043B\u0430\u0442\u0438\u0442\u044C|,\u043E\u043F\u043B\u0430\u0442\u0430|,\u0432 \u043A\u043E\u0440\u0437\u0438\u043D\u0443,\u043F\u043E\u0436\u0435\u0440\u0442\u0432\u043E\u0432\u0430\u0442\u044C|,\u0437\u0430\u0431\u0440\u043E\u043D\u0438\u0440\u043E\u0432\u0430\u0442\u044C|',
  chinese:
    '\u5220\u9664,\u522A\u9664,\u79FB\u9664,\u6E05\u7A7A,\u9000\u8BA2,\u9000\u8A02,\u53D6\u6D88\u8BA2\u9605,\u53D6\u6D88\u8A02\u95B1,\u53D6\u6D88\u8BA2\u5355,\u53D6\u6D88\u8A02\u55AE,\u8D2D\u4E70,\u8CFC\u8CB7,\u7ACB\u5373\u8D2D\u4E70,\u4E0B\u5355,\u4E0B\u55AE,\u7ED3\u8D26,\u7D50\u5E33,\u7ED3\u7B97,\u652F\u4ED8,\u4ED8\u6B3E,\u52A0\u5165\u8D2D\u7269\u8F66,\u52A0\u5165\u8CFC\u7269\u8ECA,\u6350\u6B3E,\u6350\u8D60',
  japanese:
    '\u524A\u9664,\u6D88\u53BB,\u89E3\u7D04,\u8CFC\u8AAD\u89E3\u9664,\u914D\u4FE1\u505C\u6B62,\u30AD\u30E3\u30F3\u30BB\u30EB\u3059\u308B,\u6CE8\u6587\u3092\u30AD\u30E3\u30F3\u30BB\u30EB,\u8CFC\u5165,\u6CE8\u6587,\u30EC\u30B8\u306B\u9032\u3080,\u652F\u6255,\u30AB\u30FC\u30C8\u306B\u5165\u308C\u308B,\u30AB\u30FC\u30C8\u306B\u8FFD\u52A0,\u5BC4\u4ED8,\u4E88\u7D04\u3059\u308B',
};
var COMMITS = {
  english:
    'send|,submit|,publish|,post!,post comment,reply|,save|,save changes,confirm|,accept|,agree|,approve|,apply|,apply now,update profile,sign up|,signup|,register|,create account,subscribe|,follow!,unfollow|,join!,like!,upvote|,downvote|,vote!,rate!,share|,tweet|,invite!,report!,flag!,upload|,import!,install!,allow!,enable notifications,request!,book!,reserve!,i agree,yes!,grant!,merge!,deploy|,restart|,archive!,reset!,claim!,log in|,login|,sign in|,signin|',
  german:
    'absenden|,senden|,abschicken|,schicken|,ver\xF6ffentlich,veroeffentlich,speicher,best\xE4tig,bestaetig,akzeptier,zustimm,einverstanden|,annehmen|,registrier,abonnier,anmelden|,einloggen|,bewerben|,teilen!,kommentieren|,antworten|,folgen|,melden!,hochladen|,anfrage|,reservier,genehmig,gef\xE4llt mir',
  french:
    "envoyer|,soumettre|,publier|,poster|,r\xE9pondre|,repondre|,enregistrer|,sauvegarder|,confirmer|,valider|,accepter|,tout accepter,approuver|,inscri,s'inscrire,s'abonner,abonner|,connexion|,se connecter,partager|,suivre!,signaler|,postuler|,t\xE9l\xE9verser|,j'accepte",
  spanish:
    'enviar|,publicar|,responder|,guardar|,confirmar|,aceptar|,aprobar|,registrarse|,registrar|,reg\xEDstrate|,suscrib,iniciar sesi\xF3n,iniciar sesion,compartir|,seguir!,denunciar|,solicitar|,subir|',
  italian:
    'invia|,inviare|,pubblica|,rispondi|,salva|,salvare|,conferma|,accetta|,approva|,registrati|,iscriviti|,abbonati|,accedi|,condividi|,segui!,segnala|,candidati|,carica file',
  portuguese:
    'enviar|,publicar|,postar|,responder|,salvar|,guardar|,gravar|,confirmar|,aceitar|,aprovar|,registar|,registrar|,cadastr,inscrever,subscrever|,assinar|,entrar|,partilhar|,compartilhar|,seguir!,denunciar|',
  dutch:
    'verzend,versturen|,verstuur|,plaatsen|,publiceer,publiceren|,reageer|,opslaan|,bewaren|,bevestig,accepteer,accepteren|,akkoord|,registreer,aanmelden|,inschrijven|,inloggen|,abonneer,delen!,volgen|,solliciteer',
  polish:
    'wy\u015Blij|,wyslij|,opublikuj|,publikuj|,odpowiedz|,zapisz|,potwierd\u017A|,potwierdz|,akceptuj|,akceptuj\u0119|,zaakceptuj,zgadzam,zatwierd\u017A|,zarejestruj,zaloguj,subskrybuj|,udost\u0119pnij|,obserwuj|,zg\u0142o\u015B|',
  russian:
    '\u043E\u0442\u043F\u0440\u0430\u0432\u0438\u0442\u044C|,\u043E\u043F\u0443\u0431\u043B\u0438\u043A\u043E\u0432\u0430\u0442\u044C|,\u043E\u0442\u0432\u0435\u0442\u0438\u0442\u044C|,\u0441\u043E\u0445\u0440\u0430\u043D\u0438\u0442\u044C|,\u043F\u043E\u0434\u0442\u0432\u0435\u0440\u0434\u0438\u0442\u044C|,\u043F\u0440\u0438\u043D\u044F\u0442\u044C|,\u0441\u043E\u0433\u043B\u0430\u0441\u0435\u043D|,\u0441\u043E\u0433\u043B\u0430\u0441\u0438\u0442\u044C\u0441\u044F|,\u0437\u0430\u0440\u0435\u0433\u0438\u0441\u0442\u0440\u0438\u0440,\u0440\u0435\u0433\u0438\u0441\u0442\u0440\u0430\u0446\u0438\u044F|,\u0432\u043E\u0439\u0442\u0438|,\u0432\u0445\u043E\u0434!,\u043F\u043E\u0434\u043F\u0438\u0441\u0430\u0442\u044C\u0441\u044F|,\u043F\u043E\u0434\u0435\u043B\u0438\u0442\u044C\u0441\u044F|,\u043F\u043E\u0436\u0430\u043B\u043E\u0432\u0430\u0442\u044C\u0441\u044F|,\u0437\u0430\u0433\u0440\u0443\u0437\u0438\u0442\u044C \u0444\u0430\u0439\u043B',
  chinese:
    '\u53D1\u9001,\u767C\u9001,\u63D0\u4EA4,\u53D1\u5E03,\u767C\u5E03,\u53D1\u8868,\u767C\u8868,\u56DE\u590D,\u56DE\u8986,\u4FDD\u5B58,\u5132\u5B58,\u786E\u8BA4,\u78BA\u8A8D,\u63A5\u53D7,\u540C\u610F,\u6CE8\u518C,\u8A3B\u518A,\u767B\u5F55,\u767B\u5165,\u8BA2\u9605,\u8A02\u95B1,\u5206\u4EAB,\u5173\u6CE8,\u95DC\u6CE8,\u4E0A\u4F20,\u4E0A\u50B3,\u70B9\u8D5E',
  japanese:
    '\u9001\u4FE1,\u6295\u7A3F,\u516C\u958B\u3059\u308B,\u8FD4\u4FE1,\u4FDD\u5B58,\u78BA\u8A8D\u3059\u308B,\u627F\u8A8D,\u540C\u610F,\u8A31\u53EF,\u767B\u9332,\u30ED\u30B0\u30A4\u30F3,\u30B5\u30A4\u30F3\u30A4\u30F3,\u8CFC\u8AAD,\u5171\u6709,\u30D5\u30A9\u30ED\u30FC\u3059\u308B,\u30A2\u30C3\u30D7\u30ED\u30FC\u30C9,\u7533\u3057\u8FBC,\u3044\u3044\u306D',
};
var LETTER = '\\p{L}\\p{M}\\p{N}';
function matcherOf(lists) {
  const terms = {
    whole: /* @__PURE__ */ new Set(),
    word: /* @__PURE__ */ new Set(),
    start: /* @__PURE__ */ new Set(),
    anywhere: /* @__PURE__ */ new Set(),
  };
  for (const term of Object.values(lists).flatMap((list) => list.split(','))) {
    const text3 = term
      .replace(/[!|]$/, '')
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(' ', '\\s+');
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(term)) terms.anywhere.add(text3);
    else terms[term.endsWith('!') ? 'whole' : term.endsWith('|') ? 'word' : 'start'].add(text3);
  }
  const any = (set) => (set.size === 0 ? '(?!)' : `(?:${[...set].join('|')})`);
  const sources2 = [
    `^[^${LETTER}]*${any(terms.whole)}[^${LETTER}]*$`,
    `(?<![${LETTER}])(?:${any(terms.word)}(?![${LETTER}])|${any(terms.start)})`,
    any(terms.anywhere),
  ];
  return new RegExp(sources2.join('|'), 'iu');
}
var READS_SIGNS_OUT = matcherOf(SIGNS_OUT);
var READS_ENDS = matcherOf(ENDS);
var READS_COMMITS = matcherOf(COMMITS);

// src/render/interact/answer-shapes.ts
import { z as z8 } from 'zod';

// src/model/page-actions.ts
var ACTION_KINDS = [
  'click',
  'hover',
  'leave',
  'focus',
  'blur',
  'key',
  'press',
  'double',
  'wheel',
  'drag',
  'select',
  'open',
  'enter',
];
var ACT_ENDS = ['done', 'gone', 'idle'];

// src/render/interact/answer-shapes.ts
var text2 = (limit) => z8.string().transform((value) => value.slice(0, limit));
var count2 = z8.number().int().nonnegative().catch(0);
var key = z8.string().regex(/^[a-z0-9]{1,20}$/);
var stateShape2 = z8.object({ signature: key, url: text2(8192), novel: count2, navigations: count2 });
var candidateShape = z8.object({
  key,
  template: key,
  words: text2(200),
  marks: text2(400),
  actions: z8.array(z8.enum(ACTION_KINDS)).transform((kinds) => [...new Set(kinds)]),
  options: count2,
  keyTurns: count2,
  visible: z8.boolean(),
  listens: z8.boolean(),
  guessed: z8.boolean(),
  sends: z8.boolean(),
});
var fieldShape = z8.object({
  index: count2,
  tag: z8.enum(['input', 'select', 'textarea', 'editable']),
  type: text2(30),
  name: text2(100),
  autocomplete: text2(100),
  label: text2(200),
  pattern: text2(200),
  min: text2(40),
  max: text2(40),
  step: text2(40),
  minLength: count2,
  maxLength: count2,
  required: z8.boolean(),
  filled: z8.boolean(),
  checked: z8.boolean(),
  options: z8.array(text2(200)).transform((options) => options.slice(0, 100)),
  visible: z8.boolean(),
});
var formShape = z8.object({
  key,
  template: key,
  method: text2(10),
  action: text2(8192),
  fields: z8.array(fieldShape).transform((fields) => fields.slice(0, FIELDS_READ)),
  buttons: z8.array(z8.object({ words: text2(200), marks: text2(400) })).transform((buttons) => buttons.slice(0, 20)),
  words: text2(400),
  marks: text2(400),
  visible: z8.boolean(),
});
var listShape = z8.object({
  state: stateShape2,
  candidates: z8.array(z8.unknown()),
  forms: z8.array(formShape).transform((forms) => forms.slice(0, FORMS_READ)),
});
var actShape = z8.object({ end: z8.enum(ACT_ENDS), x: z8.number().catch(0), y: z8.number().catch(0) });
var events = z8.array(z8.string().regex(/^[a-z]{1,30}$/)).transform((names) => names.slice(0, 20));
var sources = z8.array(text2(KEY_HANDLER_LENGTH)).transform((all) => all.slice(0, KEY_HANDLERS));
var listenersShape = z8.object({
  nodes: z8.array(z8.tuple([count2, events])).transform((nodes) => nodes.slice(0, LISTENING_NODES_READ)),
  delegated: z8.array(z8.tuple([events, text2(300)])).transform((delegated) => delegated.slice(0, SELECTORS_READ)),
  keyed: sources,
});
var textsShape = z8.array(text2(KEY_SCRIPT_LENGTH)).transform((texts2) => texts2.slice(0, 100));
var scrollShape = z8.object({
  height: z8.number().nonnegative().catch(0),
  links: count2,
  nodes: count2,
  scrollable: z8.boolean(),
  recycled: z8.boolean(),
  moved: z8.boolean(),
});

// src/core/interaction/key-press.ts
var NAMED = [
  ['Enter', 'Enter', 13],
  ['Tab', 'Tab', 9],
  ['Escape', 'Escape', 27],
  [' ', 'Space', 32],
  ['PageUp', 'PageUp', 33],
  ['PageDown', 'PageDown', 34],
  ['End', 'End', 35],
  ['Home', 'Home', 36],
  ['ArrowLeft', 'ArrowLeft', 37],
  ['ArrowUp', 'ArrowUp', 38],
  ['ArrowRight', 'ArrowRight', 39],
  ['ArrowDown', 'ArrowDown', 40],
  ['Insert', 'Insert', 45],
  ['ContextMenu', 'ContextMenu', 93],
  ...Array.from({ length: 12 }, (_, at) => [`F${at + 1}`, `F${at + 1}`, 112 + at]),
  [';', 'Semicolon', 186],
  ['=', 'Equal', 187],
  ['+', 'Equal', 187],
  [',', 'Comma', 188],
  ['-', 'Minus', 189],
  ['.', 'Period', 190],
  ['/', 'Slash', 191],
  ['?', 'Slash', 191],
  ['`', 'Backquote', 192],
  ['[', 'BracketLeft', 219],
  ['\\', 'Backslash', 220],
  [']', 'BracketRight', 221],
];
var BY_NAME = new Map(
  NAMED.flatMap((named2) => [named2[0].toLowerCase(), named2[1].toLowerCase()].map((name) => [name, named2])),
);
var BY_NUMBER = new Map([...NAMED].reverse().map((named2) => [named2[2], named2]));

// src/core/interaction/compared-keys.ts
var PROPERTY = 'key|code|keyCode|which|charCode';
var NUMBERED = 'keyCode|which|charCode';
var QUOTED = '(["\'`])([^"\'`\\n]{1,20})\\1';
var COMPARISONS = [
  new RegExp(`\\b(?:${PROPERTY})\\s{0,3}={2,3}\\s{0,3}${QUOTED}`, 'g'),
  new RegExp(`${QUOTED}\\s{0,3}={2,3}\\s{0,3}[\\w$]{1,20}\\.(?:${PROPERTY})\\b`, 'g'),
  new RegExp(`\\b(${NUMBERED})\\s{0,3}={2,3}\\s{0,3}(\\d{2,3})\\b`, 'g'),
  new RegExp(`\\b()(\\d{2,3})\\s{0,3}={2,3}\\s{0,3}[\\w$]{1,20}\\.(?:${NUMBERED})\\b`, 'g'),
  // shortcuts of libraries: Mousetrap, hotkeys, keymaster, tinykeys, VueUse
  /\b(?:bind|hotkeys|useHotkeys|useKey|onKeyStroke|keymaster|addShortcut)\(\s{0,3}\[?\s{0,3}(["'`])([^"'`\n]{1,30})\1/g,
  /(["'`])((?:(?:ctrl|control|shift|alt|option|meta|cmd|command|\$?mod)\s?\+\s?){1,3}[^\s"'`+]{1,12})\1/gi,
  // Vue's templates, compiled and not; Alpine, Angular, Stimulus
  /,\s?\[(["'`])([a-z][a-z\d-]{0,11})\1\]\)/g,
  /\bkey(?:down|up|press)()((?:\.[\w-]{1,15}){1,5})/g,
];
var SWITCHES = new RegExp(`\\bswitch\\s{0,3}\\([^()\\n]{0,60}\\b(?:${PROPERTY})\\b[^{}]{0,20}\\{`, 'g');
var LISTS = new RegExp(`\\[([^\\[\\]\\n]{1,200})\\]\\.(?:includes|indexOf)\\([\\w$]{1,20}\\.(?:${PROPERTY})\\b`, 'g');

// src/model/used-events.ts
var EVENTS = {
  click: 'click mousedown mouseup pointerdown pointerup touchstart touchend change toggle',
  hover: 'mouseover mouseenter pointerover pointerenter mousemove pointermove',
  leave: 'mouseout mouseleave pointerout pointerleave',
  focus: 'focus focusin',
  blur: 'blur focusout',
  key: 'keydown keyup keypress',
  press: 'contextmenu auxclick pointerdown mousedown touchstart',
  double: 'dblclick',
  wheel: 'wheel mousewheel',
  drag: 'dragstart drag dragend dragenter dragover dragleave drop',
  enter: 'input change search',
};
var SETS = Object.fromEntries(Object.entries(EVENTS).map(([action, events2]) => [action, new Set(events2.split(' '))]));
var USED_EVENTS = new Set(Object.values(EVENTS).flatMap((events2) => events2.split(' ')));

// src/render/interact/listener-search.ts
var SOURCES = `function(...handlers){
  return handlers.map((handler)=>{try{return Function.prototype.toString.call(handler).slice(0,${KEY_HANDLER_LENGTH})}catch{return''}});
}`;

// src/render/open-renderer.ts
var RENDER_FLAGS = [
  // windows do not open; `Page.windowOpen` still reports their URLs (design/rendering, "Recording navigations")
  '--block-new-web-contents',
];
var NO_DOMAIN = registrableDomainOf(storedHostKey('http://orbweaver.invalid'));

// test/zz-experiment.mts
var signal = new AbortController().signal;
var server = createServer((q, r) => {
  r.setHeader('content-type', 'text/html');
  r.end(`<script>window.a=[Date.now(),performance.now(),performance.timeOrigin,new Date().toString()];
window.f=[];setTimeout(()=>a.push('t',Date.now(),performance.now()),1234);let n=0;function fr(t){f.push(t,performance.now());if(n++<6)requestAnimationFrame(fr)};requestAnimationFrame(fr);
fetch('/x').then(()=>a.push('f',Date.now(),performance.now()));
const w=new Worker(URL.createObjectURL(new Blob(['postMessage([Date.now(),performance.now(),String(new Date()),self.location.href])'])));w.onmessage=e=>a.push('w',...e.data);
</script><iframe srcdoc="<script>parent.a.push('i',Date.now(),location.href,document.baseURI)</script>"></iframe>`);
}).listen(0);
await new Promise((r) => server.once('listening', r));
var port = server.address().port;
var found = await findBrowser(
  { asked: null, environment: browserEnvironment(process.env, process.platform, homedir()) },
  signal,
);
var browser = await launchBrowser(
  found,
  {
    proxyUrl: null,
    proxyCredential: null,
    trustedKey: null,
    frameControl: true,
    webgl: false,
    extraFlags: process.env.FL ? [...RENDER_FLAGS, ...DETERMINISTIC_FLAGS] : RENDER_FLAGS,
    sandbox: 'auto',
    memory: memoryLimits(2),
    log: silentLog,
  },
  signal,
);
for (let i = 0; i < 3; i++) {
  const context = await browser.openContext({ userAgent: 'x', viewport: { width: 800, height: 600 } }, null);
  const page = await context.openPage();
  const s = page.session;
  page.listen({
    workerStarted(u, w) {
      if (process.env.DW) openDeterministicWorker(w);
      if (process.env.EV)
        w.send('Runtime.evaluate', { expression: process.env.EV }).then(
          (r) => console.log(JSON.stringify(r)),
          (e2) => console.log(String(e2)),
        );
    },
    workerEnded() {},
    frameStarted() {},
    ended(h) {
      console.log('ended', h);
    },
  });
  if (process.env.HC) await s.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: 4 });
  await s.send('Page.enable');
  await s.send('HeadlessExperimental.enable');
  if (process.env.TZO) await s.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
  if (process.env.DET) await openDeterministic(s);
  await new Promise((r) => setTimeout(r, 100 * i));
  const p = await s.send('Emulation.setVirtualTimePolicy', {
    policy: 'pause',
    initialVirtualTime: Date.UTC(2026, 0, 14, 12) / 1e3,
  });
  await new Promise((r) => setTimeout(r, 60 * i));
  await s.send('Page.navigate', { url: `http://127.0.0.1:${port}/` });
  await new Promise((r) => setTimeout(r, 300));
  const done = new Promise((r) => s.once('Emulation.virtualTimeBudgetExpired', r));
  const g = await s.send('Emulation.setVirtualTimePolicy', {
    policy: 'pauseIfNetworkFetchesPending',
    budget: 2e3,
    maxVirtualTimeTaskStarvationCount: 500,
  });
  await done;
  let t = g.virtualTimeTicksBase + 2e3;
  for (let k = 0; k < 5; k++) await s.send('HeadlessExperimental.beginFrame', { frameTimeTicks: (t += 16) });
  const e = await s.send('Runtime.evaluate', { expression: 'JSON.stringify([a,f])', returnByValue: true });
  console.log(p.virtualTimeTicksBase, g.virtualTimeTicksBase, e.result.value);
  await context.close();
}
await browser.close();
server.close();
