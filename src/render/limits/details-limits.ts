/** Limits of a page's records for audits. Numbers without a source are arbitrary. */
import { kibibytes, type Bytes } from '../../base/units.ts';

/** Number of items of each kind that are listed, the first ones; all are counted. */
export const LISTED = 20;
/** Characters of a message. */
export const MESSAGE_LENGTH = 500;
/** Characters of an address: a line lists some hundred. */
export const ADDRESS_LENGTH = 500;
/** Files that are named as the largest. */
export const LARGEST = 5;
/** Hosts of third parties that are listed, and the links of the chain to each. */
export const HOSTS = 40;
export const CHAIN = 5;
/** Images whose place is given by style. */
export const STEADY = 100;
export const COOKIES = 50;
export const FONTS = 30;
/** A larger message of the console is counted by its first bytes alone. */
export const READ_MESSAGE: Bytes = kibibytes(32);
/** Messages of a visit that are read; those beyond are counted. */
export const MESSAGES_READ = 300;
/** Bytes of a text that one network packet holds whether the text is packed or not. */
export const PACKET = 1400;
/** Characters of the received document that are compared with the shown one. */
export const RECEIVED_LIMIT: Bytes = kibibytes(1024);
