import type { Log, LogFields } from '../base/log.ts';

/** Tells what fails with every page once; the log is for people. */
export interface Complaints {
  /** @param about what it is that fails: of one thing only the first failure is a warning */
  tell(about: string, event: string, fields: LogFields): void;
}

export function createComplaints(log: Log): Complaints {
  const told = new Set<string>();
  return {
    tell: (about, event, fields) => {
      if (told.has(about)) return log.debug(event, fields);
      told.add(about);
      log.warn(event, { ...fields, further: 'told at the level debug' });
    },
  };
}
