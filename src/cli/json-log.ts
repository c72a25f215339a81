/** The log on standard error, one JSON object on each line, for `--log-json`. */
import type { Clock } from '../base/clock.ts';
import type { Log, LogFields } from '../base/log.ts';
import { LOG_LEVELS, type LogLevel } from '../crawl/options.ts';
import type { Output } from './terminal.ts';

/** Longer lines are cut at their fields (algorithms C4: no line above 8 KiB). */
const LINE_LIMIT = 8 * 1024;
/** What JSON leaves as it is and a terminal would obey: DEL, C1, line separators, controls of direction (CWE-117, CWE-150). */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function jsonLog(output: Output, least: LogLevel, clock: Clock): Log {
  const write = (level: LogLevel, event: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const head = { time: new Date(clock.now()).toISOString(), level, event };
    const line = safeJson({ ...head, ...fields });
    output.write(`${line.length <= LINE_LIMIT ? line : safeJson({ ...head, cut: line.slice(0, LINE_LIMIT / 2) })}\n`);
  };
  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
  };
}

function safeJson(value: object): string {
  return JSON.stringify(value, plainError).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Errors have no enumerable fields, and big integers no form in JSON. */
function plainError(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' ? String(value) : value;
}
