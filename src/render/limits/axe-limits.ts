/** Limits of the check of a page by axe-core. Numbers without a source are arbitrary. */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** Given time for the check of one page. Measured: 0.1 to 0.5 s for most pages, some seconds for 10,000 elements. */
export const AXE_TIME: Milliseconds = milliseconds(12_000);
/** Least time left of the visit for a check: with less, a page is not checked. */
export const AXE_LEAST_TIME: Milliseconds = milliseconds(500);
/** Elements of a page beyond which it is not checked: the time for some rules rises with the square. */
export const AXE_ELEMENTS = 25_000;
/** Width times height: axe-core keeps a grid of the elements' places. A page of 1280 pixels may be 1.5 million high. */
export const AXE_PIXELS = 2_000_000_000;
/** Elements that are listed of a rule, and of a page; all are counted. */
export const AXE_LISTED = 20;
export const AXE_NODES = 80;
/** Characters of a selector, a piece of markup, a reason. */
export const AXE_TEXT = 300;
/** Rules that one page may break. There are some hundred. */
export const AXE_VIOLATIONS = 200;
