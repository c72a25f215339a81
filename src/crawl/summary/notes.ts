/** Notes that a user should read and that stop nothing; each is told once. */
export interface Notes {
  readonly all: readonly string[];
  say(message: string): void;
  /** Adds a listener for later notes. */
  onSay(listener: (message: string) => void): void;
}

export function createNotes(): Notes {
  const all: string[] = [];
  const listeners: ((message: string) => void)[] = [];
  return {
    all,
    say: (message) => {
      if (all.includes(message)) return;
      all.push(message);
      for (const listener of listeners) listener(message);
    },
    onSay: (listener) => {
      listeners.push(listener);
    },
  };
}
