/**
 * How much of a page is read and pictured, beside what one visit may bring home in all (render/page-limits.ts). Without a source: arbitrary, far
 * above what pages have.
 */
import { kibibytes, mebibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';

/** Characters of an attribute or a text in a closed shadow tree; longer ones hold no links. */
export const ATTRIBUTE_LENGTH = 1_000_000;
/** Links kept of the closed shadow trees of one document. */
export const CLOSED_LINK_LIMIT = 10_000;
/** Characters of what a link in them is called. */
export const LINK_TEXT_LENGTH = 200;

/** Links kept of a visit's answers. */
export const ANSWER_LINK_LIMIT = 2000;
/** Links kept of a sheet, for all pages that load it. */
export const SHEET_LINK_LIMIT = 10_000;
/** Characters of an answer's address that the record says of one that could not be read. */
export const URL_SHOWN = 200;
/** Real time for all answers of one reading to come; what comes later is left out. */
export const BODIES_TIME: Milliseconds = milliseconds(2000);

/** Real time for a picture: 99 ms for a tall page (design/rendering, "Screenshots"); the rest is for machines under load. */
export const PICTURE_LIMIT: Milliseconds = seconds(8);
/** Frames that are asked for a picture: the first one after a change of size may bring none. */
export const PICTURE_FRAMES = 4;
/** Real time that is spent on what is missing; a font that never comes is drawn in place of by another. */
export const MISSING_LIMIT: Milliseconds = seconds(3);
/** Rounds of waiting for it. */
export const MISSING_ROUNDS = 10;
/** Time of the page's clock for each of them. */
export const MISSING_ROUND_TIME: Milliseconds = milliseconds(50);
/** The same after the window has grown: what watches for intersections asks for more. */
export const GROWN_TIME: Milliseconds = milliseconds(300);
/** Times that the window follows a page that grows with it. */
export const GROWTHS = 3;

/** Real time for a file. A server may send it as slowly as it likes; after this what came is all. */
export const FILE_TIME: Milliseconds = seconds(10);
/** The same where all of it is wanted by who keeps what passes the gate. */
export const WHOLE_TIME: Milliseconds = seconds(30);
/** A packed file may become this large (sitemaps.org: 50 MB); one that would become larger is not read. */
export const UNPACKED_LIMIT: Bytes = mebibytes(50);
/** Read of a body at once. */
export const BODY_PIECE: Bytes = kibibytes(256);
