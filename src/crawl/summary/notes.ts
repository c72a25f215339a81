/** Notes that a user should read and that stop nothing; each is told once. */
export interface Notes {
  /** Without hints. */
  readonly all: readonly string[];
  say(message: string): void;
  /** Tells listeners what is so now and says nothing of the crawl when that has ended. */
  hint(message: string): void;
  /** Adds a listener; it is told of earlier notes and hints, too. */
  onSay(listener: (message: string) => void): void;
}

export function createNotes(): Notes {
  const all: string[] = [];
  const told: string[] = [];
  const listeners: ((message: string) => void)[] = [];
  const hint = (message: string): void => {
    told.push(message);
    for (const listener of listeners) listener(message);
  };
  return {
    all,
    say: (message) => {
      if (all.includes(message)) return;
      all.push(message);
      hint(message);
    },
    hint,
    onSay: (listener) => {
      for (const message of told) listener(message);
      listeners.push(listener);
    },
  };
}
