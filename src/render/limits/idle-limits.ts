/**
 * Limits of waiting for a page (render/idle, render/page/request-log.ts). Times are real ones unless the page's clock or the virtual one is
 * named. Numbers without a source were tried out on the fixture sites and on real pages (test/bench/real-sites.md).
 */
import { milliseconds, minutes, seconds, type Milliseconds } from '../../base/units.ts';

/** Messages of streams that count as activity: further ones of a stream that never pauses hold the page no longer. */
export const NEWS_OF_STREAMS = 20;
/** Requests for the very same after which it is polled: a page that asks once a second for the end of a job asks five times. */
export const POLL_COUNT = 5;
/** Requests of one operation, each for something else, after which they are a chain without end: a page lists less at once. */
export const CHAIN_COUNT = 60;
/** Errors after which a page that asks again is not waited for. */
export const RETRY_COUNT = 20;
/** Openings of one stream or socket after which it will not open. */
export const STREAM_COUNT = 4;
/** Real time after its head, or the last of its body that was read, at which a fetch counts as unread: a body that no script reads never ends. */
export const UNREAD_BODY_AFTER: Milliseconds = milliseconds(500);
/** The same where it is not known whether the body is still on its way: it may be a slow one. */
export const UNKNOWN_BODY_AFTER: Milliseconds = milliseconds(2500);
/** Connections, of the six that a browser opens to a host, that may be left to the page that was visited last. */
export const SPARED_CONNECTIONS = 3;

/** Real time for a page to handle the last answers that it had to wait for. */
export const AFTER_HELD_BACK: Milliseconds = milliseconds(1000);

/** Real time for a page to go on without answers that were given up: its timers run out, its frames are drawn. */
export const AFTER_ANSWERS: Milliseconds = milliseconds(2500);

/** Largest share of a visit's remaining time that is reserved for this; matters where the time is short. */
export const RESERVED_SHARE = 0.2;

/** Real time between two looks at a page by the real clock. */
export const REAL_TICK: Milliseconds = milliseconds(100);
/** Real time of quiet after which a page is done; "load + 500 ms" misses later changes, which only virtual time finds cheaply. */
export const REAL_QUIET: Milliseconds = milliseconds(500);
/** Real time between frames that come by themselves. */
export const FRAME_INTERVAL: Milliseconds = milliseconds(17);
/** Real time in which frames come by themselves, or none will come. */
export const OWN_FRAME_LIMIT: Milliseconds = milliseconds(1000);
/** Most frames in a row for each of which it is asked whether a script has seen it. */
export const CHECKED_FRAMES = 2;
/** Real time after a frame that no script of the page saw, before it is drawn again … */
export const UNSEEN_FRAME_PAUSE: Milliseconds = milliseconds(20);
/** … and number of such frames, after which the page is one that is not drawn at all: it waits for its style sheets. */
export const UNSEEN_FRAMES = 10;
/** Frames between two looks, where they have to be asked for. */
export const FRAMES_PER_TICK = 2;

/** Frames between two looks; a chain asks for as many in between. */
export const FRAME_BATCH = 6;
/** Frames for a page that only draws, and builds nothing; one that builds gets more. */
export const DRAWING_FRAMES = 42;
/** Frames for one that builds. */
export const BUILDING_FRAMES = 120;
/** Most frames that a page without a chain of frames has asked for after it was drawn. */
export const FEW_FRAMES = 2;
/** Real time after a shown frame in which a page that has nothing else to do has done its idle work. */
export const IDLE_TIME: Milliseconds = milliseconds(10);
/** A round of real time, by which both clocks run on. */
export const REAL_ROUND: Milliseconds = milliseconds(50);
/** Real time of all rounds together. */
export const REAL_ROUNDS_LIMIT: Milliseconds = seconds(3);
/** Real time without activity of a socket or a stream: messages come soon after it is open, or after the one before. */
export const SOCKET_QUIET: Milliseconds = milliseconds(800);
/** Real time after a sound or film has arrived: another thread reads its kind and tells the page (arbitrary: some ms on an idle machine). */
export const MEDIA_QUIET: Milliseconds = milliseconds(200);
/** A round for a page whose origin keeps data in the browser. The page takes one answer of a database in each: its clock stands still in between. */
export const STORAGE_ROUND: Milliseconds = milliseconds(10);
/** Real time without a change of such a page: a database is opened and read in some ten answers. */
export const STORAGE_QUIET: Milliseconds = milliseconds(300);
/** Real time without a message of a worker: it may compute for long before it reports, and its work cannot be seen from here. */
export const WORKER_QUIET: Milliseconds = milliseconds(1200);

