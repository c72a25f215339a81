/**
 * Browsers that the tests of a worker share, one after the other: a start costs a second of processor time, a page in a running browser a
 * tenth of that. A borrower has the browser alone, in contexts of its own, and nothing of these remains when it is returned.
 */
import type { Browser, BrowserContext } from '../../browsers/protocol/browser.ts';

interface Shared {
  readonly started: Promise<Browser>;
  lent: boolean;
}

/** Browsers kept while unused: each takes some 150 MB. */
const KEPT = 2;

/** Browsers by their launch options; the most recently used comes last. */
const shared = new Map<string, Shared>();

/**
 * Borrows a running browser that is free, or starts one.
 * @param key all its launch options
 */
export async function borrowBrowser(key: string, start: () => Promise<Browser>): Promise<Browser> {
  const there = shared.get(key);
  if (there?.lent === true) return start();
  const browser = await there?.started;
  const usable = there !== undefined && browser !== undefined && !browser.gone.aborted && !there.lent;
  const entry = usable ? there : { started: start(), lent: true };
  entry.lent = true;
  shared.delete(key);
  shared.set(key, entry);
  await endTheOldest();
  try {
    return new BorrowedBrowser(await entry.started, () => (entry.lent = false));
  } catch (error) {
    shared.delete(key);
    throw error;
  }
}

async function endTheOldest(): Promise<void> {
  const resting = [...shared].filter(([, { lent }]) => !lent);
  for (const [key, { started }] of resting.slice(0, Math.max(0, shared.size - KEPT))) {
    shared.delete(key);
    await (await started).close();
  }
}

class BorrowedBrowser implements Browser {
  readonly #browser: Browser;
  readonly #giveBack: () => void;
  readonly #contexts = new Set<BrowserContext>();
  readonly #over = new AbortController();
  readonly #ended = (): void => this.#end();

  constructor(browser: Browser, giveBack: () => void) {
    this.#browser = browser;
    this.#giveBack = giveBack;
    browser.gone.addEventListener('abort', this.#ended);
    if (browser.gone.aborted) this.#end();
  }

  get gone(): AbortSignal {
    return this.#over.signal;
  }

  get pid(): number | null {
    return this.#browser.pid;
  }

  get memory(): Browser['memory'] {
    return this.#browser.memory;
  }

  get heapOverflows(): () => number {
    return this.#browser.heapOverflows;
  }

  get playwright(): Browser['playwright'] {
    return this.#browser.playwright;
  }

  version(): string {
    return this.#browser.version();
  }

  processes(): Promise<readonly number[]> {
    return this.#browser.processes();
  }

  networkProcess(): Promise<number | null> {
    return this.#browser.networkProcess();
  }

  async openContext(...how: Parameters<Browser['openContext']>): Promise<BrowserContext> {
    const context = await this.#browser.openContext(...how);
    this.#contexts.add(context);
    return {
      openPage: () => context.openPage(),
      storageState: (depth) => context.storageState(depth),
      close: async () => {
        if (this.#contexts.delete(context)) await context.close();
      },
    };
  }

  /** Returns the browser, without the contexts opened in it. */
  async close(): Promise<void> {
    try {
      await Promise.all([...this.#contexts].map((context) => context.close()));
      this.#end();
    } catch {
      await this.#browser.close();
    }
  }

  #end(): void {
    this.#browser.gone.removeEventListener('abort', this.#ended);
    this.#giveBack();
    this.#over.abort();
  }

  kill(): void {
    this.#browser.kill();
  }
}
