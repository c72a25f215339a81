/** Lets one loop sleep until something happened, without a lost wake-up: a call of `ring` before `wait` counts. */
export interface Wake {
  ring(): void;
  /** Resolves at the next ring, or at once where one came since the last wait; also when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  let rung = false;
  let release: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      release?.();
    },
    wait: async (signal) => {
      if (!rung && !signal.aborted) {
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
      rung = false;
    },
  };
}