/** Real time between two looks at the network while the virtual clock runs. */
export const VIRTUAL_TICK: Milliseconds = milliseconds(20);
/** Real time between two looks while a page only waits for answers. */
export const IDLE_TICK: Milliseconds = milliseconds(60);
/** Real time without news of the network after which a page that waits gives its slot away. */
export const GIVE_WAY_AFTER: Milliseconds = milliseconds(150);
/** Real time for a frame of another process to answer: a frame whose scripts compute may be granted nothing. */
export const REMOTE_ANSWER: Milliseconds = milliseconds(500);
/** Real time for it to use up its grant; a slow answer holds it no longer. */
export const REMOTE_WAIT: Milliseconds = milliseconds(1500);
/** Real time for it to use up the rest after that. */
export const REMOTE_ADVANCE: Milliseconds = milliseconds(500);
/** Virtual time between two looks whether a page has loaded. */
export const LOAD_STEP: Milliseconds = milliseconds(50);
/** Real time between two looks where an answer is all that is waited for. */
export const LATE_TICK: Milliseconds = milliseconds(8);
/** Least time for an advancing clock to use up its budget; polls made it 0.4 s (design/rendering, "Stalled clocks"). */
export const ADVANCE_LIMIT: Milliseconds = milliseconds(1500);
/** The same as a multiple of the budget. Other pages have half of the processors: a page that computes still gets the time that it was granted. */
export const ADVANCE_SHARE = 2;
/** Virtual time for the effects of answers to late requests. */
export const AFTERMATH: Milliseconds = milliseconds(300);
/** The same after requests that are no polls: the effects of an answer go by timers, too. */
export const LATE_AFTERMATH: Milliseconds = milliseconds(1000);
/** Rounds of polls that are waited for after a stream has stalled the clock. */
export const POLL_ROUNDS = 5;
/** Rounds of frames for a page that asks for something in the last frame of each, as one does whose parts take their sizes from each other. */
export const ASKED_ROUNDS = 5;
/** Rounds of all late requests: a chain of answers that ask for each other. */
export const LATE_ROUNDS = 60;
/** Tasks without progress of the clock; 100,000 lets a message loop hang the page (design/rendering, "Virtual time"). */
export const STARVATION = 500;
/** Real time of silence after which a page is asked whether it is still there. */
export const SPIN_LOOK: Milliseconds = milliseconds(500);
/** Time between frames after a load: the load's animations end with these frames. */
export const DRAWN_STEP: Milliseconds = milliseconds(1000);
/** Rounds of frames for a page that asks for something whenever it is drawn: a list loads so until it fills the window. */
export const DRAWN_ROUNDS = 12;
/** The same after a round of scrolling or a click: its animations end, too. */
export const MORE_STEP: Milliseconds = milliseconds(250);
/** Virtual time of a frame where they are drawn in numbers: 30 of them make 9 s of animations. */
export const ANIMATED_STEP: Milliseconds = milliseconds(300);
/** Virtual time for the effects of frames. */
export const ANIMATED_TIME: Milliseconds = milliseconds(120);

/** Virtual time between two frames, as on a screen. */
export const FRAME_STEP: Milliseconds = milliseconds(17);

/** Patterns of addresses that are remembered. */
export const LEARNED_PATTERNS = 2000;
/** Hosts that are remembered. */
export const LEARNED_HOSTS = 500;
/** Operations of a host that are remembered as hanging or not. */
export const LEARNED_OPERATIONS = 200;
/** Pages of a cluster that waited for an operation in vain, after which it is known to hang there … */
export const HANG_PAGES = 2;
/** … and pages of the whole host; twice as many of both for an operation that came to its end before. */
export const HANG_PAGES_OF_HOST = 4;
/** Real time for which this is remembered. */
export const HANG_MEMORY: Milliseconds = minutes(10);
/** Real time that a page must have waited to know anything: a shorter `--settle-timeout` proves nothing. */
export const LEAST_HANG: Milliseconds = milliseconds(2500);
/** The same for a stream or a socket to open: one that was asked for late has had less time than the page was silent. */
export const LEAST_OPENING: Milliseconds = milliseconds(1200);
/** After so many extended waits without any gain the wait is left out … */
export const FUTILE_TRIES = 2;
/** … but for one visit in so many: pages of one pattern need not be alike. */
export const SAMPLE_EVERY = 20;
/** Step of the page's own clock for a page that shows nothing: timers of 8 s are among those that sites use to start. */
export const CONTENT_STEP: Milliseconds = milliseconds(2500);
/** Number of these steps. */
export const CONTENT_STEPS = 4;
/** Number of rounds of real time after them: some 2 s. */
export const CONTENT_ROUNDS = 30;
/** Real time of these steps, with what they ask for. */
export const CONTENT_WAIT: Milliseconds = seconds(8);

/** Real time that every request gets, whatever is known of it. */
export const HUNG_AFTER: Milliseconds = milliseconds(600);
/** A repeated request is waited for so many times as long as its last answer took. */
export const REPEAT_FACTOR = 3;
/** Real time after its first look at which an answer that the watch does not wait for either counts as unread … */
export const UNREAD_AFTER: Milliseconds = milliseconds(200);
/** … and so long where other answers of its operation were unread. */
export const KNOWN_UNREAD_AFTER: Milliseconds = milliseconds(60);

/** Time of the page's clock between two looks for a selector. */
export const SELECTOR_STEP: Milliseconds = milliseconds(500);
/** Number of such steps for timers; a selector that does not match by then may match by the real clock, if at all. */
export const SELECTOR_STEPS = 24;
/** Real time between two looks after these steps. */
export const REAL_SELECTOR_STEP: Milliseconds = milliseconds(100);
