/** The program's log as JSON lines in the crawl folder. What pages say is cut, and cannot break out of its line. */
import pino from 'pino';
import type { Log, LogFields } from '../base/log.ts';
import type { LogLevel } from './options.ts';

/** A longer text of a page is cut; a line stays below 8 KiB with some fields of this size (algorithms C4). */
const TEXT_LIMIT = 1000;

/** Values that lie deeper in a field, and entries of a list beyond these, are left out (arbitrary). */
const DEPTH_LIMIT = 4;
const ITEM_LIMIT = 50;

/** Control characters that JSON leaves as they are: DEL, C1, line separators, and what turns the writing direction. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** @param target a file path, or a stream's descriptor (2 for standard error) */
export function openLog(target: string | number, level: LogLevel): Log & AsyncDisposable {
  const destination = pino.destination({ dest: target, sync: true, mkdir: false, mode: 0o600 });
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
      formatters: { level: (name) => ({ level: name }) },
    },
    destination,
  );
  return {
    debug: (event, fields) => logger.debug(clean(fields), event),
    info: (event, fields) => logger.info(clean(fields), event),
    warn: (event, fields) => logger.warn(clean(fields), event),
    error: (event, fields) => logger.error(clean(fields), event),
    [Symbol.asyncDispose]: async () => {
      logger.level = 'silent'; // who still has something to say after the end has no file to say it to
      destination.flushSync();
      destination.end();
    },
  };
}

/** A log whose events go to all logs that were added by then. */
export interface SharedLog extends Log {
  add(log: Log): void;
}

export function createSharedLog(): SharedLog {
  const logs: Log[] = [];
  return {
    add: (log) => {
      logs.push(log);
    },
    debug: (event, fields) => logs.forEach((log) => log.debug(event, fields)),
    info: (event, fields) => logs.forEach((log) => log.info(event, fields)),
    warn: (event, fields) => logs.forEach((log) => log.warn(event, fields)),
    error: (event, fields) => logs.forEach((log) => log.error(event, fields)),
  };
}

function clean(fields: LogFields = {}): LogFields {
  return cleanEntries(fields, 0);
}

function cleanEntries(fields: object, depth: number): LogFields {
  const entries = Object.entries(fields).slice(0, ITEM_LIMIT);
  return Object.fromEntries(
    entries.map(([key, value]: [string, unknown]) => [cleanText(key), cleanValue(value, depth)]),
  );
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_LIMIT) return '…';
  if (value instanceof Error) return cleanText(value.stack ?? value.message);
  if (Array.isArray(value)) return value.slice(0, ITEM_LIMIT).map((each: unknown) => cleanValue(each, depth + 1));
  return cleanEntries(value, depth + 1);
}

function cleanText(text: string): string {
  const cut = text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text;
  return cut.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
