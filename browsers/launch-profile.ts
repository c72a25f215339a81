/** The flags a browser is started with. Each group says what it is for; the measurements are of Chromium 156. */
import type { BrowserFlavour } from './browser-places.mjs';

export interface LaunchProfileOptions {
  readonly flavour: BrowserFlavour;
  /** The egress gate; null only where a caller talks to nothing but pages it made itself. */
  readonly proxyUrl: string | null;
  /** Frames are drawn only when asked for (`Target.createTarget {enableBeginFrameControl}`); headless shells only. */
  readonly frameControl: boolean;
  readonly sandbox: 'on' | 'off';
  /** Appended; where a flag is given twice Chromium takes the last. */
  readonly extraFlags: readonly string[];
}

export interface LaunchProfile {
  readonly flags: readonly string[];
  /** Flags Playwright adds by itself and that are not wanted. */
  readonly ignoredDefaults: readonly string[];
  readonly sandbox: boolean;
}

/** What costs CPU or talks to the network without a page having asked. */
const QUIET = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--no-first-run',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Nothing leaves but through the proxy: no UDP around it. */
const CONTAINED = ['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'];

/** A page that fills its heap crashes in seconds instead of growing to the 4.2 GB of the pointer cage. */
const HEAP_LIMIT = '--js-flags=--max-old-space-size=512';

/**
 * Ours, then those of Playwright's own list that matter to a crawl: a second `--disable-features` replaces the first.
 * RenderDocument off saves up to 1.4x of a page's CPU.
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

/** Saves 1.3x of a page's CPU: no frame is drawn that nobody looks at. */
const FRAME_CONTROL = [
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--disable-new-content-rendering-timeout',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
];

/** Without flood protection one page made 2621 navigation events in a second; with it, 201. */
const IGNORED_DEFAULTS = ['--disable-ipc-flooding-protection'];

/**
 * Flags of a launch; Playwright adds its own before them (`--headless`, `--user-data-dir`, the pipe, `--no-sandbox` where
 * the sandbox is off). `<-loopback>` takes away Chromium's rule that loopback needs no proxy.
 */
export function launchProfile(options: LaunchProfileOptions): LaunchProfile {
  const { flavour, proxyUrl, frameControl, sandbox, extraFlags } = options;
  const proxy = proxyUrl === null ? [] : [`--proxy-server=${proxyUrl}`, '--proxy-bypass-list=<-loopback>'];
  const frames = frameControl && flavour === 'headless-shell' ? FRAME_CONTROL : [];
  return {
    flags: [
      ...QUIET,
      ...CONTAINED,
      HEAP_LIMIT,
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ...proxy,
      ...frames,
      ...extraFlags,
    ],
    ignoredDefaults: IGNORED_DEFAULTS,
    sandbox: sandbox === 'on',
  };
}
