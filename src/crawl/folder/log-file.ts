/** The program's log as JSON lines in the crawl folder. Texts of pages are cut, and cannot break out of their lines. */
import pino from 'pino';
import type { Log, LogFields } from '../../base/log.ts';
import { redactor } from '../../base/redaction.ts';
import { escapedControls } from '../../base/safe-json.ts';
import { mebibytes } from '../../base/units.ts';
import type { LogLevel } from '../../options/output-options.ts';

/** A longer text of a page is cut; a line stays below 8 KiB with some fields of this size (design/reliability, "Texts"). */
const TEXT_LIMIT = 1000;

/** Most of the lines that wait for room on a full disk; later ones are lost (arbitrary). */
const WAITING_LIMIT = mebibytes(1);

/** Values that lie deeper in a field, and entries of a list beyond these, are left out (arbitrary). */
const DEPTH_LIMIT = 4;
const ITEM_LIMIT = 50;

/**
 * A log that cannot be written, because the disk is full, stops nobody from what they were about to do: its lines wait for room.
 * @param target a file path, or a stream's descriptor (2 for standard error)
 * @param secrets values that are left out of the log, beside tokens in URLs (base/redaction.ts)
 */
export function openLog(
  target: string | number,
  level: LogLevel,
  secrets: readonly string[] = [],
): Log & AsyncDisposable {
  const hide = redactor(secrets);
  const clean = (fields: LogFields = {}): LogFields => cleanEntries(fields, 0, hide);
  const destination = pino.destination({
    dest: target,
    sync: true,
    mkdir: false,
    mode: 0o600,
    maxLength: WAITING_LIMIT,
  });
  let failed = false;
  let closing = false;
  destination.on('error', () => {
    failed = true;
    if (closing) destination.destroy();
  });
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
      logger.level = 'silent'; // later events have no file to go to
      closing = true;
      if (!failed) destination.flushSync(); // of a full disk it would wait without end
      destination.end();
    },
  };
}

/** A log whose events go to all logs that were added by then. */
export interface SharedLog extends Log {
  add(log: Log): void;
  /** Hides values that become known while the log is written: those that pages store when they are signed in. */
  hide(secrets: () => readonly string[]): void;
}

export function createSharedLog(): SharedLog {
  const logs: Log[] = [];
  let secrets: () => readonly string[] = () => [];
  let known: { readonly of: readonly string[]; readonly hide: Hiding } | null = null;
  const hiding = (fields: LogFields): LogFields => {
    const hidden = secrets();
    if (hidden.length === 0) return fields;
    if (known?.of !== hidden) known = { of: hidden, hide: redactor(hidden) };
    return cleanEntries(fields, 0, known.hide);
  };
  const write = (level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: LogFields): void => {
    const clean = fields === undefined ? fields : hiding(fields);
    for (const log of logs) log[level](event, clean);
  };
  return {
    add: (log) => {
      logs.push(log);
    },
    hide: (values) => {
      secrets = values;
      known = null;
    },
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
  };
}

type Hiding = (text: string) => string;

function cleanEntries(fields: object, depth: number, hide: Hiding): LogFields {
  const entries = Object.entries(fields).slice(0, ITEM_LIMIT);
  return Object.fromEntries(
    entries.map(([key, value]: [string, unknown]) => [cleanText(key, hide), cleanValue(value, depth, hide)]),
  );
}

function cleanValue(value: unknown, depth: number, hide: Hiding): unknown {
  if (typeof value === 'string') return cleanText(value, hide);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_LIMIT) return '…';
  if (value instanceof Error) return cleanText(value.stack ?? value.message, hide);
  if (Array.isArray(value)) return value.slice(0, ITEM_LIMIT).map((each: unknown) => cleanValue(each, depth + 1, hide));
  return cleanEntries(value, depth + 1, hide);
}

/** Looks at no more of a long text than could be shown: a secret at the cut goes with it. */
function cleanText(text: string, hide: Hiding): string {
  const hidden = hide(text.slice(0, 2 * TEXT_LIMIT));
  return escapedControls(hidden.length > TEXT_LIMIT ? `${hidden.slice(0, TEXT_LIMIT)}…` : hidden);
}
