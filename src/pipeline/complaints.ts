import type { Log, LogFields } from '../base/log.ts';

/** Logs a recurring failure as a warning only once, because people read the log. */
export interface Complaints {
  /** @param about the thing that fails: only its first failure is a warning */
  report(about: string, event: string, fields: LogFields): void;
}

export function createComplaints(log: Log): Complaints {
  const reported = new Set<string>();
  return {
    report: (about, event, fields) => {
      if (reported.has(about)) return log.debug(event, fields);
      reported.add(about);
      log.warn(event, { ...fields, further: 'logged at level debug' });
    },
  };
}
