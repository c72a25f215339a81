/**
 * Limits of reading and picturing a page, beside those on the yield of one visit (render/page-limits.ts). Numbers without a source are
 * arbitrary, far above the needs of pages.
 */
import { kibibytes, mebibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';

/** Characters of an attribute or a text in a closed shadow tree; longer ones hold no links. */
export const ATTRIBUTE_LENGTH = 1_000_000;
/** Links kept of the closed shadow trees of one document. */
export const CLOSED_LINK_LIMIT = 10_000;
/** Nodes by which closed shadow trees of a document are known to those that read their text. */
export const WITNESS_LIMIT = 2000;
/** Characters of a link's text in them. */
export const LINK_TEXT_LENGTH = 200;

/** Links kept of a visit's answers. */
export const ANSWER_LINK_LIMIT = 2000;
/** Links kept of a sheet, for all pages that load it. */
export const SHEET_LINK_LIMIT = 10_000;
/** Characters of an answer's address in the record's note on one that could not be read. */
export const URL_SHOWN = 200;
/** Real time for answers of one reading to come: while one comes in each such time, the others are waited for, so many times; later ones are left out. */
export const BODIES_TIME: Milliseconds = milliseconds(2000);
export const BODIES_WAITS = 5;

/** Real time for a picture: 99 ms for a tall page (design/rendering, "Screenshots"); the rest is for machines under load. */
export const PICTURE_LIMIT: Milliseconds = seconds(8);
/** Frames in which a picture is asked for: the first one after a change of size may bring none. */
export const PICTURE_FRAMES = 4;
/** Real time to wait for missing pictures and fonts; text in a font that never comes is drawn in another. */
export const MISSING_LIMIT: Milliseconds = seconds(3);
/** Rounds of that wait. */
export const MISSING_ROUNDS = 10;
/** Time of the page's clock for each of them. */
export const MISSING_ROUND_TIME: Milliseconds = milliseconds(50);
/** The same after the window has grown: observers of intersections load more. */
export const GROWN_TIME: Milliseconds = milliseconds(300);
/** Real time that an answer waits for those of earlier requests, where a page gets them in the order of its requests. */
export const ORDER_LIMIT: Milliseconds = milliseconds(1500);
/** Further pictures of a page that is to look the same each time, until two in a row do; a page that moves without an end never does. */
export const EQUAL_TRIES = 4;
/** Times that the window follows a page that grows with it. */
export const GROWTHS = 3;

/** Real time for a file. A server may send it as slowly as it likes; the part that has come by then is kept. */
export const FILE_TIME: Milliseconds = seconds(10);
/** The same where the archive gets all of it. */
export const WHOLE_TIME: Milliseconds = seconds(30);
/** A packed file may become this large (sitemaps.org: 50 MB); one that would become larger is not read. */
export const UNPACKED_LIMIT: Bytes = mebibytes(50);
/** Bytes read of a body at once. */
export const BODY_PIECE: Bytes = kibibytes(256);
