/**
 * Differences between a crawl with another browser and one with its own headless shell. `doctor` and docs/cli.md ("Which browser") show them;
 * a test crawls the same pages with every kind and compares the differences with this list.
 */
import type { FoundBrowser } from './find-browser.ts';

/** `full`: a Chromium or Chrome with a window, started here without one. */
export type BrowserKind = 'headless-shell' | 'full' | 'cdp' | 'playwright';

interface BrowserDifference {
  /** Identifier that tests cite. */
  readonly name: 'frame-time' | 'worker-requests' | 'windows' | 'limits' | 'flags' | 'cost';
  readonly of: readonly BrowserKind[];
  /** One sentence without its full stop. */
  readonly words: string;
}

const ENDPOINTS = ['cdp', 'playwright'] as const;

export const BROWSER_DIFFERENCES: readonly BrowserDifference[] = [
  {
    name: 'frame-time',
    of: ['full', ...ENDPOINTS],
    words:
      'what a page builds over seconds by the time that requestAnimationFrame tells it is not waited for: frames come by the real clock',
  },
  {
    name: 'windows',
    of: ['full', ...ENDPOINTS],
    words: 'a window that a page opens is closed at once, but its document may have been asked for by then',
  },
  {
    name: 'worker-requests',
    of: ENDPOINTS,
    words: 'what workers ask the network for is gated and archived, but is no link of the page',
  },
  {
    name: 'limits',
    of: ENDPOINTS,
    words:
      'no limit for memory holds, no network of its own contains the browser, and a sandbox is what its owner made of it',
  },
  {
    name: 'flags',
    of: ENDPOINTS,
    words: 'pages have no WebRTC, and whether they have WebGL is left to how the browser was started',
  },
  { name: 'cost', of: ['full', ...ENDPOINTS], words: 'a page takes up to three times the processor time' },
];

export function kindOf(found: FoundBrowser): BrowserKind {
  if (found.kind === 'endpoint') return found.protocol;
  return found.flavour === 'headless-shell' ? 'headless-shell' : 'full';
}
