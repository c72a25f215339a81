/**
 * A few threads for tasks, started when the first large text comes. Tasks wait in the order in which they came; each has a deadline from
 * its begin, and a limit of memory. A task that breaks a limit is given up with its thread, and the next task gets another thread.
 */
import { kibibytes, mebibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../base/units.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { runHere, SMALL_TEXT, type Offload, type TaskText } from './offload.ts';
import { TaskThread, type ThreadEnd } from './task-thread.ts';
import type { GiveUpCause, Task, TaskEnd } from './task.ts';
import type { TaskMessage } from './thread-messages.ts';

/** A document of 15 MiB or a sitemap of 50 MB takes some 3 s; ten times that on a machine that is very busy. */
const TASK_LIMIT: Milliseconds = seconds(30);
/** The resident memory of the process may grow by so much while a task runs: a document of 15 MiB and its tree need a third. */
const MEMORY_LIMIT: Bytes = mebibytes(512);
/** Time between two looks at the memory, which is filled at about a GiB a second at most. */
const MEMORY_LOOK: Milliseconds = milliseconds(50);
/** Two: one long text does not hold up all others, and more threads would take the time of the browser. */
const MOST_THREADS = 2;
/** A task waits so long for the running thread before a second one is started. */
const SECOND_THREAD_AFTER: Milliseconds = milliseconds(500);
/** Characters of a parser's message that are kept. */
const DETAIL_LIMIT: Bytes = kibibytes(1);

export interface OffloadOptions {
  /** Gives the source of the threads; asked for once, when the first is started. */
  readonly source: () => Promise<string>;
  readonly cores: number;
  /** Limits other than the usual ones, for tests. */
  readonly limits?: Partial<OffloadLimits>;
  /** Called for each task that was given up. */
  readonly onGiveUp?: (task: string, text: TaskText, why: GivenUp) => void;
}

interface OffloadLimits {
  readonly time: Milliseconds;
  readonly memory: Bytes;
}

/** A task that waits for a thread, or is done in one. */
interface Job {
  readonly message: TaskMessage;
  readonly signal: AbortSignal;
  /** When it began to wait, by the performance clock. */
  readonly since: number;
  readonly end: (end: ThreadEnd | GivenUp) => void;
}

interface GivenUp {
  readonly kind: 'gave-up';
  readonly cause: GiveUpCause;
  readonly detail: string;
}

/** Starts no thread yet. */
export function openOffload(options: OffloadOptions): ThreadedOffload {
  return new ThreadPool(options);
}

export interface ThreadedOffload extends Offload {
  /** Threads that were started so far. */
  readonly started: number;
}

class ThreadPool implements ThreadedOffload {
  readonly #options: OffloadOptions;
  readonly #limits: OffloadLimits;
  readonly #waiting: Job[] = [];
  /** One place for each possible thread that is idle; null where the thread is not there yet, or gone. */
  readonly #idle: (TaskThread | null)[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #source: Promise<string> | null = null;
  #look: NodeJS.Timeout | null = null;
  started = 0;

  constructor(options: OffloadOptions) {
    this.#options = options;
    this.#limits = { time: TASK_LIMIT, memory: MEMORY_LIMIT, ...options.limits };
    this.#idle = Array.from({ length: Math.max(1, Math.min(MOST_THREADS, options.cores)) }, () => null);
  }

  async run<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    text: TaskText,
    outer: AbortSignal,
  ): Promise<TaskEnd<Output>> {
    const signal = AbortSignal.any([outer, this.#closing.signal]);
    signal.throwIfAborted();
    const end = text.size <= SMALL_TEXT ? runHere(task, input) : await this.#inThread(task, input, signal);
    if (end.kind === 'gave-up') this.#options.onGiveUp?.(task.name, text, end);
    return end;
  }

  async #inThread<Input, Output>(
    { name }: Task<Input, Output>,
    input: Input,
    signal: AbortSignal,
  ): Promise<TaskEnd<Output>> {
    const ended = new Promise<ThreadEnd | GivenUp>((resolve) => {
      this.#waiting.push({ message: { name, input }, signal, since: performance.now(), end: resolve });
      this.#begin();
    });
    const end = await untilAborted(ended, signal);
    switch (end.kind) {
      case 'done':
        // eslint-disable-next-line typescript/no-unsafe-type-assertion -- the clone of what this very task gave
        return { kind: 'done', value: end.value as Output };
      case 'gave-up':
        return end;
      case 'failed':
        return { kind: 'gave-up', cause: 'error', detail: end.detail.slice(0, DETAIL_LIMIT) };
      case 'gone':
        return { kind: 'gave-up', cause: end.limit ? 'memory' : 'error', detail: end.detail.slice(0, DETAIL_LIMIT) };
    }
  }

  /** Gives waiting jobs to threads, as long as there are both. */
  #begin(): void {
    while (this.#idle.length > 0) {
      // a running thread before one that would have to be started
      const at = this.#idle.findIndex((each) => each !== null);
      if (at < 0 && this.#underWay.size > 0 && !this.#isLate()) return;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      const [thread = null] = this.#idle.splice(Math.max(0, at), 1);
      const work = this.#work(job, thread).then((left) => {
        this.#underWay.delete(work);
        this.#idle.push(left);
        this.#begin();
      });
      this.#underWay.add(work);
    }
  }

  /**
   * Has the first waiting job waited so long that another thread pays off, though it compiles all parsers once more? If not, sets a timer
   * to look again.
   */
  #isLate(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    const left = first.since + SECOND_THREAD_AFTER - performance.now();
    if (left > 0) this.#look ??= setTimeout(() => this.#lookAgain(), left).unref();
    return left <= 0;
  }

  #lookAgain(): void {
    this.#look = null;
    this.#begin();
  }

  /** Does one job. @returns the thread, if the next can have it */
  async #work(job: Job, idle: TaskThread | null): Promise<TaskThread | null> {
    if (job.signal.aborted) {
      job.end({ kind: 'gave-up', cause: 'error', detail: 'nobody waits any more' });
      return idle;
    }
    let thread = idle === null || idle.isGone ? null : idle;
    try {
      thread ??= await this.#start();
    } catch (error) {
      job.end({ kind: 'gave-up', cause: 'error', detail: String(error) });
      return null;
    }
    job.end(await this.#bounded(job, thread));
    if (!thread.isGone) return thread;
    await thread.stop(); // frees its memory before the next thread takes any
    return null;
  }

  async #start(): Promise<TaskThread> {
    this.#source ??= this.#options.source();
    const thread = new TaskThread(await this.#source);
    this.started += 1;
    return thread;
  }

  /** Ends the thread where the job breaks a limit, or its caller has gone. */
  async #bounded({ message, signal }: Job, thread: TaskThread): Promise<ThreadEnd | GivenUp> {
    const { time, memory } = this.#limits;
    let why: GivenUp | null = null;
    let over = false;
    const giveUp = (cause: GiveUpCause, detail: string): void => {
      if (over) return;
      why ??= { kind: 'gave-up', cause, detail };
      void thread.stop(); // never rejects
    };
    const before = process.memoryUsage.rss();
    const look = setInterval(() => {
      if (process.memoryUsage.rss() - before > memory) giveUp('memory', `more than ${memory} bytes`);
    }, MEMORY_LOOK);
    // an answer that came while this thread was busy is received before the deadline counts
    const deadline = setTimeout(() => setImmediate(() => giveUp('deadline', `longer than ${time} ms`)), time);
    const stop = (): void => giveUp('error', 'nobody waits any more');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop(); // while the thread was started
    try {
      const end = await thread.ask(message);
      return end.kind === 'gone' ? (why ?? end) : end;
    } finally {
      over = true;
      clearInterval(look);
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the threads for tasks are closed'));
    clearTimeout(this.#look ?? undefined);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await Promise.all(this.#idle.map((thread) => thread?.stop()));
  }
}
