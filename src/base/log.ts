/** Fields of a log event. Values of pages are cut and escaped by the writer, never by the caller. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The program's log: events with fields, no sentences built from data. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
