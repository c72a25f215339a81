/**
 * Limits on the cost and the yield of one visit (design/rendering, "Limits of a page"). Limits of waiting, reading, interaction and of a
 * browser's use stand in limits/. A number without a source is arbitrary, far above the needs of pages.
 */
import { kibibytes, mebibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../base/units.ts';

/** Characters of the serialised DOM that are kept. */
export const HTML_LIMIT: Bytes = mebibytes(15);
/** Characters of visible text that are kept. */
export const TEXT_LIMIT: Bytes = mebibytes(2);
/** Links kept of one page, all frames and shadow trees together. */
export const LINK_LIMIT = 10_000;
/** Frames read of one page, the page included. */
export const FRAME_LIMIT = 100;
/** URLs kept of windows, histories and stopped navigations, each; a flood yields no more. */
export const NAVIGATION_LIMIT = 50;
/** Browsertrix' limit, for a load, and again for each action on the page; alert loops made 1,080 in 5 s. */
export const DIALOG_LIMIT = 10;
/** Requests that may leave the browser in one visit (hostile F36). */
export const REQUEST_LIMIT = 500;
/** Requests of a visit after which each is stopped and counted; a heavy page makes a hundred. */
export const COUNTED_FROM = 150;
/** Console messages and exceptions of a visit that are counted; after that none is listened to (hostile F62). */
export const MESSAGE_LIMIT = 10_000;
/** Pending requests that the record names. */
export const PENDING_LIMIT = 20;
/** Chromium's texture limit: no picture is taller. */
export const SCREENSHOT_HEIGHT_LIMIT = 16_384;

/** Limit of a protocol call: none takes longer on a page that is alive, except a navigation. */
export const PROTOCOL_CALL_LIMIT: Milliseconds = seconds(5);
/** A script of ours that runs longer is ended by the browser. */
export const SCRIPT_LIMIT: Milliseconds = seconds(5);
export const FRAME_TIME_LIMIT: Milliseconds = seconds(5);
export const OPEN_LIMIT: Milliseconds = seconds(10);
/** Time left after the page timeout to save what can be saved. */
export const SALVAGE_TIME: Milliseconds = seconds(8);

/** Virtual time that a page gets: timers up to here fire (design/rendering, "Virtual time"). */
export const VIRTUAL_BUDGET: Milliseconds = seconds(5);
/**
 * Real time without news of the network after which pictures, fonts and streams that do not open hold the clock no longer; requests that can
 * bring content hold it until the settle timeout (design/rendering, "Slow answers and long polls").
 */
export const STALL_LIMIT: Milliseconds = milliseconds(2500);
/** Real time that a page may leave a question unanswered; one task of the heaviest application takes a part of it. */
export const SPIN_LIMIT: Milliseconds = seconds(2);
/**
 * Real time without any request that counts, after which only streams can hold the clock (design/rendering,
 * "Stalled clocks").
 */
export const STREAM_QUIET: Milliseconds = milliseconds(100);

/** Visits after which a page is replaced, and with it the storage of its site: no growth is known, and it costs 0.1 s. */
export const PAGE_VISITS = 200;
/** Visits after which a browser is replaced; 3,000 loads showed no growth (design/rendering, "Pages and browsers"). */
export const BROWSER_VISITS = 3000;

/** Requests of a visit after which it opens no sockets; some may be under way that the browser has not reported yet. */
export const SOCKETS_UNTIL: number = REQUEST_LIMIT - 100;

/** Requests short of the limit at which a page is stopped: so many may be under way that the browser has not reported yet. */
export const RATION_MARGIN = 100;
/** Requests that a page may send without telling of them: what its queue sends until it is emptied comes on top. */
export const UNTOLD_REQUESTS: number = REQUEST_LIMIT / 2;
/** Requests sent at which the queue is emptied in any case; some beyond those that may pass were under way. */
export const STOPPED_FROM: number = REQUEST_LIMIT - 0.9 * RATION_MARGIN;
/** Requests sent at which the page is ended: some leave until it is gone. */
export const ENDED_FROM: number = REQUEST_LIMIT - 0.75 * RATION_MARGIN;
/** Requests that may be sent until an emptied queue is seen to send no more. */
export const STOPPING_REQUESTS: number = RATION_MARGIN / 2;

/** Characters of an address; longer ones are cut, for a page may make them as long as it likes. As in core/links/raw-link.ts. */
export const URL_LENGTH = 8192;

/** Real time over the browser's own limit for a script. */
export const ANSWER_MARGIN: Milliseconds = milliseconds(1500);
/** Real time for the answer of a script, by default. */
export const ANSWER_LIMIT: Milliseconds = milliseconds(SCRIPT_LIMIT + ANSWER_MARGIN);
/** Characters of a title, a description, a heading, a robots directive. */
export const FACT_LENGTH = 1000;

/** Navigations asked for by a document after which its page is of no use to the next visit. */
export const NAVIGATION_FLOOD = 100;
/** Real time kept back of the page timeout for reading the page after it has used up its time. */
export const READING_TIME: Milliseconds = milliseconds(3000);
/** Real time for a page to become idle, however little is left. */
export const LEAST_IDLE_TIME: Milliseconds = milliseconds(500);
/** Real time kept back of the settle timeout for the picture: a round of waiting for its missing parts. */
export const PICTURE_TIME: Milliseconds = milliseconds(500);
/** Real time. With less than that left a page that hangs is taken as it is, and not tried again. */
export const LEAST_RETRY_TIME: Milliseconds = milliseconds(READING_TIME + 2000);

/**
 * The browser's buffers for bodies of scripts and data, which can be asked for, and for posted data, which tells what a page asks for. A script
 * comes into them when its engine forgets the text: they hold the longest ones that are read (extract/answer-bodies.ts).
 */
export const NETWORK_BUFFERS: Readonly<
  Record<'maxTotalBufferSize' | 'maxResourceBufferSize' | 'maxPostDataSize', Bytes>
> = {
  maxTotalBufferSize: mebibytes(16),
  maxResourceBufferSize: mebibytes(4),
  maxPostDataSize: kibibytes(16),
};
