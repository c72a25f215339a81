/** What keeps a browser and its pages in use: ends of scripts, floods of messages, cookies, memory. What has no source is arbitrary. */
import { kibibytes, mebibytes, milliseconds, type Bytes, type Milliseconds } from '../../base/units.ts';

/** Attempts to end a script. A chain of microtasks or an observer goes on where one of its callbacks was ended; a rain of them hits the rest. */
export const STOP_TRIES = 100;
/** Real time between two of them. */
export const STOP_PAUSE: Milliseconds = milliseconds(10);
/** Further attempts: what runs no script any more may still have thousands of requests to dispose of before it answers. */
export const PATIENT_STOP_TRIES = 40;
/** Real time between two of these. */
export const PATIENT_STOP_PAUSE: Milliseconds = milliseconds(100);

/** A longer message counts as several, so that all of a visit together are bounded, too. */
export const MESSAGE_BYTES: Bytes = kibibytes(8);
/** After a message of this size nobody listens any more: two of a hundred megabytes hold up all pages of the browser for seconds. */
export const LARGE_MESSAGE: Bytes = mebibytes(1);
/** Messages after which a script that is not listened to any more is ended, again and again. */
export const SILENCED_EVERY = 1000;

/** Servers take 8 KiB of headers and more (nginx: `large_client_header_buffers`); a browser's other headers are 1 KiB. */
export const COOKIE_LIMIT: number = kibibytes(4);
/** A page that stores more is not used again: servers take 8 KiB of headers and more, and proxies before them 16. */
export const STORED_LIMIT: number = kibibytes(8);

/**
 * A page that rests for so long lets go of its streams and sockets. Where the next visit comes at once it ends them by
 * itself: to show an empty page in between costs a seventh of a page with a stream.
 */
export const PAGE_REST: Milliseconds = milliseconds(250);

/** Real time between two looks at the memory of the browsers. */
export const MEMORY_INTERVAL: Milliseconds = milliseconds(250);
/** The same where more than half of the limit is taken: a page can take half a gigabyte in a second. */
export const CLOSE_MEMORY_INTERVAL: Milliseconds = milliseconds(50);
/** Real time that what was ended may take to give its memory back; until then no other is ended for that memory. */
export const RELIEF_TIME: Milliseconds = milliseconds(500);
/** Meanwhile the others may grow by so much before one of them is ended as well. */
export const RELIEF_GROWTH: Bytes = mebibytes(64);
/** Real time. A crash so long after an end by our hand, or by the kernel's, is its consequence: a browser with thousands of requests to end tells of it late. */
export const CONSEQUENCE_TIME: Milliseconds = milliseconds(10_000);
/** Heap that the scripts of a page may fill; the launch profile's `--max-old-space-size`. */
export const HEAP_LIMIT: Bytes = mebibytes(512);
