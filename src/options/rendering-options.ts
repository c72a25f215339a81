/** Settings of the group `rendering`: the treatment of a page in the browser. */
import {
  BLOCK_TYPES,
  EXPLORE_LEVELS,
  type BlockType,
  type ExploreLevel,
  type SettleMode,
} from '../model/render-settings.ts';
import { headerLines, headerOrigins } from './header-values.ts';
import { rowsOf, type DefaultedRow, type OptionRow } from './option-row.ts';
import * as program from './program-values.ts';
import * as textType from './text-type.ts';
import * as type from './value-type.ts';

const { option, defaulted } = rowsOf('rendering');

/** Pages of one browser that a user may ask for: each takes memory, and all share the browser's own processes (arbitrary). */
export const MOST_RENDERED_WORKERS = 64;

const RENDER_CHOICES = ['auto', 'always', 'never'] as const;
type RenderChoice = (typeof RENDER_CHOICES)[number];

/** `--select-links`: a CSS selector, an arrow, the name of an attribute. */
export const LINK_SELECTOR: RegExp = /^(.*\S)\s*->\s*([A-Za-z_:][\w:.-]*)$/s;

export const RENDERING_OPTIONS = {
  /**
   * Visits at a time, and as many pages of the browser; more than 64 with render `never` only. Default: by spare processor time and memory, from
   * the number of cores (at most 4). 0 leaves all visits to workers on other machines.
   */
  workers: option({
    type: type.whole({ min: 0, max: 1000 }),
    flag: '-w, --workers <n>',
    otherwise: 'by what processor and memory have to spare',
    help: 'Makes this many visits at a time, neither more nor less; 0 with --redis: leaves all visits to `orbweaver worker`.',
    alsoResume: true,
  }) as OptionRow<number>,
  /** When a page counts as done; default `auto`. */
  settle: defaulted({
    type: type.settleMode,
    flag: '--settle <how>',
    default: { kind: 'auto' },
    help: 'When a page counts as done: auto (nothing more happens on it), load (its load event), or a time after that event.',
  }) as DefaultedRow<SettleMode>,
  /** A page that has not settled by then is taken as it is; default 15,000. */
  settleTimeout: defaulted({
    type: type.duration(100),
    flag: '--settle-timeout <dur>',
    default: 15_000,
    help: 'Takes a page as it is when it has not settled after this time.',
  }) as DefaultedRow<number>,
  /** A page whose visit takes longer is given up; default 60,000. */
  pageTimeout: defaulted({
    type: type.duration(1000),
    flag: '--page-timeout <dur>',
    default: 60_000,
    help: 'Gives a page up when its visit takes longer than this.',
  }) as DefaultedRow<number>,
  /** CSS selector that a page must show before it counts as done. */
  waitFor: option({
    type: textType.text({ accepts: 'a CSS selector', pattern: /\S/ }),
    flag: '--wait-for <selector>',
    help: 'Waits until an element matches this CSS selector, at most until the settle timeout.',
  }) as OptionRow<string>,
  /** Interaction with a page to find links, each level after the one before; default `scroll`. */
  explore: defaulted({
    type: type.choice(EXPLORE_LEVELS),
    flag: '--explore <how>',
    default: 'scroll',
    help: 'What is done on a page to find links: none, scroll, click (what listens), submit (forms, on your own sites); each after the one before.',
  }) as DefaultedRow<ExploreLevel>,
  /** When pages are rendered: `auto` where it pays, `always`, `never`. */
  render: defaulted({
    type: type.choice(RENDER_CHOICES),
    flag: '--render <when>',
    default: 'auto',
    help: 'Which pages a browser renders: auto (those that it may find more in than their markup says), always, never.',
  }) as DefaultedRow<RenderChoice>,
  /** Classes of requests that pages may not send. */
  block: defaulted({
    type: type.choices(BLOCK_TYPES),
    flag: '--block <types>',
    default: [],
    help: `Keeps pages from loading these: ${BLOCK_TYPES.join(', ')}, with commas between them.`,
  }) as DefaultedRow<readonly BlockType[]>,
  /** Further links, each `selector->attribute`. */
  selectLinks: defaulted({
    type: textType.texts({
      accepts: 'a CSS selector, an arrow and an attribute, as in ".card->data-target"',
      pattern: LINK_SELECTOR,
      must: 'must be written `selector->attribute`',
    }),
    flag: '--select-links <sel->attr>',
    default: [],
    help: 'Takes further links from this attribute of what matches the CSS selector; may be given several times.',
  }) as DefaultedRow<readonly string[]>,
  /** Modules that work on pages with Playwright, each `glob=file`. */
  pageScripts: defaulted({
    type: program.pageScripts,
    flag: '--page-script <glob=file>',
    default: [],
    help: 'Lets a JavaScript module work on pages that match the glob with Playwright; may be given several times.',
    alsoResume: true,
  }) as DefaultedRow<readonly string[]>,
  /** Modules whose default export is an extension, or a list of them. */
  extensionFiles: defaulted({
    type: program.extensionFiles,
    flag: '--extension <file>',
    default: [],
    help: 'Loads the extensions of a JavaScript module; may be given several times.',
    alsoResume: true,
  }) as DefaultedRow<readonly string[]>,
  /** Size of the browser window, and of further ones for pictures; default 1280 x 800. */
  viewport: defaulted({
    type: type.viewport,
    flag: '--viewport <WxH>',
    default: { width: 1280, height: 800 },
    help: 'Size of the browser window; given several times, screenshots are taken in the other sizes, too.',
  }) as DefaultedRow<type.Viewport>,
  /** Load every page alike each time: a fixed clock, seeded randomness, UTC, en-US, still and lossless pictures. */
  deterministic: defaulted({
    type: type.switchTo(true),
    flag: '--deterministic',
    default: false,
    help: 'Loads pages the same way each time: fixed clock, seeded chance, UTC, still pictures (PNG), one page at a time.',
  }) as DefaultedRow<boolean>,
  /** Let pages draw with WebGL, for which a process of the browser runs without its system call filter. */
  webgl: defaulted({
    type: type.switchTo(true),
    flag: '--webgl',
    default: false,
    help: 'Lets pages draw with WebGL, for which a process of the browser goes without its system call filter.',
  }) as DefaultedRow<boolean>,
  /** Header lines `Name: value`, sent only to `headerOrigins`. */
  headers: defaulted({
    type: headerLines,
    flag: '-H, --header <line>',
    default: [],
    help: "Sends a header to the seeds' origins (scheme, host and port) and nowhere else; its value is kept nowhere; may be given several times.",
    alsoResume: true,
  }) as DefaultedRow<readonly string[]>,
  /** Scheme, host and port (`https://example.org:8443`) that `headers` go to; default the seeds' own. */
  headerOrigins: defaulted({
    type: headerOrigins,
    flag: '--header-origin <origin>',
    default: [],
    otherwise: "the seeds' origins",
    help: 'Sends the headers of --header to this origin, and to no other that is not named so; may be given several times.',
    alsoResume: true,
  }) as DefaultedRow<readonly string[]>,
};
