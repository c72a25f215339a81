/** Lets one loop sleep until something happens. No wake-up is lost: a `notify` before `wait` counts. */
export interface Wake {
  notify(): void;
  /** Resolves at the next `notify`, or at once where one came since the last wait; also when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  let notified = false;
  let release: (() => void) | null = null;
  return {
    notify: () => {
      notified = true;
      release?.();
    },
    wait: async (signal) => {
      if (!notified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const stop = (): void => {
            signal.removeEventListener('abort', stop);
            release = null;
            resolve();
          };
          release = stop;
          signal.addEventListener('abort', stop, { once: true });
        });
      }
      notified = false;
    },
  };
}
