/** Limits that keep a browser and its pages in use: ends of scripts, floods of messages, cookies, memory. Numbers without a source are arbitrary. */
import { kibibytes, mebibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';

/** Attempts to end a script. A chain of microtasks or an observer goes on where one of its callbacks was ended; many attempts hit the rest. */
export const STOP_TRIES = 100;
/** Real time between two of them. */
export const STOP_PAUSE: Milliseconds = milliseconds(10);
/** Further attempts: a page without a running script may still have thousands of requests to dispose of before it answers. */
export const PATIENT_STOP_TRIES = 40;
/** Real time between two of these. */
export const PATIENT_STOP_PAUSE: Milliseconds = milliseconds(100);

/** Time of all attempts: on a busy machine there are more of them. */
export const STOP_TIME: Milliseconds = milliseconds(STOP_TRIES * STOP_PAUSE + PATIENT_STOP_TRIES * PATIENT_STOP_PAUSE);

/** A longer message counts as several, so that all of a visit together are bounded, too. */
export const MESSAGE_BYTES: Bytes = kibibytes(8);
/** After a message of this size no more are listened to: two of a hundred megabytes hold up all pages of the browser for seconds. */
export const LARGE_MESSAGE: Bytes = mebibytes(1);
/** Number of messages, no longer listened to, after which their script is ended, again and again. */
export const SILENCED_EVERY = 1000;

/** Servers take 8 KiB of headers and more (nginx: `large_client_header_buffers`); a browser's other headers are 1 KiB. */
export const COOKIE_LIMIT: number = kibibytes(4);
/** A page that stores more is not used again: servers take 8 KiB of headers and more, and proxies before them 16. */
export const STORED_LIMIT: number = kibibytes(8);

/**
 * A page at rest for so long closes its streams and sockets. If the next visit comes at once, it ends them by itself: showing an empty
 * page in between costs a seventh of a page with a stream.
 */
export const PAGE_REST: Milliseconds = milliseconds(250);

/** Given time for a page to show nothing, and the same for its workers to end: beside other work it took 16 to 104 ms, and a new page takes 62 to 104. */
export const REST_LIMIT: Milliseconds = milliseconds(500);

/** Given time for a page to show a document whose answer has come, and to forget its history: it takes some milliseconds (arbitrary). */
export const HISTORY_LIMIT: Milliseconds = milliseconds(500);
/** Times that the browser is asked whether the document is in the history; it takes 1 to 5 ms. */
export const HISTORY_TRIES = 20;
/** The pause between two of these questions: asked at once, the browser answers seven before it comes to the document. */
export const HISTORY_PAUSE: Milliseconds = milliseconds(1);

/** Real time between two looks at the memory of the browsers. */
export const MEMORY_INTERVAL: Milliseconds = milliseconds(250);
/** The same where more than half of the limit is taken: a page can take half a gigabyte in a second. */
export const CLOSE_MEMORY_INTERVAL: Milliseconds = milliseconds(50);
/** Real time between two looks at the process that sends a browser's requests; meanwhile a page may get wrong answers. */
export const NETWORK_INTERVAL: Milliseconds = milliseconds(250);
/** Real time for an ended process to give its memory back; until then no other is ended for that memory. */
export const RELIEF_TIME: Milliseconds = milliseconds(500);
/** Growth of the other processes meanwhile, beyond which one of them is ended as well. */
export const RELIEF_GROWTH: Bytes = mebibytes(64);
/** Real time after a kill, by us or the kernel, in which a crash is its consequence: a browser with thousands of requests reports it late. */
export const CONSEQUENCE_TIME: Milliseconds = milliseconds(10_000);
/** Heap that the scripts of a page may fill; the launch profile's `--max-old-space-size`. */
export const HEAP_LIMIT: Bytes = mebibytes(512);

/** Pages that may wait for answers without a slot, for each page at work: a page that waits takes memory and connections, no processor time. */
export const WAITING_PER_WORKER = 4;
/** Pages that may rest for each page at work: hosts visited in turns find their pages again. A simple page takes 14 MB, no processor time. */
export const RESTING_PER_WORKER = 8;

/** Real time that a call to a page is without an answer before its browser's processes are looked at: an answer takes milliseconds. */
export const FIRST_LOOK: Milliseconds = milliseconds(500);
/** Real time between two looks; each costs some milliseconds. */
export const LOOK_INTERVAL: Milliseconds = milliseconds(200);
/** A browser that gets less than this of the time is starved. */
export const SCARCE_SHARE = 0.6;
/** Real time for which a browser then counts as starved: a machine that is busy mostly stays so for a while. */
export const SCARCE_MEMORY: Milliseconds = milliseconds(5000);

/** Real time between two looks at the storage of a signed-in domain: a look costs 50 ms, and a killed program loses a new token at the most. */
export const SIGN_IN_KEPT_EVERY: Milliseconds = milliseconds(30_000);
/** Real time. A page whose requests begin, are answered or end more often is at work, not hung: it may have thousands to dispose of first. */
export const WORKING_SILENCE: Milliseconds = milliseconds(500);
/** Real time. The same for a page that has begun more requests than may leave: a busy machine disposes of thousands for seconds in silence. */
export const FLOODED_SILENCE: Milliseconds = milliseconds(5000);

/** Pauses before further attempts to start a browser in the place of one that has ended. */
export const START_PAUSES: readonly Milliseconds[] = [1, 5, 15].map(seconds);
