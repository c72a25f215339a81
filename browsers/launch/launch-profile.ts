/** The flags of a browser's start. Each group says its purpose; the measurements are of Chromium 156. */
import type { BrowserFlavour } from '../browser-places.mjs';

export interface LaunchProfileOptions {
  readonly flavour: BrowserFlavour;
  /** The egress gate; null only where a caller loads nothing but pages that it made itself. */
  readonly proxyUrl: string | null;
  /** Base64 of the SHA-256 of the one public key that is trusted without a certificate; takes effect only with a profile's folder. */
  readonly trustedKey?: string | null;
  /** Frames are drawn only when asked for (`Target.createTarget {enableBeginFrameControl}`); headless shells only. */
  readonly frameControl: boolean;
  /** Pages may draw in three dimensions, by a GPU process without a system call filter. Left out: they may not. */
  readonly webgl?: boolean;
  readonly sandbox: 'on' | 'off';
  /** Appended; where a flag is given twice Chromium takes the last. */
  readonly extraFlags: readonly string[];
}

interface LaunchProfile {
  /** All flags but those of the pipe, the profile's folder and the sandbox. */
  readonly flags: readonly string[];
  readonly sandbox: boolean;
}

/** Flags for a browser without a user: no questions, no keychain, no other programs, and nothing left behind. */
const UNATTENDED = [
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
  // windows are blocked anyway; without this flag `Page.windowOpen` does not report those that no click opened
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

/**
 * Draws on the processor only, and without SwiftShader: its compiler makes code at run time, for which Chromium removes
 * the system call filter of the GPU process. Without SwiftShader that process only composes pages, and has its filter.
 */
const WITHOUT_WEBGL = ['--disable-software-rasterizer', '--disable-3d-apis'];
const WITH_WEBGL = ['--enable-unsafe-swiftshader'];

/** The process that plays sound gets a system call filter, which it has by default in Chrome alone. */
const FILTERED_SOUND = '--enable-features=AudioServiceSandbox';

/** A page sees a reader with a mouse, as on a desktop. */
const BLINK_SETTINGS = 'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

/** Features that cost CPU or use the network without a request of a page. */
const QUIET = [
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

/**
 * The browser's name for the proxy's address. A site that clears its cookies (Clear-Site-Data) also clears the credentials for its host,
 * those for a proxy there among them: a site at 127.0.0.1 would lose the proxy for its pages. No site has a name under
 * .invalid (RFC 6761 section 6.4).
 */
const PROXY_NAME = 'proxy.orbweaver.invalid';

/** Nothing leaves but through the proxy: no UDP around it. */
const CONTAINED = ['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'];

/**
 * What is said to V8, all in one flag, for of two Chromium takes the last. A page that fills its heap crashes in seconds instead of growing
 * to the 4.2 GB of the pointer cage. Code is optimised after four times as many calls as by default: a page of a crawl lives for a second,
 * and the compiler's threads take the processor from other pages. That saves up to 15 % of a page's CPU.
 */
const V8_FLAGS = `--js-flags=${[
  '--max-old-space-size=512',
  '--invocation-count-for-maglev=1600',
  '--invocation-count-for-maglev-osr=400',
  '--invocation-count-for-turbofan=12000',
  '--invocation-count-for-osr=2000',
].join(' ')}`;

/**
 * Features that we switch off, then those of Playwright's list that matter to a crawl: a second `--disable-features` replaces
 * the first. RenderDocument off saves up to 1.4x of a page's CPU.
 */
const DISABLED_FEATURES = [
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

/** Draws frames on demand only, which saves 1.3x of a page's CPU. */
const FRAME_CONTROL = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
];

/**
 * Flags of a launch. `<-loopback>` removes Chromium's rule that loopback needs no proxy. `--disable-ipc-flooding-protection`
 * is left out: without the protection one page made 2621 navigation events in a second; with it, 201.
 */
export function launchProfile(options: LaunchProfileOptions): LaunchProfile {
  const { flavour, proxyUrl, trustedKey = null, frameControl, webgl = false, sandbox, extraFlags } = options;
  const proxy = proxyUrl === null ? [] : proxyFlags(new URL(proxyUrl));
  const trust = trustedKey === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedKey}`];
  const frames = frameControl && flavour === 'headless-shell' ? FRAME_CONTROL : [];
  return {
    flags: withSettings([
      ...UNATTENDED,
      ...QUIET,
      ...(webgl ? WITH_WEBGL : WITHOUT_WEBGL),
      ...CONTAINED,
      V8_FLAGS,
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

function proxyFlags({ hostname, port }: URL): readonly string[] {
  return [
    `--proxy-server=http://${PROXY_NAME}:${port}`,
    `--host-resolver-rules=MAP ${PROXY_NAME} ${hostname}`,
    '--proxy-bypass-list=<-loopback>',
  ];
}

/** Merges all `--blink-settings` into one, as a second one would replace the first. */
function withSettings(flags: readonly string[]): readonly string[] {
  const name = '--blink-settings=';
  const settings = flags.filter((flag) => flag.startsWith(name)).map((flag) => flag.slice(name.length));
  const others = flags.filter((flag) => !flag.startsWith(name));
  return [`${name}${[BLINK_SETTINGS, ...settings].join(',')}`, ...others];
}
