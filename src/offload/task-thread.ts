/** One thread for tasks: idle, busy with one task, or gone. A task that is given up takes its thread with it. */
import { Worker } from 'node:worker_threads';
import { mebibytes, type Bytes } from '../base/units.ts';
import type { TaskMessage, TaskReply } from './thread-messages.ts';

/**
 * The heap of a thread. V8 ends the thread where it grows beyond this in small steps; one allocation that does not fit ends the whole
 * process, which is why the pool watches the growth as well and gives up at half of it.
 */
const HEAP_LIMIT: Bytes = mebibytes(1024);
/**
 * The young generation of the heap. The tree of a document with thousands of links is larger than V8's usual 48 MiB, so that it would be
 * copied twice while the document is read, and dies right after.
 */
const YOUNG_LIMIT: Bytes = mebibytes(96);
const MEBIBYTE = 1024 ** 2;
/** Node's default for the main thread is about 1 MiB; markup is nested as deep as its author likes. */
const STACK_MEBIBYTES = 4;

export type ThreadEnd =
  | TaskReply
  /** The thread is gone. `limit` is set where V8 ended it for its memory. */
  | { readonly kind: 'gone'; readonly limit: boolean; readonly detail: string };

export class TaskThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #answer: ((end: ThreadEnd) => void) | null = null;
  #gone: ThreadEnd | null = null;

  /** @param source of the thread: one script, CommonJS */
  constructor(source: string) {
    this.#worker = new Worker(source, {
      eval: true,
      name: 'orbweaver tasks',
      // neither the variables nor the flags of the program
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_LIMIT / MEBIBYTE,
        maxYoungGenerationSizeMb: YOUNG_LIMIT / MEBIBYTE,
        stackSizeMb: STACK_MEBIBYTES,
      },
    });
    this.#worker.unref(); // it holds the process only while it works
    this.#worker.on('message', (reply: TaskReply) => this.#end(reply));
    this.#worker.on('messageerror', (error) => this.#end({ kind: 'failed', detail: error.message }));
    this.#worker.on('error', (error: Error & { readonly code?: string }) => {
      this.#gone ??= { kind: 'gone', limit: error.code === 'ERR_WORKER_OUT_OF_MEMORY', detail: error.message };
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#gone ??= { kind: 'gone', limit: false, detail: 'the thread has ended' };
        this.#end(this.#gone);
        resolve();
      });
    });
  }

  get isGone(): boolean {
    return this.#gone !== null;
  }

  /** One at a time. Never rejects. */
  ask(message: TaskMessage): Promise<ThreadEnd> {
    return new Promise((resolve) => {
      if (this.#gone !== null) {
        resolve(this.#gone);
        return;
      }
      this.#answer = resolve;
      this.#worker.ref();
      try {
        this.#worker.postMessage(message);
      } catch (error) {
        this.#end({ kind: 'failed', detail: String(error) }); // the message cannot be cloned
      }
    });
  }

  /** Ends the thread, also amid a task; the caller of {@link ask} gets `gone`. Never rejects. */
  async stop(): Promise<void> {
    this.#gone ??= { kind: 'gone', limit: false, detail: 'the thread was ended' };
    await this.#worker.terminate().catch(() => 0);
    await this.#exited;
  }

  #end(end: ThreadEnd): void {
    const answer = this.#answer;
    this.#answer = null;
    if (!this.isGone) this.#worker.unref();
    answer?.(end);
  }
}
