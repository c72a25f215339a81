/**
 * How long a page is waited for (render/idle, render/page/request-log.ts). Times are real ones unless the page's clock or the virtual one is
 * named. What has no source was tried out on the fixture sites and on real pages (test/bench/real-sites.md).
 */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** Messages of streams that are news: those of one that never pauses hold the page no longer. */
export const NEWS_OF_STREAMS = 20;
/** Requests for one address after which it is polled. */
export const POLL_COUNT = 4;
/** Real time. The body of a fetch that nobody reads never ends; so long after its head it is taken for one of these. */
export const UNREAD_BODY_AFTER: Milliseconds = milliseconds(500);
/** Of the six connections to a host that a browser opens, so many may be left to the page that was visited last. */
export const SPARED_CONNECTIONS = 3;

/** Real time for what a page does with the last of the answers that it had to wait for. */
export const AFTER_HELD_BACK: Milliseconds = milliseconds(1000);

/** Real time between two looks at a page by the real clock. */
export const REAL_TICK: Milliseconds = milliseconds(100);
/** Real time. Quiet for so long, a page is done; "load + 500 ms" misses what comes later, which only virtual time finds cheaply. */
export const REAL_QUIET: Milliseconds = milliseconds(500);
/** Real time between frames that come by themselves. */
export const FRAME_INTERVAL: Milliseconds = milliseconds(17);
/** Frames between two looks, where they have to be asked for. */
export const FRAMES_PER_TICK = 2;

/** Frames between two looks; a chain asks for as many in between. */
export const FRAME_BATCH = 6;
/** Frames for a page that only draws, and builds nothing; one that builds gets more. */
export const DRAWING_FRAMES = 42;
/** Frames for one that builds. */
export const BUILDING_FRAMES = 120;
/** Frames; a page that has been drawn and asked for no more than these makes no chain of them. */
export const FEW_FRAMES = 2;
/** Real time behind a frame that was shown: a page that has had nothing to do for so long has done its idle work. */
export const IDLE_TIME: Milliseconds = milliseconds(10);
/** A round of real time, by which both clocks run on. */
export const REAL_ROUND: Milliseconds = milliseconds(50);
/** Real time of all rounds together. */
export const REAL_ROUNDS_LIMIT: Milliseconds = seconds(3);
/** Real time without news of a socket: what it brings, it brings soon after it is open, or after what came before. */
export const SOCKET_QUIET: Milliseconds = milliseconds(800);
/** Real time without news of a worker: it may count long before it tells, and what it does cannot be seen from here. */
export const WORKER_QUIET: Milliseconds = milliseconds(1200);

/** Real time between two looks at the network while the virtual clock runs. */
export const VIRTUAL_TICK: Milliseconds = milliseconds(20);
/** The same where an answer is all that is waited for. */
export const LATE_TICK: Milliseconds = milliseconds(8);
/** Real time for an advancing clock to use up its budget; polls made it 0.4 s (design/rendering, "Stalled clocks"). */
export const ADVANCE_LIMIT: Milliseconds = milliseconds(1500);
/** Virtual time for what the answers of late requests set off. */
export const AFTERMATH: Milliseconds = milliseconds(300);
/** Rounds of late requests that are waited for after a stream has stalled the clock. */
export const LATE_ROUNDS = 5;
/** Tasks without progress of the clock; 100,000 lets a message loop hang the page (design/rendering, "Virtual time"). */
export const STARVATION = 500;
/** Real time. A page that has been silent for so long is asked whether it is still there. */
export const SPIN_LOOK: Milliseconds = milliseconds(500);
/** Time of frames after a load: its animations are over with them. */
export const DRAWN_STEP: Milliseconds = milliseconds(1000);
/** The same after a round of scrolling or a click: its animations are over with them, too. */
export const MORE_STEP: Milliseconds = milliseconds(250);
/** Virtual time of a frame where they are drawn in numbers: 30 of them make 9 s of animations. */
export const ANIMATED_STEP: Milliseconds = milliseconds(300);
/** Virtual time for what frames have set off. */
export const ANIMATED_TIME: Milliseconds = milliseconds(120);

/** Virtual time between two frames, as on a screen. */
export const FRAME_STEP: Milliseconds = milliseconds(17);

/** Patterns of addresses that are remembered. */
export const LEARNED_PATTERNS = 2000;
/** Hosts that are remembered. */
export const LEARNED_HOSTS = 500;
/** Addresses kept of a host that were found to hang. */
export const LEARNED_HANGS = 50;
/** After so many extended waits without any gain the wait is left out … */
export const FUTILE_TRIES = 2;
/** … but for one visit in so many: pages of one pattern need not be alike. */
export const SAMPLE_EVERY = 20;
/** How sure one can be that an address hangs; so many good answers take it back again. */
export const MOST_CERTAIN = 3;

/** Of the page's own clock, for a page that shows nothing: timers of 8 s are among those that sites use to start. */
export const CONTENT_STEP: Milliseconds = milliseconds(2500);
/** Steps of that. */
export const CONTENT_STEPS = 4;
/** Real time for a slow script or answer. */
export const CONTENT_WAIT: Milliseconds = seconds(8);
/** Real time between two looks meanwhile. */
export const CONTENT_TICK: Milliseconds = milliseconds(50);

/** Real time; quicker answers are waited for whatever they are called. */
export const HUNG_AFTER: Milliseconds = milliseconds(600);
/** Real time that an address that hung before gets to show that it has changed. */
export const KNOWN_HUNG_AFTER: Milliseconds = milliseconds(200);
/** Real time. So long after it was first looked at, an answer that the watch does not wait for either is not being read … */
export const UNREAD_AFTER: Milliseconds = milliseconds(200);
/** … and so long where its likes were not. */
export const KNOWN_UNREAD_AFTER: Milliseconds = milliseconds(60);

/** Time of the page's clock between two looks for a selector. */
export const SELECTOR_STEP: Milliseconds = milliseconds(500);
/** So many steps for what timers bring; what has not come by then comes by the real clock, if at all. */
export const SELECTOR_STEPS = 24;
/** Real time between two looks then. */
export const REAL_SELECTOR_STEP: Milliseconds = milliseconds(100);
