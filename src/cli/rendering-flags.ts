/** The flags of the group `rendering`: what is done with a page in the browser. Part of the table in flags.ts. */
import { HEADER_LINE } from '../model/user-headers.ts';
import { BLOCK_TYPES, EXPLORE_LEVELS, LINK_SELECTOR, OPTION_DEFAULTS, RENDER_CHOICES } from '../options/options.ts';
import { flag, type Flag } from './flag.ts';
import * as accept from './kind.ts';
import { LONGEST, settleMode, viewport } from './page-kinds.ts';
import { durationText } from './quantity.ts';

const ANY = /\S/;

export const RENDERING_FLAGS: readonly Flag[] = [
  flag({
    name: 'workers',
    short: 'w',
    argument: '<n>',
    group: 'rendering',
    option: 'workers',
    kind: accept.whole({ min: 1, max: 64 }),
    defaultWords: `number of cores, at most ${OPTION_DEFAULTS.maxDefaultWorkers}`,
    help: 'Keeps this many browser pages at work.',
    alsoResume: true,
  }),
  flag({
    name: 'settle',
    argument: '<how>',
    group: 'rendering',
    option: 'settle',
    kind: settleMode,
    defaultWords: 'auto',
    help: 'When a page counts as done: auto (nothing more happens on it), load (its load event), or a time after that event.',
  }),
  flag({
    name: 'settle-timeout',
    argument: '<dur>',
    group: 'rendering',
    option: 'settleTimeout',
    kind: accept.duration({ min: 100, max: LONGEST }),
    defaultWords: durationText(OPTION_DEFAULTS.settleTimeout),
    help: 'Takes a page as it is when it has not settled after this time.',
  }),
  flag({
    name: 'page-timeout',
    argument: '<dur>',
    group: 'rendering',
    option: 'pageTimeout',
    kind: accept.duration({ min: 1000, max: LONGEST }),
    defaultWords: durationText(OPTION_DEFAULTS.pageTimeout),
    help: 'Gives a page up when its visit takes longer than this.',
  }),
  flag({
    name: 'wait-for',
    argument: '<selector>',
    group: 'rendering',
    option: 'waitFor',
    kind: accept.text('a CSS selector', ANY),
    help: 'Waits until an element matches this CSS selector, at most until the settle timeout.',
  }),
  flag({
    name: 'explore',
    argument: '<how>',
    group: 'rendering',
    option: 'explore',
    kind: accept.choice(EXPLORE_LEVELS),
    defaultWords: OPTION_DEFAULTS.explore,
    help: 'What is done on a page to find links: none, scroll, click (what listens), submit (forms, on your own sites); each after the one before.',
  }),
  flag({
    name: 'render',
    argument: '<when>',
    group: 'rendering',
    option: 'render',
    kind: accept.choice(RENDER_CHOICES),
    defaultWords: OPTION_DEFAULTS.render,
    help: 'Which pages a browser renders: auto (those that it may find more in than their markup says), always, never.',
  }),
  flag({
    name: 'block',
    argument: '<types>',
    group: 'rendering',
    option: 'block',
    kind: accept.choices(BLOCK_TYPES),
    help: `Keeps pages from loading these: ${BLOCK_TYPES.join(', ')}, with commas between them.`,
  }),
  flag({
    name: 'select-links',
    argument: '<sel->attr>',
    group: 'rendering',
    option: 'selectLinks',
    kind: accept.texts('a CSS selector, an arrow and an attribute, as in ".card->data-target"', LINK_SELECTOR),
    help: 'Takes further links from this attribute of what matches the CSS selector; may be given several times.',
  }),
  flag({
    name: 'viewport',
    argument: '<WxH>',
    group: 'rendering',
    option: 'viewport',
    kind: viewport,
    defaultWords: `${OPTION_DEFAULTS.viewport.width}x${OPTION_DEFAULTS.viewport.height} pixels`,
    help: 'Size of the browser window.',
  }),
  flag({
    name: 'webgl',
    group: 'rendering',
    option: 'webgl',
    kind: accept.switchTo(true),
    help: 'Lets pages draw with WebGL, for which a process of the browser goes without its system call filter.',
  }),
  flag({
    name: 'header',
    short: 'H',
    argument: '<line>',
    group: 'rendering',
    option: 'headers',
    kind: accept.texts('a header line such as "Name: value"', HEADER_LINE, true),
    help: "Sends a header to the seeds' origins (scheme, host and port) and nowhere else; its value is kept nowhere; may be given several times.",
    alsoResume: true,
  }),
  flag({
    name: 'header-origin',
    argument: '<origin>',
    group: 'rendering',
    option: 'headerOrigins',
    kind: accept.texts('an origin, as in https://example.org or http://localhost:8080', /^https?:\/\/[^\s/]+\/?$/i),
    defaultWords: "the seeds' origins",
    help: 'Sends the headers of --header to this origin, and to no other that is not named so; may be given several times.',
    alsoResume: true,
  }),
];
